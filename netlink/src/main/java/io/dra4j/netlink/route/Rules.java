package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.MessageType.*;
import static io.dra4j.netlink.route.RouteAttributes.*;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The rules of a network namespace. Thread-safe. */
public final class Rules {

  private static final int HEADER = 12; // struct fib_rule_hdr
  private static final int FIB_RULE_INVERT = 2;

  private final NetlinkSocket socket;

  Rules(NetlinkSocket socket) {
    this.socket = socket;
  }

  /**
   * All rules.
   *
   * @return the rules, IPv4 first, by priority
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Rule> list() throws NetlinkException {
    MessageWriter request = socket.request(RTM_GETRULE, 0, RULE, "list rules");
    return socket.dump(request.appendZeros(HEADER), RTM_NEWRULE, Rules::decode);
  }

  private static @Nullable Rule decode(Message message) throws NetlinkException.Malformed {
    int family = message.u8(0);
    if (family != Family.INET && family != Family.INET6) {
      return null;
    }
    int destinationLength = message.u8(1);
    int sourceLength = message.u8(2);
    int table = message.u8(4);
    IpAddress destination = null;
    IpAddress source = null;
    String input = "";
    String output = "";
    int priority = 0;
    OptionalInt mark = OptionalInt.empty();
    int mask = -1;
    int target = 0;
    int suppress = -1;
    int protocol = 0;
    boolean master = false;
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case FRA_DST -> destination = IpAddress.read(reader);
        case FRA_SRC -> source = IpAddress.read(reader);
        case FRA_IIFNAME -> input = reader.string();
        case FRA_OIFNAME -> output = reader.string();
        case FRA_PRIORITY -> priority = reader.u32();
        case FRA_FWMARK -> mark = OptionalInt.of(reader.u32());
        case FRA_FWMASK -> mask = reader.u32();
        case FRA_TABLE -> table = reader.u32();
        case FRA_GOTO -> target = reader.u32();
        case FRA_SUPPRESS_PREFIXLEN -> suppress = reader.u32();
        case FRA_PROTOCOL -> protocol = reader.u8();
        case FRA_L3MDEV -> master = reader.u8() != 0;
        default -> {
          // ports, users, groups of links
        }
      }
    }
    return new Rule(
        family == Family.INET6,
        OptionalInt.of(priority),
        sourceLength == 0 ? null : Prefixes.of(family, source, sourceLength),
        destinationLength == 0 ? null : Prefixes.of(family, destination, destinationLength),
        input,
        output,
        mark.orElse(0) == 0 && mask == -1 ? OptionalInt.empty() : mark,
        mask,
        message.u8(3),
        message.u8(7),
        table,
        target,
        suppress,
        protocol,
        master,
        (message.u32(8) & FIB_RULE_INVERT) != 0);
  }

  /**
   * Adds a rule.
   *
   * @param rule the rule
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is such a rule
   */
  public void add(Rule rule) throws NetlinkException {
    int flags = MessageFlags.CREATE | MessageFlags.EXCLUSIVE;
    execute(RTM_NEWRULE, flags, "add rule ", rule);
  }

  /**
   * Removes a rule.
   *
   * @param rule the rule
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(Rule rule) throws NetlinkException {
    execute(RTM_DELRULE, 0, "delete rule ", rule);
  }

  private void execute(int type, int flags, String verb, Rule rule) throws NetlinkException {
    MessageWriter request = socket.request(type, flags, RULE, new Text(verb, rule));
    IpPrefix source = rule.source();
    IpPrefix destination = rule.destination();
    request.appendU8(rule.v6() ? Family.INET6 : Family.INET);
    request.appendU8(destination == null ? 0 : destination.length());
    request.appendU8(source == null ? 0 : source.length());
    request.appendU8(rule.typeOfService());
    request.appendU8(rule.table() > 255 || rule.table() < 0 ? 0 : rule.table()).appendZeros(2);
    request.appendU8(rule.action()).appendU32(rule.inverted() ? FIB_RULE_INVERT : 0);
    if (destination != null) {
      request.putBytes(FRA_DST, destination.address().toBytes());
    }
    if (source != null) {
      request.putBytes(FRA_SRC, source.address().toBytes());
    }
    if (!rule.inputLink().isEmpty()) {
      request.putString(FRA_IIFNAME, rule.inputLink());
    }
    if (!rule.outputLink().isEmpty()) {
      request.putString(FRA_OIFNAME, rule.outputLink());
    }
    rule.priority().ifPresent(priority -> request.putU32(FRA_PRIORITY, priority));
    if (rule.mark().isPresent()) {
      request.putU32(FRA_FWMARK, rule.mark().getAsInt()).putU32(FRA_FWMASK, rule.markMask());
    }
    if (rule.table() != 0) {
      request.putU32(FRA_TABLE, rule.table());
    }
    if (rule.target() != 0) {
      request.putU32(FRA_GOTO, rule.target());
    }
    if (rule.suppressPrefixLength() >= 0) {
      request.putU32(FRA_SUPPRESS_PREFIXLEN, rule.suppressPrefixLength());
    }
    if (rule.protocol() != 0) {
      request.putU8(FRA_PROTOCOL, rule.protocol());
    }
    if (rule.masterTable()) {
      request.putU8(FRA_L3MDEV, 1);
    }
    socket.execute(request);
  }
}
