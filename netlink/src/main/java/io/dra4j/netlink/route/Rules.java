package io.dra4j.netlink.route;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;

/** The rules of policy routing of a network namespace, as {@code ip rule} has. Thread-safe. */
public final class Rules {

  private final Exchange<Rule> exchange;

  Rules(NetlinkSocket socket) {
    this.exchange = new Exchange<>(socket, ObjectKind.RULE, new RuleCodec());
  }

  /**
   * Lists all rules.
   *
   * @return the rules, IPv4 first, by priority
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<Rule> list() throws NetlinkException {
    return exchange.list(request -> request.appendZeros(RuleCodec.HEADER), rule -> true);
  }

  /**
   * Adds a rule.
   *
   * @param rule the rule
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.Exists} if there is such a rule
   */
  public void add(Rule rule) throws NetlinkException {
    exchange.add(rule);
  }

  /**
   * Deletes a rule. The kernel takes the first that has all of its selectors, priority included; of
   * two rules with one priority it may have more selectors than this one.
   *
   * @param rule the rule
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is none
   */
  public void delete(Rule rule) throws NetlinkException {
    exchange.delete(rule);
  }
}
