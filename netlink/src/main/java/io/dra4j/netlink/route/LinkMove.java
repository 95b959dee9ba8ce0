package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.Optional;

/**
 * Moves links to other network namespaces and renames them, so that a refusal leaves them in their
 * namespace. In one message the kernel moves the link first and then renames it ({@code do_setlink}
 * in {@code net/core/rtnetlink.c}). If the new name is in use, the kernel reports EEXIST and leaves
 * the link in the other namespace under its old name, down and without addresses. The name is
 * therefore checked first.
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
   * Moves a link. Afterwards it is switched off, without addresses and routes. If the new name is
   * in use, the link stays unchanged, up and with its addresses. If the name comes into use between
   * the check and the move, the link is brought back, switched off and without addresses. Within
   * one namespace the link is switched off and renamed; a link that has the name already stays
   * unchanged.
   *
   * @param from the namespace that the link is in
   * @param link the link, its name or its index
   * @param to the namespace to move it to
   * @param name its name there, at most 15 bytes
   * @return the link in that namespace
   * @throws NetlinkException if the kernel refuses; the link is in its namespace under its old
   *     name; {@link NetlinkException.Exists} if there is a link of that name, or of that
   *     alternative name, in the other namespace; the message has that link; {@link
   *     NetlinkException.NotFound} if there is no such link. If the conversation fails, the link
   *     may be in either namespace; {@link Throwable#getSuppressed} has the reasons why it could
   *     not be brought back
   * @throws IOException if a namespace cannot be entered; the link has not moved
   * @throws IllegalArgumentException if it is not a valid name of a link
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

  /** Brings the link back by its old name, which it kept; the index may have changed. */
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
