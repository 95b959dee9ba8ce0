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
import io.dra4j.netlink.state.Restoration;
import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Undoes steps from records alone; leaves devices that returned already or no longer exist. */
final class Rollback {

  private static final int TRIES = 2;

  /**
   * The kernel ends a namespace some time after its last user, and then returns its hardware links.
   */
  private static final long ENDING = TimeUnit.SECONDS.toNanos(2);

  private static final long LOOK_AGAIN = 20; // ms

  /** Errors after which a retry can succeed; other errors are permanent. */
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
  private final boolean otherBoot;
  private final Consumer<String> notices;

  /**
   * Prepares to undo steps.
   *
   * @param pod the namespace that the device was moved into; null if it has ended
   * @param otherBoot whether the steps were executed before the machine was restarted; only name
   *     and namespace are restored then
   */
  Rollback(
      NamespaceSession host,
      @Nullable NamespaceSession pod,
      boolean otherBoot,
      Consumer<String> notices) {
    this.host = host;
    this.pod = pod;
    this.otherBoot = otherBoot;
    this.notices = notices;
  }

  void undo(Undo undo) throws IOException, DriverException {
    if (undo instanceof Undo.Home one) {
      home(one);
    } else if (undo instanceof Undo.Restore one) {
      restore(one, true);
    } else if (undo instanceof Undo.ReturnLink one) {
      home(one.home());
      restore(one.restore(), true);
    } else if (undo instanceof Undo.DeleteRules one) {
      deleteRules(one);
    } else if (undo instanceof Undo.LeaveVrf one) {
      leaveVrf(one);
    } else if (undo instanceof Undo.ReturnRdma one) {
      returnRdma(one);
    }
  }

  private void home(Undo.Home one) throws IOException, DriverException {
    LinkIdentity identity = one.link();
    String name = identity.name();
    if (host.route().links().find(name).filter(identity::isHome).isPresent()) {
      return;
    }
    Optional<Link> away =
        pod == null ? Optional.empty() : identity.findAway(pod, host, one.podName());
    if (away.isPresent() && pod != null) {
      comeHome(pod, away.get(), identity);
      return;
    }
    if (otherBoot) {
      homeOfOtherBoot(one);
      return;
    }
    long end = System.nanoTime() + (pod == null ? ENDING : 0);
    while (true) {
      // Links that an ending namespace returns keep the names that they had there.
      Optional<Link> back = identity.findHome(host.route(), one.podName());
      if (back.isPresent()) {
        rename(back.get(), name);
        return;
      }
      Optional<String> elsewhere = new LinkSearch(host, pod).find(identity);
      if (elsewhere.isEmpty()) {
        notices.accept(
            name + " no longer exists: it was in a namespace that ended, or was deleted");
        return;
      }
      if (System.nanoTime() - end >= 0 || !pause()) {
        throw DriverException.unavailable(
            name + " has not returned to the host: " + elsewhere.get());
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(LOOK_AGAIN);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns a link after a restart of the machine; it stays up in the state that it got since. */
  private void homeOfOtherBoot(Undo.Home one) throws IOException {
    String name = one.link().name();
    Optional<Link> back = one.link().findNamed(host.route(), one.podName());
    if (back.isEmpty() || host.route().links().find(name).isPresent()) {
      return;
    }
    try {
      host.route().links().change(LinkKey.of(back.get().index()), LinkSettings.none().name(name));
    } catch (NetlinkException.Busy e) { // before Linux 6.2, a link that is up cannot be renamed
      notices.accept(
          back.get().name()
              + " cannot be renamed to "
              + name
              + " while it is up, and keeps its name");
    }
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
              + ", which has returned to the host, to "
              + name
              + ": the host has another link with the name "
              + name);
    }
    from.route().links().change(LinkKey.of(link.index()), home);
  }

  private void rename(Link link, String name) throws IOException {
    if (!link.name().equals(name)) {
      host.route().links().change(LinkKey.of(link.index()), LinkSettings.none().down().name(name));
    }
  }

  /**
   * Restores the state of a link on the host. Throws an exception for settings that can be restored
   * later, and sends a notice for settings that never can.
   *
   * @param isLast whether to give up settings that wait for a carrier, and report them
   * @return the link whose carrier must be awaited; null if everything is restored
   */
  @Nullable Link restore(Undo.Restore one, boolean isLast) throws IOException {
    String name = one.link().name();
    Optional<Link> there = host.route().links().find(name).filter(one.link()::isHome);
    if (otherBoot || there.isEmpty()) {
      return null; // in the next pod, whose record has the state, or deleted, as already reported
    }
    Link link = there.get();
    LinkState before = LinkState.parse(one.state());
    Restoration restoration = before.restore(host.namespace(), LinkKey.of(link.index()));
    for (int i = 1; i < TRIES && restoration.left().stream().anyMatch(Rollback::passes); i++) {
      restoration = before.restore(host.namespace(), LinkKey.of(link.index()));
    }
    if (restoration.waitsForCarrier() && !isLast) {
      return link;
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
              + " was detached for the pod; its loader must attach it again");
    }
    return null;
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
          // another process has deleted it
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

  private void returnRdma(Undo.ReturnRdma one) throws IOException, DriverException {
    RdmaNetlink home = host.rdma();
    if (home == null || home.isShared()) {
      return;
    }
    RdmaNetlink away = pod == null ? null : pod.rdma();
    Optional<RdmaDevice> lent = away == null ? Optional.empty() : one.find(away.devices());
    if (away != null && lent.isPresent()) {
      away.move(lent.get().index(), host.namespace());
    }
    long end = System.nanoTime() + (pod == null ? ENDING : 0);
    while (true) {
      Optional<RdmaDevice> back = one.find(home.devices());
      if (back.isPresent()) {
        if (!back.get().name().equals(one.name())) {
          home.rename(back.get().index(), one.name());
        }
        return;
      }
      if (System.nanoTime() - end >= 0 || !pause()) {
        break;
      }
    }
    Optional<String> elsewhere = new LinkSearch(host, pod).find(one);
    if (elsewhere.isPresent()) {
      throw DriverException.unavailable(
          "RDMA device " + one.name() + " has not returned to the host: " + elsewhere.get());
    }
    notices.accept("RDMA device " + one.name() + " no longer exists: no network namespace has it");
  }
}
