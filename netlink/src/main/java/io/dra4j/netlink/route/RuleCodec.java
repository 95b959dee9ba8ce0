package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import org.jspecify.annotations.Nullable;

/** Rules as messages ({@code struct fib_rule_hdr}, {@code linux/fib_rules.h}). */
final class RuleCodec implements Codec<Rule> {

  static final AttributeTable TABLE =
      AttributeTable.of(
          "FRA_",
          "DST:ip SRC:ip IIFNAME:text GOTO:u32 UNUSED2 PRIORITY:u32 UNUSED3 UNUSED4 UNUSED5 "
              + "FWMARK:u32 FLOW:u32 TUN_ID SUPPRESS_IFGROUP:u32 SUPPRESS_PREFIXLEN:u32 TABLE:u32 "
              + "FWMASK:u32 OIFNAME:text PAD:state L3MDEV:u8 UID_RANGE PROTOCOL:u8 IP_PROTO:u8 "
              + "SPORT_RANGE DPORT_RANGE DSCP:u8 FLOWLABEL FLOWLABEL_MASK SPORT_MASK DPORT_MASK "
              + "DSCP_MASK");

  static final int DST = TABLE.type("DST");
  static final int SRC = TABLE.type("SRC");
  static final int HEADER = 12;
  private static final int TABLE_NUMBER = TABLE.type("TABLE");
  private static final int PRIORITY = TABLE.type("PRIORITY");
  private static final int MARK = TABLE.type("FWMARK");
  private static final int MASK = TABLE.type("FWMASK");
  private static final int SUPPRESS = TABLE.type("SUPPRESS_PREFIXLEN");
  private static final int INVERT = 2; // FIB_RULE_INVERT; the other flags are state

  @Override
  public AttributeTable table() {
    return TABLE;
  }

  @Override
  public @Nullable Rule decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    int flags = message.u32(8);
    Attributes attributes = Attributes.read(TABLE, message.attributes(HEADER));
    if (!attributes.has(TABLE_NUMBER) && message.u8(4) != 0) {
      attributes = attributes.with(TABLE_NUMBER, message.u8(4));
    }
    if (attributes.number(TABLE_NUMBER).orElse(-1) == 0) { // as with l3mdev: there is none
      attributes = attributes.without(TABLE_NUMBER);
    }
    if (attributes.number(SUPPRESS).orElse(0) == -1) { // nothing is suppressed
      attributes = attributes.without(SUPPRESS);
    }
    if (attributes.has(MASK) && !attributes.has(MARK)) { // the kernel leaves out a mark of 0
      attributes = attributes.with(MARK, 0);
    }
    if (!attributes.has(PRIORITY)) { // and a priority of 0, which is not for it to choose
      attributes = attributes.with(PRIORITY, 0);
    }
    return new Rule(
        family == Family.INET6,
        prefix(attributes, SRC, family, message.u8(2)),
        prefix(attributes, DST, family, message.u8(1)),
        message.u8(3),
        message.u8(7),
        (flags & INVERT) != 0,
        flags & ~INVERT,
        attributes.without(SRC, DST));
  }

  private static @Nullable IpPrefix prefix(Attributes from, int type, int family, int length)
      throws NetlinkException.Malformed {
    return length == 0
        ? null
        : IpPrefix.read(family, from.bytes(type).map(IpAddress::of).orElse(null), length);
  }

  @Override
  public void encode(Rule rule, MessageWriter request, boolean deleting) {
    int table = rule.table();
    request.appendU8(rule.v6() ? Family.INET6 : Family.INET);
    request.appendU8("dst_len", rule.destination().map(IpPrefix::length).orElse(0));
    request.appendU8("src_len", rule.source().map(IpPrefix::length).orElse(0));
    request.appendU8("tos", rule.typeOfService());
    request.appendU8(table > 255 || table < 0 ? 0 : table).appendZeros(2);
    request.appendU8("action", rule.action()).appendU32(rule.inverted() ? INVERT : 0);
    rule.destination().ifPresent(to -> request.putBytes(DST, to.address().toBytes()));
    rule.source().ifPresent(from -> request.putBytes(SRC, from.address().toBytes()));
    request.putAll(rule.attributes());
  }
}
