package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The BPF filters of links. Thread-safe. */
public final class BpfFilters {

  private static final int RTM_NEWTFILTER = 44;
  private static final int RTM_DELTFILTER = 45;
  private static final int RTM_GETTFILTER = 46;

  private static final AttributeTable BPF =
      AttributeTable.of(
          "TCA_BPF_", "ACT POLICE CLASSID OPS_LEN OPS FD NAME FLAGS FLAGS_GEN TAG ID");
  private static final AttributeTable FILTER =
      AttributeTable.of(
              "TCA_", "KIND OPTIONS STATS XSTATS RATE FCNT STATS2 STAB PAD DUMP_INVISIBLE CHAIN")
          .with("OPTIONS", BPF);
  private static final int KIND = FILTER.type("KIND");
  private static final int OPTIONS = FILTER.type("OPTIONS");
  private static final int NAME = BPF.type("NAME");
  private static final int ID = BPF.type("ID");
  private static final int FLAGS = BPF.type("FLAGS");

  private static final int HEADER = 20; // struct tcmsg
  private static final int DIRECT_ACTION = 1; // TCA_BPF_FLAG_ACT_DIRECT

  private final NetlinkSocket socket;

  BpfFilters(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * The filters of what comes in and goes out by a link.
   *
   * @param index the index of the link
   * @return the filters, those of what comes in first; empty if the link has none
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<BpfFilter> list(int index) throws NetlinkException {
    List<BpfFilter> filters = new ArrayList<>(list(index, BpfFilter.INGRESS));
    filters.addAll(list(index, BpfFilter.EGRESS));
    return List.copyOf(filters);
  }

  /**
   * The filters of a link at one place.
   *
   * @param index the index of the link
   * @param parent the place, for example {@link BpfFilter#INGRESS}
   * @return the filters; empty if there are none
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<BpfFilter> list(int index, int parent) throws NetlinkException {
    Text operation = new Text("list filters of link ", index);
    MessageWriter request = socket.request(RTM_GETTFILTER, 0, FILTER, operation);
    request.appendZeros(4).appendU32(index).appendZeros(4).appendU32(parent).appendZeros(4);
    return socket.dump(request, RTM_NEWTFILTER, BpfFilters::decode);
  }

  private static @Nullable BpfFilter decode(Message message) throws NetlinkException.Malformed {
    int handle = message.u32(8);
    int info = message.u32(16);
    String kind = "";
    String name = "";
    int program = 0;
    int flags = 0;
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      if (reader.type() == KIND) {
        kind = reader.string();
      } else if (reader.type() == OPTIONS && kind.equals("bpf")) {
        reader.enter();
        while (reader.next()) {
          if (reader.type() == NAME) {
            name = reader.string();
          } else if (reader.type() == ID) {
            program = reader.u32();
          } else if (reader.type() == FLAGS) {
            flags = reader.u32();
          }
        }
      }
    }
    if (!kind.equals("bpf") || handle == 0) { // handle 0 is the chain, not a filter
      return null;
    }
    return new BpfFilter(
        message.u32(4),
        message.u32(12),
        handle,
        info >>> 16,
        Integer.reverseBytes(info << 16) & 0xffff,
        name,
        program,
        (flags & DIRECT_ACTION) != 0);
  }

  /**
   * Removes a filter; its program stays where others hold it.
   *
   * @param filter the filter
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(BpfFilter filter) throws NetlinkException {
    Text operation = new Text("delete filter " + filter.name() + " of link ", filter.index());
    MessageWriter request = socket.request(RTM_DELTFILTER, 0, FILTER, operation);
    int protocol = Integer.reverseBytes(filter.protocol() << 16) & 0xffff;
    request.appendZeros(4).appendU32(filter.index()).appendU32(filter.handle());
    request.appendU32(filter.parent()).appendU32((filter.priority() << 16) | protocol);
    socket.execute(request.putString(KIND, "bpf"));
  }
}
