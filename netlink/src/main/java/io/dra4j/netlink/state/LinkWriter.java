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
 * Sets what differs of one link, in an order in which the kernel does not undo it again. What the
 * kernel refuses is remembered for the report; what breaks the conversation is thrown.
 *
 * <p>The order: while the link is down its name, settings, sysctls, master and features, because
 * they need it or decide what the kernel does when it goes up; then up; addresses, without which
 * gateways are not reachable; next-hop objects before the routes through them; neighbours and
 * rules. A link that is up and has to go down for it gets back what it loses by that, whether it
 * was there before or has come since.
 */
final class LinkWriter {

  private static final String DEFAULT_MODE = "0"; // IF_LINK_MODE_DEFAULT
  private static final byte OPERATIONAL = 6; // IF_OPER_UP

  /** What is set of a link that is down, but not again where the kernel has refused it. */
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
   * Sets what differs.
   *
   * @param state what the link is to be, and what it is
   * @param changes what differs
   * @param round 1 at first: what the kernel makes itself is left to it then, and set later on
   * @return whether the link had to go down for it
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
    alternativeNames(index, changed, false); // the link's name may be one of them by now
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
    flags(index, wanted, changed, hadToGoDown);
    awake(index, changed);
    LinkState goal = hadToGoDown ? state.together() : wanted;
    if (hadToGoDown) {
      now = reader.read(index, new NamespaceContext(route));
    }
    new AddressWriter(route, attempts).set(goal, now, round);
    new RouteWriter(route, attempts).set(goal, now, round);
    for (FactKind.Fact<Neighbour> one : FactKind.NEIGHBOUR.onlyIn(goal, now)) {
      // One that the kernel has found meanwhile, or looks for, makes room.
      attempts.attempt(one.toString(), () -> route.neighbours().replace(one.object()));
    }
    rules(goal, now);
    return hadToGoDown;
  }

  /** What the link would go down for in vain, with what the kernel forgets then. */
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

  private static boolean isOn(LinkState state, String flag) {
    return state.values().getOrDefault(flag, "off").equals("on");
  }

  private void change(int index, LinkSettings settings) throws NetlinkException {
    route.links().change(LinkKey.of(index), settings);
  }

  /** What is taken away goes first, as the reasons for which a protocol holds the link down. */
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

  /** The mode of addresses needs its secret first; the rest is in the order of the alphabet. */
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

  /** Some links want as many channels of one use as of another, so that they are set together. */
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
   * The kernel looks at the mode when the carrier changes ({@code rfc2863_policy}), which that of a
   * macvlan does not when it goes down and up: a link that the mode has made dormant would stay so.
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

  /** Rules name the link, and would be about another one that has its name. */
  private void rules(LinkState wanted, LinkState now) throws IOException {
    List<FactKind.Fact<Rule>> missing = FactKind.RULE.onlyIn(wanted, now);
    boolean hasName =
        missing.isEmpty() || route.links().get(now.index()).name().equals(wanted.name());
    for (FactKind.Fact<Rule> one : missing) {
      if (hasName) {
        attempts.attempt(one.toString(), () -> route.rules().add(one.object()));
      } else {
        attempts.refuse(one.toString(), "the link has not the name in it");
      }
    }
  }
}
