package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.Optional;

/**
 * Moves links between network namespaces under a name of their own there, so that a refusal leaves
 * them where they were. In one message the kernel moves first and renames then ({@code do_setlink}
 * in {@code net/core/rtnetlink.c}): where the new name is in use, it says EEXIST and leaves the
 * link in the other namespace under its old one, down and without addresses. That is why the name
 * is looked for first.
 *
 * <pre>{@code
 * LinkState before = LinkState.capture(host, "eth0");
 * LinkMove.move(host, LinkKey.of("eth0"), pod, "net1"); // and when the pod ends:
 * LinkMove.move(pod, LinkKey.of("net1"), host, "eth0");
 * before.restore(host, "eth0");
 * }</pre>
 */
public final class LinkMove {

  private LinkMove() {}

  /**
   * Moves a link. There it is switched off, without addresses and routes. A link whose new name is
   * in use stays as it is, up and with its addresses; if the name is taken between the look and the
   * move, the link is brought back, switched off and without them. Within one namespace the link is
   * switched off and renamed; one that has the name is left as it is.
   *
   * @param from the namespace that the link is in
   * @param link the link, its name or its index
   * @param to the namespace that it goes to
   * @param name the name that it is to have there, at most 15 bytes
   * @return the link as it is there
   * @throws NetlinkException if the kernel refuses, and the link is where it was, under the name
   *     that it had; {@link NetlinkException.Exists} if there is a link of that name, or of that
   *     alternative name, in the other namespace, which the message names; {@link
   *     NetlinkException.NotFound} if there is no such link. If the conversation fails, it may be
   *     in either namespace; the reasons in {@link Throwable#getSuppressed} kept it from being
   *     brought back
   * @throws IOException if a namespace cannot be entered; the link is where it was
   * @throws IllegalArgumentException if it cannot be the name of a link
   */
  public static Link move(NetworkNamespace from, LinkKey link, NetworkNamespace to, String name)
      throws IOException {
    boolean isRename = from.id().equals(to.id());
    LinkSettings named = LinkSettings.none().name(name);
    try (RouteNetlink source = RouteNetlink.open(from);
        RouteNetlink target = RouteNetlink.open(to)) {
      Link before = source.links().get(link);
      if (isRename && before.name().equals(name)) {
        return before;
      }
      Optional<Link> holder = target.links().find(name);
      boolean isItself =
          isRename && holder.filter(one -> one.index() == before.index()).isPresent();
      if (holder.isPresent() && !isItself) {
        throw NetlinkException.existing(
            "move %s from %s to %s as %s: link %d (%s) has that name in %s"
                .formatted(
                    before.name(), from, to, name, holder.get().index(), holder.get().name(), to));
      }
      LinkSettings there = isRename ? named.down() : named.namespace(to);
      try {
        source.links().change(before, there);
      } catch (NetlinkException e) {
        try {
          bringBack(before, source.links(), target.links(), from);
        } catch (IOException failure) {
          e.addSuppressed(failure);
        }
        throw e;
      }
      return target.links().get(name);
    }
  }

  /** By its old name, which it kept; the index may be another there. */
  private static void bringBack(Link before, Links source, Links target, NetworkNamespace from)
      throws IOException {
    boolean isHere =
        source
            .find(before.name())
            .map(one -> one.index() == before.index() && isSame(one, before))
            .orElse(false);
    Optional<Link> stray = isHere ? Optional.empty() : target.find(before.name());
    if (stray.isPresent() && isSame(stray.get(), before)) {
      target.change(stray.get(), LinkSettings.none().namespace(from));
    }
  }

  private static boolean isSame(Link one, Link other) {
    return one.address().equals(other.address()) && one.kind().equals(other.kind());
  }
}
