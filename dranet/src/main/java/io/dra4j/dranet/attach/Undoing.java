package io.dra4j.dranet.attach;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.state.Difference;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.netlink.state.LinkStates;
import io.dra4j.netlink.state.Restoration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Undoes steps from their records alone. Looks first: what is back already, or gone, is left alone.
 */
final class Undoing {

  private static final int TRIES = 2;
  private static final Duration CARRIER = Duration.ofSeconds(10); // NICs agree with a switch

  /** What can go better another time; other refusals are for ever. */
  private static final Set<Errno> PASSING =
      Set.of(
          Errno.EIO,
          Errno.ENOMEM,
          Errno.ENOBUFS,
          Errno.EAGAIN,
          Errno.EINTR,
          Errno.EBUSY,
          Errno.ETIMEDOUT);

  private final NamespaceSession host;
  private final @Nullable NamespaceSession pod;
  private final Consumer<String> notices;

  Undoing(NamespaceSession host, @Nullable NamespaceSession pod, Consumer<String> notices) {
    this.host = host;
    this.pod = pod;
    this.notices = notices;
  }

  void undo(Undo undo) throws IOException {
    if (undo instanceof Undo.ReturnLink one) {
      returnLink(one);
    } else if (undo instanceof Undo.DeleteRules one) {
      deleteRules(one);
    } else if (undo instanceof Undo.LeaveVrf one) {
      leaveVrf(one);
    } else if (undo instanceof Undo.ReturnRdma one) {
      returnRdma(one);
    }
  }

  private void returnLink(Undo.ReturnLink one) throws IOException {
    LinkIdentity identity = one.link();
    String name = identity.name();
    Optional<Link> home = host.route().links().find(name).filter(identity::is);
    Optional<Link> away =
        home.isEmpty() && pod != null
            ? identity.findAway(pod.route(), host.route(), one.podName())
            : Optional.empty();
    if (away.isPresent() && pod != null) {
      comeHome(pod, away.get(), identity);
    } else if (home.isEmpty()) { // what a namespace that ends gives back has the name that it had
      Optional<Link> link = identity.findHome(host.route(), one.podName());
      if (link.isEmpty()) {
        notices.accept(name + " is gone: it was in a namespace that ended, or somebody deleted it");
        return;
      }
      rename(link.get(), name);
    }
    restore(one, host.route().links().get(name));
  }

  private void comeHome(NamespaceSession from, Link link, LinkIdentity identity)
      throws IOException {
    String name = identity.name();
    LinkSettings home = LinkSettings.none().down().name(name).namespace(host.namespace());
    // The kernel would move the link first, and then refuse its name.
    boolean taken = host.route().links().find(name).isPresent();
    if (taken) {
      String other = identity.refugeName();
      home = LinkSettings.none().down().name(other).namespace(host.namespace());
      from.route().links().change(LinkKey.of(link.index()), home);
      throw NetlinkException.existing(
          "rename "
              + other
              + ", which is back on the host, to "
              + name
              + ": the host has another link of the name "
              + name);
    }
    from.route().links().change(LinkKey.of(link.index()), home);
  }

  private void rename(Link link, String name) throws IOException {
    if (!link.name().equals(name)) {
      host.route().links().change(LinkKey.of(link.index()), LinkSettings.none().down().name(name));
    }
  }

  /** What can be restored another time is a failure, what never can a notice. */
  private void restore(Undo.ReturnLink one, Link link) throws IOException {
    LinkState before = LinkState.parse(one.state());
    Restoration restoration = before.restore(host.namespace(), link.name());
    for (int i = 1; i < TRIES && restoration.left().stream().anyMatch(Undoing::passes); i++) {
      restoration = before.restore(host.namespace(), link.name());
    }
    if (restoration.waitsForCarrier()) {
      try (LinkStates states = LinkStates.open(host.namespace())) {
        if (states.awaitCarrier(link, CARRIER)) {
          restoration = states.restore(before, link);
        }
      }
    }
    for (Difference left : restoration.left()) {
      if (passes(left)) {
        throw new IOException("restore " + link.name() + ": " + left);
      }
    }
    restoration.left().forEach(left -> notices.accept(link.name() + " on the host: " + left));
    for (String program : Programs.missing(one.programs(), host, link.index())) {
      notices.accept(
          link.name()
              + " on the host: "
              + program
              + " was detached for the pod; whoever attached it has to do so again");
    }
  }

  private static boolean passes(Difference left) {
    return Errno.of(left.errno()).filter(PASSING::contains).isPresent();
  }

  private void deleteRules(Undo.DeleteRules one) throws IOException {
    if (pod == null) {
      return;
    }
    for (Rule rule : pod.route().rules().list()) {
      if (one.rules().contains(Rules.text(rule))) {
        try {
          pod.route().rules().delete(rule);
        } catch (NetlinkException.NotFound e) {
          // somebody else was faster
        }
      }
    }
  }

  private void leaveVrf(Undo.LeaveVrf one) throws IOException {
    if (pod == null) {
      return;
    }
    Optional<Link> vrf = pod.route().links().find(one.vrf());
    if (vrf.isEmpty() || !vrf.get().kind().equals("vrf")) {
      return;
    }
    int index = vrf.get().index();
    Optional<Link> link = pod.route().links().find(one.podName());
    if (link.isPresent() && link.get().masterIndex().orElse(0) == index) {
      pod.route().links().change(link.get(), LinkSettings.none().noMaster());
    }
    List<Link> members = pod.route().links().list(LinkQuery.lean().membersOf(index));
    if (members.isEmpty() && vrf.get().alias().equals(one.mark())) {
      pod.route().links().delete(LinkKey.of(index));
      for (Map.Entry<String, String> sysctl : one.sysctls().entrySet()) {
        pod.namespace().setSysctl(sysctl.getKey(), sysctl.getValue());
      }
    }
  }

  private void returnRdma(Undo.ReturnRdma one) throws IOException {
    RdmaNetlink rdma = pod == null ? null : pod.rdma();
    if (rdma == null || rdma.isShared()) {
      return; // a namespace that ends gives its RDMA devices back
    }
    for (RdmaDevice device : rdma.devices()) {
      if (device.name().equals(one.name()) && device.nodeGuid() == one.nodeGuid()) {
        rdma.move(device.index(), host.namespace());
      }
    }
  }
}
