package io.dra4j.netlink.route;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A rule of policy routing, which selects the routing table of packets ({@code ip rule}, {@code
 * linux/fib_rules.h}). Immutable: each {@code with} returns another rule. Selectors and actions
 * without a method here are kept in {@link #attributes} and written back, so that a copy never
 * matches more packets than the rule that was read.
 *
 * <pre>{@code
 * Rule rule = Rule.lookup(false, 100).withSource(IpPrefix.parse("192.0.2.0/24")).withPriority(50);
 * route.rules().add(rule); // ip rule add from 192.0.2.0/24 lookup 100 priority 50
 * }</pre>
 */
public final class Rule extends MessageView<Rule> {

  /** {@code FR_ACT_TO_TBL}, the action of rules that select a table. */
  public static final int TO_TABLE = 1;

  private static final int INVERT = 2; // FIB_RULE_INVERT; the other flags are state

  private static final String[] SHOWN =
      ("DST SRC IIFNAME GOTO PRIORITY FWMARK TUN_ID SUPPRESS_IFGROUP SUPPRESS_PREFIXLEN TABLE "
              + "FWMASK OIFNAME L3MDEV UID_RANGE PROTOCOL IP_PROTO SPORT_RANGE DPORT_RANGE DSCP")
          .split(" ", -1);

  Rule(Payload payload) {
    super(ObjectKind.RULE, Rule::new, payload);
  }

  /**
   * A range of ports or users, with both ends included.
   *
   * @param first the lowest number
   * @param last the highest number
   */
  public record Range(long first, long last) {

    /** Checks the order. {@inheritDoc} */
    public Range {
      if (first < 0 || first > last || last > 0xffff_ffffL) {
        throw new IllegalArgumentException(
            "range " + first + "-" + last + ", must be ascending, from 0 to 4294967295");
      }
    }

    @Override
    public String toString() {
      return first == last ? Long.toString(first) : first + "-" + last;
    }
  }

  /**
   * {@return a rule of {@link Route#PROTOCOL_STATIC} that selects a table for all packets}
   *
   * @param v6 whether it is for IPv6
   * @param table the number of the table, as the 32 bits of the int
   * @throws IllegalArgumentException if the number is 0: the kernel would choose a table
   */
  public static Rule lookup(boolean v6, int table) {
    if (table == 0) {
      throw new IllegalArgumentException("table must not be 0: the kernel would choose a table");
    }
    return new Rule(
        Payload.of(RuleCodec.LAYOUT)
            .set("family", v6 ? Family.INET6 : Family.INET)
            .set("action", TO_TABLE)
            .with("TABLE", table)
            .with("PROTOCOL", Route.PROTOCOL_STATIC));
  }

  /**
   * {@return the rule with a priority ({@code FRA_PRIORITY})}
   *
   * @param priority the priority; rules with lower numbers are applied first
   */
  public Rule withPriority(int priority) {
    return with("PRIORITY", priority);
  }

  /**
   * {@return the rule for packets from a source ({@code FRA_SRC})}
   *
   * @param newSource a network or host
   * @throws IllegalArgumentException if it has another family
   */
  public Rule withSource(IpPrefix newSource) {
    return new Rule(payload.with("SRC", "src_len", newSource));
  }

  /**
   * {@return the rule for packets to a destination ({@code FRA_DST})}
   *
   * @param newDestination a network or host
   * @throws IllegalArgumentException if it has another family
   */
  public Rule withDestination(IpPrefix newDestination) {
    return new Rule(payload.with("DST", "dst_len", newDestination));
  }

  /**
   * {@return the rule for packets that arrive on a link ({@code FRA_IIFNAME})}
   *
   * @param name the name of the link
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public Rule withInputLink(String name) {
    return with(attributes().with("IIFNAME", InterfaceName.check(name)));
  }

  /**
   * {@return the rule for packets that leave on a link ({@code FRA_OIFNAME})}
   *
   * @param name the name of the link
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public Rule withOutputLink(String name) {
    return with(attributes().with("OIFNAME", InterfaceName.check(name)));
  }

  /**
   * {@return the rule for packets with a mark ({@code FRA_FWMARK}, {@code FRA_FWMASK})}
   *
   * @param mark the mark
   * @param mask the bits of the mark that count
   */
  public Rule withMark(int mark, int mask) {
    return with("FWMARK", mark).with("FWMASK", mask);
  }

  /**
   * {@return the rule for packets of a protocol above IP ({@code FRA_IP_PROTO})}
   *
   * @param number the number, for example 6 for TCP, 17 for UDP; 0 to 255
   * @throws IllegalArgumentException if the number is out of range
   */
  public Rule withIpProtocol(int number) {
    return with("IP_PROTO", number);
  }

  /**
   * {@return the rule for packets from source ports ({@code FRA_SPORT_RANGE})}
   *
   * @param ports a range within 0 to 65535
   * @throws IllegalArgumentException if a port is out of range
   */
  public Rule withSourcePorts(Range ports) {
    return with("SPORT_RANGE", ports(ports));
  }

  /**
   * {@return the rule for packets to destination ports ({@code FRA_DPORT_RANGE})}
   *
   * @param ports a range within 0 to 65535
   * @throws IllegalArgumentException if a port is out of range
   */
  public Rule withDestinationPorts(Range ports) {
    return with("DPORT_RANGE", ports(ports));
  }

  /**
   * {@return the rule for packets that sockets of users send ({@code FRA_UID_RANGE})}
   *
   * @param users their IDs
   */
  public Rule withUsers(Range users) {
    ByteBuffer range = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    range.putInt((int) users.first()).putInt((int) users.last());
    return with("UID_RANGE", range.array());
  }

  /**
   * {@return the rule with an origin ({@code FRA_PROTOCOL})}
   *
   * @param number {@code RTPROT_...} of {@code linux/rtnetlink.h}, 0 to 255
   * @throws IllegalArgumentException if the number is out of range
   */
  public Rule withProtocol(int number) {
    return with("PROTOCOL", number);
  }

  private static byte[] ports(Range ports) {
    Numbers.u16("port", (int) Math.min(ports.last(), Integer.MAX_VALUE));
    ByteBuffer range = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
    return range.putShort((short) ports.first()).putShort((short) ports.last()).array();
  }

  private Optional<Range> range(String name) {
    byte[] bytes = attributes().bytes(name).orElse(new byte[0]);
    ByteBuffer range = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    return switch (bytes.length) {
      case 4 ->
          valid(Short.toUnsignedLong(range.getShort()), Short.toUnsignedLong(range.getShort()));
      case 8 ->
          valid(Integer.toUnsignedLong(range.getInt()), Integer.toUnsignedLong(range.getInt()));
      default -> Optional.empty();
    };
  }

  private static Optional<Range> valid(long first, long last) {
    return first > last ? Optional.empty() : Optional.of(new Range(first, last));
  }

  /** {@return whether the rule is for IPv6} */
  public boolean v6() {
    return payload.isV6();
  }

  /**
   * {@return the priority; rules with lower numbers are applied first; empty if the kernel chooses
   * it, never for rules that were read}
   */
  public OptionalInt priority() {
    return attributes().number("PRIORITY");
  }

  /** {@return the source of packets ({@code FRA_SRC}); empty for any} */
  public Optional<IpPrefix> source() {
    return prefix("SRC", "src_len");
  }

  /** {@return the destination of packets ({@code FRA_DST}); empty for any} */
  public Optional<IpPrefix> destination() {
    return prefix("DST", "dst_len");
  }

  private Optional<IpPrefix> prefix(String attribute, String length) {
    IpPrefix prefix = payload.prefix(attribute, length);
    return prefix.length() == 0 ? Optional.empty() : Optional.of(prefix);
  }

  /** {@return the name of the link on which packets arrive ({@code FRA_IIFNAME}); empty for any} */
  public String inputLink() {
    return attributes().text("IIFNAME");
  }

  /** {@return the name of the link on which packets leave ({@code FRA_OIFNAME}); empty for any} */
  public String outputLink() {
    return attributes().text("OIFNAME");
  }

  /** {@return the mark of packets ({@code FRA_FWMARK}); empty for any} */
  public OptionalInt mark() {
    return attributes().number("FWMARK");
  }

  /** {@return the bits of the mark that count ({@code FRA_FWMASK}); all by default} */
  public int markMask() {
    return attributes().number("FWMASK").orElse(-1);
  }

  /** {@return the type of service of packets; 0 for any} */
  public int typeOfService() {
    return payload.get("tos");
  }

  /** {@return the DSCP of packets ({@code FRA_DSCP}, Linux 6.13); empty for any} */
  public OptionalInt dscp() {
    return attributes().number("DSCP");
  }

  /** {@return the protocol above IP ({@code FRA_IP_PROTO}), such as 6, TCP; empty for any} */
  public OptionalInt ipProtocol() {
    return attributes().number("IP_PROTO");
  }

  /** {@return the source ports of packets ({@code FRA_SPORT_RANGE}); empty for any} */
  public Optional<Range> sourcePorts() {
    return range("SPORT_RANGE");
  }

  /** {@return the destination ports of packets ({@code FRA_DPORT_RANGE}); empty for any} */
  public Optional<Range> destinationPorts() {
    return range("DPORT_RANGE");
  }

  /** {@return the users whose sockets send the packets ({@code FRA_UID_RANGE}); empty for any} */
  public Optional<Range> users() {
    return range("UID_RANGE");
  }

  /** {@return the ID of the tunnel of packets ({@code FRA_TUN_ID}); empty for any} */
  public OptionalLong tunnelId() {
    return attributes()
        .bytes("TUN_ID")
        .filter(bytes -> bytes.length == 8)
        .map(bytes -> OptionalLong.of(ByteBuffer.wrap(bytes).getLong()))
        .orElse(OptionalLong.empty());
  }

  /** {@return the action: 1 select the table, 2 go to {@link #target}, 6 drop, 7 unreachable} */
  public int action() {
    return payload.get("action");
  }

  /** {@return the number of the table ({@code FRA_TABLE}), if there is one} */
  public OptionalInt table() {
    return attributes().number("TABLE");
  }

  /** {@return the priority of the rule to continue at ({@code FRA_GOTO}), for action 2} */
  public OptionalInt target() {
    return attributes().number("GOTO");
  }

  /** {@return the length up to which prefixes are ignored ({@code FRA_SUPPRESS_PREFIXLEN})} */
  public OptionalInt suppressPrefixLength() {
    return attributes().number("SUPPRESS_PREFIXLEN");
  }

  /** {@return the group of links whose routes are ignored ({@code FRA_SUPPRESS_IFGROUP})} */
  public OptionalInt suppressGroup() {
    return attributes().number("SUPPRESS_IFGROUP");
  }

  /** {@return the origin of the rule ({@code FRA_PROTOCOL}), {@code RTPROT_...}; 0 by default} */
  public int protocol() {
    return attributes().number("PROTOCOL").orElse(0);
  }

  /** {@return whether the rule selects the table of the packet's VRF ({@code FRA_L3MDEV})} */
  public boolean masterTable() {
    return attributes().number("L3MDEV").orElse(0) != 0;
  }

  /** {@return whether the rule applies to packets that do not match ({@code FIB_RULE_INVERT})} */
  public boolean inverted() {
    return (payload.get("flags") & INVERT) != 0;
  }

  /** {@return the state that the kernel reports, such as {@code FIB_RULE_IIF_DETACHED}} */
  public int state() {
    return payload.get("flags") & ~INVERT;
  }

  /** {@return the rule without {@link #state}, to compare settings} */
  @Override
  public Rule withoutState() {
    return set("flags", payload.get("flags") & INVERT);
  }

  /** Returns the rule for people, in the format of {@code ip rule}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    priority().ifPresent(priority -> text.append(Integer.toUnsignedString(priority)).append(": "));
    text.append(inverted() ? "not from " : "from ");
    text.append(source().map(IpPrefix::toString).orElse(v6() ? "::/0" : "all"));
    destination().ifPresent(to -> text.append(" to ").append(to));
    text.append(unless(0, "tos", typeOfService()));
    text.append(inputLink().isEmpty() ? "" : " iif " + inputLink());
    text.append(outputLink().isEmpty() ? "" : " oif " + outputLink());
    if (mark().isPresent()) {
      text.append(" fwmark 0x").append(Integer.toHexString(mark().getAsInt()));
      text.append(markMask() == -1 ? "" : "/0x" + Integer.toHexString(markMask()));
    }
    ipProtocol().ifPresent(protocol -> text.append(" ipproto ").append(protocol));
    sourcePorts().ifPresent(ports -> text.append(" sport ").append(ports));
    destinationPorts().ifPresent(ports -> text.append(" dport ").append(ports));
    users().ifPresent(range -> text.append(" uidrange ").append(range));
    dscp().ifPresent(dscp -> text.append(" dscp ").append(dscp));
    tunnelId().ifPresent(id -> text.append(" tun_id ").append(Long.toUnsignedString(id)));
    text.append(masterTable() ? " l3mdev" : "");
    if (action() != TO_TABLE) {
      text.append(target().isPresent() ? " goto " + target().getAsInt() : " action " + action());
    } else if (!masterTable()) {
      text.append(" lookup ").append(Integer.toUnsignedString(table().orElse(0)));
    }
    suppressPrefixLength().ifPresent(to -> text.append(" suppress_prefixlength ").append(to));
    suppressGroup().ifPresent(group -> text.append(" suppress_ifgroup ").append(group));
    text.append(unless(Route.PROTOCOL_STATIC, "proto", protocol()));
    return text.append(others(SHOWN)).toString();
  }
}
