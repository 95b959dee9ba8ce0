package io.dra4j.netlink.state;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.OperationalState;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sets the differences of one link, in an order in which the kernel does not undo earlier changes.
 * Refusals of the kernel are remembered for the report; failures of the conversation are thrown.
 *
 * <p>The order: while the link is down, its name, settings, sysctls, master and features, because
 * they require it or affect the kernel when the link goes up; then up; addresses, without which
 * gateways are not reachable; next-hop objects before the routes through them; neighbours and
 * rules. If a link that is up must go down, it gets back everything that it loses thereby, earlier
 * facts and later additions.
 */
final class LinkWriter {

  private static final String DEFAULT_MODE = "0"; // IF_LINK_MODE_DEFAULT
  private static final byte OPERATIONAL = 6; // IF_OPER_UP

  /** Settings that are changed while the link is down, but not again if the kernel refused them. */
  private static final List<String> WHILE_DOWN = List.of("name", "address", "master", "up");

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private final LinkReader reader;
  private final FailedAttempts attempts;

  LinkWriter(
      NetworkNamespace namespace,
      RouteNetlink route,
      @Nullable Ethtool ethtool,
      LinkReader reader,
      FailedAttempts attempts) {
    this.namespace = namespace;
    this.route = route;
    this.ethtool = ethtool;
    this.reader = reader;
    this.attempts = attempts;
  }

  /**
   * Sets the differences; in round 1, the first, facts that the kernel creates are left to it.
   *
   * @return whether the link had to go down
   */
  boolean set(LaterState state, List<Difference> changes, int round) throws IOException {
    LinkState wanted = state.wanted();
    LinkState now = state.now();
    int index = now.index();
    Map<String, String> changed = new TreeMap<>();
    for (Difference one : changes) {
      if (one.message().isEmpty()) {
        changed.put(one.fact(), one.wanted());
      }
    }
    dropImpossible(index, changed);
    boolean hadToGoDown =
        isOn(now, "up")
            && WHILE_DOWN.stream()
                .anyMatch(one -> changed.containsKey(one) && !attempts.isRefused(one));
    if (hadToGoDown) {
      attempts.attempt("up", () -> change(index, LinkSettings.none().down()));
    }
    linkValues(index, wanted, changed);
    flags(index, wanted, changed, hadToGoDown);
    awake(index, changed);
    LinkState goal = hadToGoDown ? state.together() : wanted;
    if (hadToGoDown) {
      now = reader.read(index, new NamespaceContext(route));
    }
    objects(goal, now, round);
    return hadToGoDown;
  }

  /** Drops changes that would fail and for which the link would go down and lose facts. */
  private void dropImpossible(int index, Map<String, String> changed) throws IOException {
    if (changed.containsKey(ValueName.MASTER)
        && !attempts.isRefused(ValueName.MASTER)
        && !attempts.attempt(ValueName.MASTER, () -> master(changed))) {
      changed.remove(ValueName.MASTER);
    }
    if (changed.containsKey("name")) {
      Optional<Link> holder = route.links().find(changed.getOrDefault("name", ""));
      if (holder.isPresent() && holder.get().index() != index) {
        attempts.refuse("name", "link " + holder.get().index() + " has it");
        changed.remove("name");
      }
    }
  }

  /** Sets the values other than flags. */
  private void linkValues(int index, LinkState wanted, Map<String, String> changed)
      throws IOException {
    alternativeNames(index, changed, false); // the link's name may be one of them now
    if (changed.containsKey("name")) {
      attempts.attempt("name", () -> change(index, LinkSettings.none().name(wanted.name())));
    }
    settings(index, changed);
    alternativeNames(index, changed, true);
    sysctls(index, changed);
    String token = changed.getOrDefault("token", "");
    if (!token.isEmpty()) {
      attempts.attempt(
          "token", () -> change(index, LinkSettings.none().token(IpAddress.parse(token))));
    }
    if (changed.containsKey(ValueName.MASTER)) {
      attempts.attempt(ValueName.MASTER, () -> change(index, master(changed)));
    }
    if (ethtool != null) {
      ethtool(ethtool, LinkKey.of(index), changed);
    }
  }

  private static boolean isOn(LinkState state, String flag) {
    return state.values().getOrDefault(flag, "off").equals("on");
  }

  private void change(int index, LinkSettings settings) throws NetlinkException {
    route.links().change(LinkKey.of(index), settings);
  }

  /** Sets the settings, removals first, such as a protocol's reasons to hold the link down. */
  private void settings(int index, Map<String, String> changed) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    changed.entrySet().stream()
        .filter(one -> Setting.isOne(one.getKey()))
        .filter(one -> !one.getValue().isEmpty() || Setting.mayLack(one.getKey()))
        .sorted(Comparator.comparing(one -> !one.getValue().isEmpty()))
        .forEach(one -> values.put(one.getKey(), one.getValue()));
    attempts.together(
        "",
        values,
        all -> {
          LinkSettings settings = LinkSettings.none();
          for (Map.Entry<String, String> one : all.entrySet()) {
            settings = Setting.write(settings, one.getKey(), one.getValue());
          }
          change(index, settings);
        });
  }

  private void alternativeNames(int index, Map<String, String> changed, boolean isAdding)
      throws IOException {
    for (Map.Entry<String, String> one : changed.entrySet()) {
      if (one.getKey().startsWith(ValueName.ALTNAME) && one.getValue().isEmpty() != isAdding) {
        String name = one.getKey().substring(ValueName.ALTNAME.length());
        Link link = route.links().get(index);
        attempts.attempt(
            one.getKey(),
            () -> {
              if (one.getValue().isEmpty()) {
                route.links().removeAlternativeName(link, name);
              } else {
                route.links().addAlternativeName(link, name);
              }
            });
      }
    }
  }

  /** Sets the sysctls in alphabetical order, but the secret before the mode of addresses. */
  private void sysctls(int index, Map<String, String> changed) throws IOException {
    Map<String, String> all = values(changed, ValueName.SYSCTL, one -> one);
    if (!all.isEmpty()) {
      Map<String, String> inOrder = new LinkedHashMap<>(all);
      inOrder.keySet().removeIf(one -> !one.endsWith("/stable_secret"));
      inOrder.putAll(all);
      LinkSysctls.of(namespace, route.links().get(index).name())
          .setAll(inOrder)
          .forEach((parameter, e) -> attempts.refused(ValueName.SYSCTL + parameter, e));
    }
  }

  /** Sets features, private flags, and all channels at once: some links need equal numbers. */
  private void ethtool(Ethtool tool, LinkKey link, Map<String, String> changed) throws IOException {
    attempts.together(
        ValueName.CHANNELS,
        values(changed, ValueName.CHANNELS, Integer::valueOf),
        all -> tool.setChannels(link, all));
    attempts.together(
        ValueName.FEATURE,
        values(changed, ValueName.FEATURE, "on"::equals),
        all -> tool.setFeatures(link, all));
    attempts.together(
        ValueName.PRIVATE_FLAG,
        values(changed, ValueName.PRIVATE_FLAG, "on"::equals),
        all -> tool.setPrivateFlags(link, all));
  }

  private static <T> Map<String, T> values(
      Map<String, String> changed, String prefix, Function<String, T> read) {
    Map<String, T> values = new TreeMap<>();
    changed.forEach(
        (name, value) -> {
          if (name.startsWith(prefix) && !value.isEmpty()) {
            values.put(name.substring(prefix.length()), read.apply(value));
          }
        });
    return values;
  }

  private LinkSettings master(Map<String, String> changed) throws NetlinkException {
    String name = changed.getOrDefault(ValueName.MASTER, "");
    return LinkSettings.none().master(route.links().get(name).index());
  }

  private void flags(int index, LinkState wanted, Map<String, String> changed, boolean wentDown)
      throws IOException {
    Map<String, Integer> masks = new TreeMap<>(Setting.FLAGS); // "up" comes last
    masks.keySet().removeIf(one -> !changed.containsKey(one) && !(wentDown && one.equals("up")));
    attempts.together(
        "",
        masks,
        all -> {
          LinkSettings settings = LinkSettings.none();
          for (Map.Entry<String, Integer> one : all.entrySet()) {
            int mask = one.getValue();
            boolean isOn = !changed.containsKey(one.getKey()) || isOn(wanted, one.getKey());
            settings = settings.flags(isOn ? mask : 0, mask);
          }
          change(index, settings);
        });
  }

  /**
   * Makes a dormant link operational. The kernel applies the link mode when the carrier changes
   * ({@code rfc2863_policy}). The carrier of a macvlan does not change when the link goes down and
   * up, so a link that is dormant because of its mode would stay dormant.
   */
  private void awake(int index, Map<String, String> changed) throws IOException {
    if (changed.getOrDefault("mode", "").equals(DEFAULT_MODE)) {
      Link link = route.links().get(index);
      if (link.isUp() && link.operationalState() == OperationalState.DORMANT) {
        byte[] state = {OPERATIONAL};
        attempts.attempt(
            "state", () -> change(index, LinkSettings.none().attribute("OPERSTATE", state)));
      }
    }
  }

  /** Sets addresses, next-hop objects, routes, neighbours and rules. */
  private void objects(LinkState wanted, LinkState now, int round) throws IOException {
    new AddressWriter(route, attempts).set(wanted, now, round);
    new RouteWriter(route, attempts).set(wanted, now, round);
    for (FactKind.Fact<Neighbour> one : FactKind.NEIGHBOUR.onlyIn(wanted, now)) {
      // A neighbour that the kernel has found meanwhile, or looks for, is replaced.
      attempts.attempt(one.toString(), () -> route.neighbours().replace(one.object()));
    }
    rules(wanted, now);
  }

  /** Adds the rules. Rules name the link, so they would apply to another link with its name. */
  private void rules(LinkState wanted, LinkState now) throws IOException {
    List<FactKind.Fact<Rule>> missing = FactKind.RULE.onlyIn(wanted, now);
    boolean hasName =
        missing.isEmpty() || route.links().get(now.index()).name().equals(wanted.name());
    for (FactKind.Fact<Rule> one : missing) {
      if (hasName) {
        attempts.attempt(one.toString(), () -> route.rules().add(one.object()));
      } else {
        attempts.refuse(one.toString(), "the link does not have the name in the rule");
      }
    }
  }
}
