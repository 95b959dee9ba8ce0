package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A queueing discipline, class or filter of a link ({@code tc}, {@code struct tcmsg}, {@code
 * linux/pkt_sched.h}). Immutable. Options are kept in the kernel's format in {@link #attributes}
 * ({@code TCA_OPTIONS}).
 *
 * <pre>{@code
 * route.queueDisciplines().add(TrafficControl.clsact(link.index())); // tc qdisc add ... clsact
 * for (TrafficControl filter : route.filters().list(link)) {
 *   System.out.println(filter.type() + " of priority " + filter.priority());
 * }
 * }</pre>
 */
public final class TrafficControl extends MessageView<TrafficControl> {

  /** {@code TC_H_ROOT}: the parent of the discipline of outgoing packets. */
  public static final int ROOT = 0xffff_ffff;

  /** {@code TC_H_CLSACT}: the parent of disciplines that only have filters. */
  public static final int CLSACT = 0xffff_fff1;

  /**
   * {@code TC_H_CLSACT} with {@code TC_H_MIN_INGRESS}: the parent of filters of incoming packets.
   */
  public static final int INGRESS = 0xffff_fff2;

  /**
   * {@code TC_H_CLSACT} with {@code TC_H_MIN_EGRESS}: the parent of filters of outgoing packets.
   */
  public static final int EGRESS = 0xffff_fff3;

  private static final int DIRECT_ACTION = 1; // TCA_BPF_FLAG_ACT_DIRECT

  TrafficControl(ObjectKind kind, Payload payload) {
    super(kind, changed -> new TrafficControl(kind, changed), payload);
  }

  /**
   * {@return the discipline for filters of incoming and outgoing packets ({@code clsact})}
   *
   * @param index the index of the link
   * @throws IllegalArgumentException if the index is not positive
   */
  public static TrafficControl clsact(int index) {
    Payload none = Payload.of(TrafficCodec.LAYOUT);
    return new TrafficControl(
        ObjectKind.QUEUE_DISCIPLINE,
        none.set("ifindex", Links.checkIndex(index))
            .set("parent", CLSACT)
            .set("handle", 0xffff_0000)
            .with(none.attributes().with("KIND", "clsact")));
  }

  /** {@return the index of the link ({@code tcm_ifindex})} */
  public int index() {
    return payload.get("ifindex");
  }

  /** {@return the object's number ({@code tcm_handle}); 0 for disciplines created by the kernel} */
  public int handle() {
    return payload.get("handle");
  }

  /** {@return the parent ({@code tcm_parent}): {@link #ROOT}, {@link #INGRESS}, ...} */
  public int parent() {
    return payload.get("parent");
  }

  /**
   * {@return the type ({@code TCA_KIND}), for example {@code fq_codel}, {@code htb} or {@code bpf}}
   */
  public String type() {
    return attributes().text("KIND");
  }

  /**
   * {@return the priority of a filter; filters with lower numbers come first; 0 for other objects}
   */
  public int priority() {
    return isFilter() ? payload.get("info") >>> 16 : 0;
  }

  /** {@return the EtherType of a filter, 3 for all ({@code ETH_P_ALL}); 0 for other objects} */
  public int protocol() {
    return isFilter() ? Integer.reverseBytes(payload.get("info") << 16) & 0xffff : 0;
  }

  /** {@return the chain that a filter is in ({@code TCA_CHAIN}); empty for the first one, 0} */
  public OptionalInt chain() {
    return attributes().number("CHAIN");
  }

  private boolean isFilter() {
    return objectKind() == ObjectKind.TRAFFIC_FILTER;
  }

  private Attributes bpf() {
    Attributes none = Attributes.none(TrafficCodec.BPF);
    Optional<byte[]> options = attributes().bytes("OPTIONS").filter(one -> type().equals("bpf"));
    try {
      return options.map(bytes -> Attributes.ofBytes(TrafficCodec.BPF, bytes)).orElse(none);
    } catch (IllegalArgumentException e) { // not the options of a BPF filter
      return none;
    }
  }

  /** {@return the number of the program of a BPF filter ({@code TCA_BPF_ID}), if it is reported} */
  public OptionalInt program() {
    return bpf().number("ID");
  }

  /** {@return the name of a BPF filter's program ({@code TCA_BPF_NAME}); empty if not reported} */
  public String programName() {
    return bpf().text("NAME");
  }

  /**
   * {@return whether the result of a BPF filter's program is the action ({@code direct-action})}
   */
  public boolean isDirect() {
    return (bpf().number("FLAGS").orElse(0) & DIRECT_ACTION) != 0;
  }

  /** {@return the object without counters, to compare settings} */
  @Override
  public TrafficControl withoutState() {
    Payload still = isFilter() ? payload : payload.set("info", 0);
    try {
      byte[] options = attributes().bytes("OPTIONS").orElse(null);
      return of(
          options == null
              ? still
              : still.with("OPTIONS", TrafficOptions.set(objectKind(), type(), options)));
    } catch (IllegalArgumentException e) { // invalid options
      return of(still);
    }
  }

  /** Returns the object for people, in the format of {@code tc}. */
  @Override
  public String toString() {
    return type()
        + (programName().isEmpty() ? "" : " " + programName())
        + " %x: parent %x%s of link %d"
            .formatted(handle(), parent(), isFilter() ? " pref " + priority() : "", index());
  }
}
