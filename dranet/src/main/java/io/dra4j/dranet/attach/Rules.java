package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.Prefixes;
import io.dra4j.dranet.config.RuleConfig;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Policy routing rules for a pod. */
final class Rules {

  private Rules() {}

  /** Creates a rule from a configured one. */
  static Rule of(RuleConfig one) {
    Rule rule = Rule.lookup(one.isV6(), (int) one.effectiveTable());
    if (one.priority() != null) {
      rule = rule.withPriority(one.priority());
    }
    if (one.source() != null) {
      rule = rule.withSource(Prefixes.network(one.source()));
    }
    return one.destination() == null
        ? rule
        : rule.withDestination(Prefixes.network(one.destination()));
  }

  /** Returns a rule of the host for the pod; empty if about another link: it stays on the host. */
  static Optional<Rule> carried(Rule rule, String link, String podName, Consumer<String> notices) {
    Rule copy = rule.withoutState();
    for (String name : List.of(rule.inputLink(), rule.outputLink())) {
      if (!name.isEmpty() && !name.equals(link)) {
        notices.accept("rule " + rule + " stays on the host: it is about link " + name);
        return Optional.empty();
      }
    }
    if (!rule.inputLink().isEmpty()) {
      copy = copy.withInputLink(podName);
    }
    return Optional.of(rule.outputLink().isEmpty() ? copy : copy.withOutputLink(podName));
  }

  /** Returns the family and the properties that distinguish rules, but not the protocol. */
  static String text(Rule rule) {
    return (rule.v6() ? "IPv6 " : "IPv4 ") + rule.withProtocol(Route.PROTOCOL_STATIC);
  }

  /** Returns the rules that a pod lacks, each with its priority, so that its text identifies it. */
  static List<Rule> missing(List<Rule> wanted, List<Rule> there) {
    List<Rule> known = new ArrayList<>(there);
    List<Rule> missing = new ArrayList<>();
    for (Rule one : wanted) {
      boolean exists =
          known.stream()
              .anyMatch(
                  other ->
                      (one.priority().isEmpty() || one.priority().equals(other.priority()))
                          && text(one.withPriority(0)).equals(text(other.withPriority(0))));
      if (!exists) {
        Rule rule = one.priority().isPresent() ? one : one.withPriority(priority(one, known));
        known.add(rule);
        missing.add(rule);
      }
    }
    return missing;
  }

  /** Returns the kernel's default priority (fib_default_rule_pref): just before the second rule. */
  private static int priority(Rule rule, List<Rule> known) {
    List<Integer> priorities = new ArrayList<>();
    for (Rule one : known) {
      OptionalInt priority = one.priority();
      if (one.v6() == rule.v6()) {
        priorities.add(priority.orElse(0));
      }
    }
    priorities.sort(null);
    return priorities.size() > 1 ? Math.max(1, priorities.get(1) - 1) : 32_765;
  }
}
