package io.dra4j.netlink.route;

/**
 * A BPF program that looks at the packets of a link as a filter of traffic control.
 *
 * @param index the index of the link
 * @param parent where it sits: {@link #INGRESS}, {@link #EGRESS}, or a queueing discipline
 * @param handle its number
 * @param priority filters of lower numbers look first
 * @param protocol the EtherType that it looks at; 3 for all
 * @param name what it was loaded as; empty if not known
 * @param program the number of the program; 0 if not known
 * @param direct whether its answer is the action
 */
public record BpfFilter(
    int index,
    int parent,
    int handle,
    int priority,
    int protocol,
    String name,
    int program,
    boolean direct) {

  /** {@code TC_H_CLSACT} and {@code TC_H_MIN_INGRESS}: packets that come in. */
  public static final int INGRESS = 0xffff_fff2;

  /** {@code TC_H_CLSACT} and {@code TC_H_MIN_EGRESS}: packets that go out. */
  public static final int EGRESS = 0xffff_fff3;
}
