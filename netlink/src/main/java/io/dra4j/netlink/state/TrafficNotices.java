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
 * a user made, with a checksum of its options. A restoration reports changes of them and sets none.
 */
final class TrafficNotices {

  private static final int BPF_ID = 11; // TCA_BPF_ID

  /** Kinds of disciplines whose classes are set by a user, and whose options are ignored. */
  private static final Set<String> CLASSFUL = Set.of("htb", "hfsc", "drr", "qfq", "ets");

  private TrafficNotices() {}

  /** Reads the values. Disciplines that the kernel has created have no number and are skipped. */
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
      if (filter.handle() != 0) { // 0 is the default for a priority
        values.put(place(filter), text(filter));
      }
    }
  }

  private static String number(int handle) {
    return "%x:%s"
        .formatted(
            handle >>> 16, (handle & 0xffff) == 0 ? "" : Integer.toHexString(handle & 0xffff));
  }

  /** Returns an object as text, without a BPF program's number, which changes when loaded again. */
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
