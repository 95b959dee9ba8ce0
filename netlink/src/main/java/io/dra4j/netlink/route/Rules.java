package io.dra4j.netlink.route;

import io.dra4j.netlink.NetlinkSocket;

/**
 * The rules of policy routing of a network namespace ({@code ip rule}, {@code linux/fib_rules.h}),
 * listed by family and priority. Thread-safe.
 *
 * <pre>{@code
 * Rule rule = Rule.lookup(false, 100).withSource(IpPrefix.parse("192.0.2.0/24")).withPriority(50);
 * route.rules().add(rule); // ip rule add from 192.0.2.0/24 lookup 100 priority 50
 * }</pre>
 *
 * <p>To delete a rule the kernel takes the first that has all of its selectors, priority included;
 * of two rules with one priority it may have more selectors than the one given.
 */
public final class Rules extends RouteObjects<Rule> {

  Rules(NetlinkSocket socket, Links links) {
    super(socket, links, ObjectKind.RULE, RuleCodec.LAYOUT, new RuleCodec());
  }
}
