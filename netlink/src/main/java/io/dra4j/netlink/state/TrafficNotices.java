package io.dra4j.netlink.state;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.TrafficControl;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The traffic control of a link as values: a line for each queue discipline, class and filter that
 * a user made, with a checksum of its options. A restoration reports what has changed of them and
 * sets none.
 */
final class TrafficNotices {

  private static final int BPF_ID = 11; // TCA_BPF_ID

  /** Kinds of disciplines with classes that a user sets, and whose options do not count. */
  private static final Set<String> CLASSFUL = Set.of("htb", "hfsc", "drr", "qfq", "ets");

  private TrafficNotices() {}

  /** Disciplines that the kernel has made itself have no number. */
  static void read(
      RouteNetlink route, NamespaceContext context, int index, Map<String, String> values)
      throws NetlinkException {
    LinkKey key = LinkKey.of(index);
    boolean hasClasses = false;
    for (TrafficControl one : context.queueDisciplines(index)) {
      if (one.handle() != 0) {
        String parent = one.parent() == TrafficControl.ROOT ? "root" : number(one.parent());
        values.put("qdisc of " + parent, number(one.handle()) + " " + text(one));
        hasClasses |= CLASSFUL.contains(one.type());
      }
    }
    if (hasClasses) {
      for (TrafficControl one : route.trafficClasses().list(key)) {
        if (CLASSFUL.contains(one.type())) {
          values.put("class " + number(one.handle()), text(one));
        }
      }
    }
    for (TrafficControl filter : route.filters().list(key)) {
      if (filter.handle() != 0) { // 0 is what all of a priority are in
        values.put(place(filter), text(filter));
      }
    }
  }

  private static String number(int handle) {
    return "%x:%s"
        .formatted(
            handle >>> 16, (handle & 0xffff) == 0 ? "" : Integer.toHexString(handle & 0xffff));
  }

  /** The number of a BPF program is another after it was loaded again, and does not count. */
  private static String text(TrafficControl one) {
    Attributes set = one.withoutState().attributes();
    if (one.type().equals("bpf") && one.program().isPresent()) {
      byte[] options = set.bytes("OPTIONS").orElse(new byte[0]);
      Attributes all = Attributes.ofBytes(AttributeTable.NONE, options);
      set = set.with("OPTIONS", all.without(BPF_ID).toBytes());
    }
    CRC32 sum = new CRC32();
    sum.update(set.toBytes());
    String what = (one.type() + " " + one.programName()).strip();
    return "%s, options %08x".formatted(what, sum.getValue());
  }

  private static String place(TrafficControl filter) {
    int parent = filter.parent();
    String other = parent == TrafficControl.EGRESS ? "egress" : Integer.toHexString(parent);
    String side = parent == TrafficControl.INGRESS ? "ingress" : other;
    String chain = filter.chain().orElse(0) == 0 ? "" : " chain " + filter.chain().getAsInt();
    return "filter " + side + chain + " " + filter.priority() + " handle " + filter.handle();
  }
}
