package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of policy routing of a network namespace ({@code ip rule}, {@code linux/fib_rules.h}),
 * listed by family and priority. Thread-safe.
 *
 * <pre>{@code
 * Rule rule = Rule.lookup(false, 100).withSource(IpPrefix.parse("192.0.2.0/24")).withPriority(50);
 * route.rules().add(rule); // ip rule add from 192.0.2.0/24 lookup 100 priority 50
 * }</pre>
 *
 * <p>The kernel can confuse a rule with another rule that has more selectors: it deletes the first
 * rule that has all of the given values that are not 0, and refuses to add a rule with fewer
 * selectors than an existing rule of the same priority. The methods of this class only affect equal
 * rules.
 */
public final class Rules extends RouteObjects<Rule> {

  Rules(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.RULE, RuleCodec.LAYOUT, new RuleCodec());
  }

  /**
   * Adds a rule after the rules with the same priority ({@code RTM_NEWRULE}).
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
   * Deletes a rule ({@code RTM_DELRULE}), and no other, as {@link #deleteAll} does.
   *
   * @param rule the rule, as it was read or added; without a priority, the first rule that is
   *     otherwise equal
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no equal rule
   */
  @Override
  public void delete(Rule rule) throws NetlinkException {
    deleteAll(List.of(rule));
  }

  /**
   * Deletes rules ({@code RTM_DELRULE}), and no others. All rules are listed once. If the kernel
   * would confuse another rule with one of them, that rule and the later rules of its priority are
   * added again at the end and deleted in their old places. In the end the remaining rules have
   * their old order. In between some rules exist twice, and they stay twice if the kernel refuses a
   * request.
   *
   * @param rules the rules, as they were read or added; without a priority, the first rule that is
   *     otherwise equal
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if one has no equal rule; then none is deleted
   */
  public void deleteAll(Collection<Rule> rules) throws NetlinkException {
    List<Rule> there = list();
    Map<Rule, Rule> byWhatWasSet = new HashMap<>();
    there.forEach(one -> byWhatWasSet.putIfAbsent(one.withoutState(), one));
    Set<Rule> gone = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Rule rule : rules) {
      Rule one =
          rule.priority().isPresent()
              ? byWhatWasSet.get(asListed(rule))
              : there.stream().filter(any -> isMeant(any, rule)).findFirst().orElse(null);
      if (one == null) {
        throw NetlinkException.notFound("delete rule " + rule);
      }
      gone.add(one);
    }
    Map<List<Integer>, List<Rule>> byPriority = new LinkedHashMap<>();
    for (Rule one : there) {
      List<Integer> key = List.of(one.v6() ? 6 : 4, one.priority().orElse(0));
      byPriority.computeIfAbsent(key, none -> new ArrayList<>()).add(one);
    }
    for (List<Rule> ofOne : byPriority.values()) {
      deleteFrom(ofOne, gone);
    }
  }

  /** Deletes rules of one priority; the kernel deletes the first rule that matches a request. */
  private void deleteFrom(List<Rule> there, Set<Rule> gone) throws NetlinkException {
    List<Rule> left = new ArrayList<>();
    for (Rule one : there) {
      if (gone.contains(one) && firstTakenFor(one, left) == left.size()) {
        super.delete(one);
      } else {
        left.add(one);
      }
    }
    int from = left.size();
    int first = from;
    for (Rule one : left) {
      first = gone.contains(one) ? Math.min(first, firstTakenFor(one, left)) : first;
    }
    while (first < from) {
      from = first;
      for (Rule one : left.subList(from, left.size())) {
        first = Math.min(first, firstTakenFor(one, left));
      }
    }
    List<Rule> anew = left.subList(from, left.size());
    for (Rule one : anew) {
      if (!gone.contains(one)) {
        write("add ", MessageFlags.CREATE, one);
      }
    }
    for (Rule one : anew) { // is the first now
      super.delete(one);
    }
  }

  private static int firstTakenFor(Rule one, List<Rule> there) {
    int at = 0;
    while (at < there.size() && !isTakenFor(there.get(at), one)) {
      at++;
    }
    return at;
  }

  private static Rule asListed(Rule rule) {
    return RuleCodec.asListed(rule.withoutState().payload);
  }

  /**
   * Returns whether a rule is the given one, whose priority is chosen by the kernel if it has none.
   */
  private static boolean isMeant(Rule one, Rule rule) {
    Rule wanted = rule.priority().isPresent() ? rule : rule.withPriority(one.priority().orElse(0));
    return asListed(wanted).equals(one.withoutState());
  }

  /**
   * Returns whether the kernel may confuse a rule with another one ({@code rule_find}): it does not
   * compare the target and the inversion. For most values 0 matches any; for the other values this
   * is assumed too, so more rules may be added again than necessary.
   */
  private static boolean isTakenFor(Rule other, Rule rule) {
    if (!isSameOrAny("action", other, rule)
        || !isSameOrAny("src_len", other, rule)
        || !isSameOrAny("dst_len", other, rule)
        || !isSameOrAny("tos", other, rule)) {
      return false;
    }
    Attributes all = other.attributes();
    Attributes compared = rule.attributes().without("GOTO");
    for (int type : compared.types()) {
      byte[] value = compared.bytes(type).orElseThrow();
      if (!isZero(value) && !Arrays.equals(all.bytes(type).orElse(null), value)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isZero(byte[] value) {
    int any = 0;
    for (byte one : value) {
      any |= one;
    }
    return any == 0;
  }

  private static boolean isSameOrAny(String field, Rule other, Rule rule) {
    int value = rule.payload.get(field);
    return value == 0 || value == other.payload.get(field);
  }
}
