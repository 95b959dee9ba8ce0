package io.dra4j.netlink.route;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A rule that says which table's routes packets follow. Immutable; made with {@link #lookup} and
 * the methods whose names begin with {@code with}.
 *
 * @param v6 whether it is for IPv6
 * @param priority rules of lower numbers are asked first; absent to let the kernel choose
 * @param source where packets are from; null for anywhere
 * @param destination where packets go; null for anywhere
 * @param inputLink the name of the link they come in by; empty for any
 * @param outputLink the name of the link they go out by; empty for any
 * @param mark the mark that they have; absent for any
 * @param markMask which bits of the mark count
 * @param typeOfService the type of service that they have; 0 for any
 * @param action what to do: 1 look into the table, 2 go on at {@code target}, 6 drop, 7 unreachable
 * @param table the table to look into
 * @param target the priority of the rule to go on at; 0 for none
 * @param suppressPrefixLength routes with prefixes of at most this length do not count; -1 for none
 * @param protocol who made it, {@code RTPROT_...}
 * @param masterTable whether the table is that of the VRF the packet is in ({@code l3mdev})
 * @param inverted whether it is for packets that do not match
 */
public record Rule(
    boolean v6,
    OptionalInt priority,
    @Nullable IpPrefix source,
    @Nullable IpPrefix destination,
    String inputLink,
    String outputLink,
    OptionalInt mark,
    int markMask,
    int typeOfService,
    int action,
    int table,
    int target,
    int suppressPrefixLength,
    int protocol,
    boolean masterTable,
    boolean inverted) {

  /** Action: look into the table. */
  public static final int TO_TABLE = 1;

  /**
   * A rule that lets all packets follow a table.
   *
   * @param v6 whether it is for IPv6
   * @param table the table
   * @return the rule
   */
  public static Rule lookup(boolean v6, int table) {
    return new Rule(
        v6,
        OptionalInt.empty(),
        null,
        null,
        "",
        "",
        OptionalInt.empty(),
        -1,
        0,
        TO_TABLE,
        table,
        0,
        -1,
        Route.PROTOCOL_STATIC,
        false,
        false);
  }

  /**
   * The rule with a priority.
   *
   * @param newPriority rules of lower numbers are asked first
   * @return the rule
   */
  public Rule withPriority(int newPriority) {
    return copy(OptionalInt.of(newPriority), source, destination, inputLink, mark, markMask);
  }

  /**
   * The rule for packets from somewhere.
   *
   * @param newSource where they are from
   * @return the rule
   */
  public Rule withSource(IpPrefix newSource) {
    return copy(priority, newSource, destination, inputLink, mark, markMask);
  }

  /**
   * The rule for packets to somewhere.
   *
   * @param newDestination where they go
   * @return the rule
   */
  public Rule withDestination(IpPrefix newDestination) {
    return copy(priority, source, newDestination, inputLink, mark, markMask);
  }

  /**
   * The rule for packets that come in by a link.
   *
   * @param name the name of the link
   * @return the rule
   */
  public Rule withInputLink(String name) {
    return copy(priority, source, destination, InterfaceName.check(name), mark, markMask);
  }

  /**
   * The rule for packets with a mark.
   *
   * @param newMark the mark
   * @param mask which bits of it count
   * @return the rule
   */
  public Rule withMark(int newMark, int mask) {
    return copy(priority, source, destination, inputLink, OptionalInt.of(newMark), mask);
  }

  private Rule copy(
      OptionalInt newPriority,
      @Nullable IpPrefix newSource,
      @Nullable IpPrefix newDestination,
      String newInput,
      OptionalInt newMark,
      int newMask) {
    return new Rule(
        v6,
        newPriority,
        newSource,
        newDestination,
        newInput,
        outputLink,
        newMark,
        newMask,
        typeOfService,
        action,
        table,
        target,
        suppressPrefixLength,
        protocol,
        masterTable,
        inverted);
  }

  /** For people, in the manner of {@code ip rule}. */
  @Override
  public String toString() {
    return (priority.isPresent() ? priority.getAsInt() + ": " : "")
        + (inverted ? "not " : "")
        + "from "
        + (source == null ? "all" : source)
        + (destination == null ? "" : " to " + destination)
        + (inputLink.isEmpty() ? "" : " iif " + inputLink)
        + (outputLink.isEmpty() ? "" : " oif " + outputLink)
        + (mark.isPresent() ? " fwmark 0x" + Integer.toHexString(mark.getAsInt()) : "")
        + (action == TO_TABLE ? " lookup " + table : " action " + action);
  }
}
