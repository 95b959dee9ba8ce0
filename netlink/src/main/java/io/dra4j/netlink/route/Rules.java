package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The rules of policy routing of a network namespace ({@code ip rule}, {@code linux/fib_rules.h}),
 * listed by family and priority. Thread-safe.
 *
 * <pre>{@code
 * Rule rule = Rule.lookup(false, 100).withSource(IpPrefix.parse("192.0.2.0/24")).withPriority(50);
 * route.rules().add(rule); // ip rule add from 192.0.2.0/24 lookup 100 priority 50
 * }</pre>
 *
 * <p>The kernel itself takes a rule for another one that has more selectors: it deletes the first
 * that has all of those that it is told, and refuses to add a rule that says less than one which is
 * there with the same priority. Here a rule is one that equals it.
 */
public final class Rules extends RouteObjects<Rule> {

  Rules(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.RULE, RuleCodec.LAYOUT, new RuleCodec());
  }

  /**
   * Adds a rule behind those of its priority ({@code RTM_NEWRULE}).
   *
   * @param rule the rule
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is an equal rule
   */
  @Override
  public void add(Rule rule) throws NetlinkException {
    try {
      super.add(rule);
    } catch (NetlinkException.Exists e) {
      if (list().stream().anyMatch(one -> isMeant(one, rule))) {
        throw e;
      }
      write("add ", MessageFlags.CREATE, rule);
    }
  }

  /**
   * Deletes a rule ({@code RTM_DELRULE}), and no other. Rules of its priority before it, which the
   * kernel would take for it, are put behind it first.
   *
   * @param rule the rule, as it was read or as it was added; without a priority the first that is
   *     equal otherwise
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no equal rule
   */
  @Override
  public void delete(Rule rule) throws NetlinkException {
    List<Rule> there = list();
    Optional<Rule> found = there.stream().filter(one -> isMeant(one, rule)).findFirst();
    if (found.isEmpty()) {
      throw NetlinkException.notFound("delete rule " + rule);
    }
    Rule one = found.get();
    List<Rule> takenForIt = new ArrayList<>();
    for (Rule earlier : there.subList(0, there.indexOf(one))) {
      if (isTakenFor(earlier, one)) {
        takenForIt.add(earlier);
      }
    }
    for (Rule earlier : takenForIt) {
      write("add ", MessageFlags.CREATE, earlier);
    }
    for (int i = 0; i <= takenForIt.size(); i++) {
      super.delete(one);
    }
  }

  /** The kernel chooses a priority where none is told. */
  private static boolean isMeant(Rule one, Rule rule) {
    Rule wanted = rule.priority().isPresent() ? rule : rule.withPriority(one.priority().orElse(0));
    return RuleCodec.asTold(wanted.withoutState().payload).equals(one.withoutState());
  }

  /** What the kernel compares ({@code rule_find}): not what to go on at, nor the inversion. */
  private static boolean isTakenFor(Rule other, Rule rule) {
    Attributes all = other.attributes();
    Attributes compared = rule.attributes().without("GOTO");
    for (int type : compared.types()) {
      if (!Arrays.equals(all.bytes(type).orElse(null), compared.bytes(type).orElse(null))) {
        return false;
      }
    }
    return other.v6() == rule.v6()
        && other.action() == rule.action()
        && isSameOrAny("src_len", other, rule)
        && isSameOrAny("dst_len", other, rule)
        && isSameOrAny("tos", other, rule);
  }

  private static boolean isSameOrAny(String field, Rule other, Rule rule) {
    int value = rule.payload.get(field);
    return value == 0 || value == other.payload.get(field);
  }
}
