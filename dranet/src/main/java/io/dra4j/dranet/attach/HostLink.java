package io.dra4j.dranet.attach;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.bpf.LinkProgram;
import io.dra4j.netlink.bpf.LinkPrograms;
import io.dra4j.netlink.ethtool.Feature;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.netlink.state.LinkStates;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A link on the host, with all facts that a plan depends on.
 *
 * @param link the link
 * @param lower the link of the host that it is built on, for example below a macvlan; null if there
 *     is none
 * @param state the state to restore when the link returns
 * @param rules all rules of the host
 * @param features the hardware features by name; empty unless the configuration sets features
 * @param privateFlags the private flags of its driver; empty if it has none, or unless the
 *     configuration sets some
 * @param programs the BPF programs attached to it; empty if they stay attached
 */
record HostLink(
    Link link,
    @Nullable Link lower,
    LinkState state,
    List<Rule> rules,
    Map<String, Feature> features,
    Map<String, Boolean> privateFlags,
    List<LinkProgram> programs) {

  /** Kinds of links that send each packet unchanged over a lower link. */
  private static final Set<String> ON_A_LOWER_LINK =
      Set.of("vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec");

  /** Reads a link; {@code pending} is the saved state that it must still get, null if none. */
  static HostLink read(
      NamespaceSession host,
      LinkStates.Snapshot states,
      AttachRequest request,
      String name,
      Undo.@Nullable Restore pending)
      throws IOException {
    Link link = host.route().links().get(name);
    LinkState state =
        pending != null && pending.link().isHome(link)
            ? LinkState.parse(pending.state())
            : states.capture(LinkKey.of(link.index()));
    boolean asksFeatures = !request.config().ethtool().features().isEmpty();
    boolean asksFlags = !request.config().ethtool().privateFlags().isEmpty();
    return new HostLink(
        link,
        lower(host, link),
        state,
        state.routes().isEmpty() ? List.of() : host.route().rules().list(),
        asksFeatures ? host.ethtool().features(link) : Map.of(),
        asksFlags ? privateFlags(host, link) : Map.of(),
        request.config().link().detachesPrograms()
            ? LinkPrograms.in(host.namespace()).list(link.index())
            : List.of());
  }

  private static @Nullable Link lower(NamespaceSession host, Link link) throws IOException {
    OptionalInt index = link.lowerIndex();
    return index.isPresent() && ON_A_LOWER_LINK.contains(link.kind())
        ? host.route().links().get(LinkKey.of(index.getAsInt()))
        : null;
  }

  private static Map<String, Boolean> privateFlags(NamespaceSession host, Link link)
      throws IOException {
    try {
      return host.ethtool().privateFlags(link);
    } catch (NetlinkException.Unsupported e) {
      return Map.of();
    }
  }
}
