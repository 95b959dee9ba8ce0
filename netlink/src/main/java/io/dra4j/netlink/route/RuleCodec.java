package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.NetlinkException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts rules to and from messages ({@code linux/fib_rules.h}). */
final class RuleCodec implements Codec<Rule> {

  static final Layout LAYOUT =
      Layout.of(
          "struct fib_rule_hdr",
          "family:8 dst_len:8 src_len:8 tos:8 table:8 2 action:8 flags:32",
          AttributeTable.of(
              "FRA_",
              "DST:ip SRC:ip IIFNAME:text GOTO:u32 UNUSED2 PRIORITY:u32 UNUSED3 UNUSED4 UNUSED5 "
                  + "FWMARK:u32 FLOW:u32 TUN_ID SUPPRESS_IFGROUP:u32 SUPPRESS_PREFIXLEN:u32 "
                  + "TABLE:u32 FWMASK:u32 OIFNAME:text PAD:state L3MDEV:u8 UID_RANGE PROTOCOL:u8 "
                  + "IP_PROTO:u8 SPORT_RANGE DPORT_RANGE DSCP:u8 FLOWLABEL FLOWLABEL_MASK "
                  + "SPORT_MASK DPORT_MASK DSCP_MASK"));

  private static final List<String> PORT_MASKS = List.of("SPORT_MASK", "DPORT_MASK");
  private static final byte[] ALL_BITS = {-1, -1};

  @Override
  public @Nullable Rule decode(Message message) throws NetlinkException.Malformed {
    Payload read = Payload.read(LAYOUT, message);
    return read.isIp() ? asListed(read.checked("SRC", "src_len").checked("DST", "dst_len")) : null;
  }

  /**
   * Returns a rule in the form of a list. The kernel has two places for the table, and leaves out a
   * mark and a priority of 0.
   */
  static Rule asListed(Payload read) {
    Payload rule = read.set("table", 0);
    Attributes attributes = rule.attributes();
    int table = attributes.number("TABLE").orElse(read.get("table"));
    attributes = table == 0 ? attributes.without("TABLE") : attributes.with("TABLE", table);
    if (attributes.number("SUPPRESS_PREFIXLEN").orElse(0) == -1) { // nothing is suppressed
      attributes = attributes.without("SUPPRESS_PREFIXLEN");
    }
    if (attributes.has("FWMASK") && !attributes.has("FWMARK")) {
      attributes = attributes.with("FWMARK", 0);
    }
    for (String mask : PORT_MASKS) { // the masks of single ports that cover all bits
      if (Arrays.equals(attributes.bytes(mask).orElse(null), ALL_BITS)) {
        attributes = attributes.without(mask);
      }
    }
    if (!attributes.has("PRIORITY")) { // so that the kernel does not choose it
      attributes = attributes.with("PRIORITY", 0);
    }
    return new Rule(rule.with(attributes));
  }

  @Override
  public Payload encode(Rule rule) {
    int table = rule.table().orElse(0);
    return rule.withoutState().payload.set("table", table > 255 || table < 0 ? 0 : table);
  }
}
