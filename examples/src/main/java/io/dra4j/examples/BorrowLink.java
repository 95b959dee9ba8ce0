package io.dra4j.examples;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.route.LinkMove;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.netlink.state.Obstacle;
import io.dra4j.netlink.state.Restoration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Lends a link of a host to a pod, and restores it on the host. */
public final class BorrowLink {

  private BorrowLink() {}

  /**
   * Lends a link to a pod and restores it.
   *
   * @param host the namespace of the link
   * @param pod the namespace to which it moves
   * @param store a file that survives a crash of the driver
   * @return the differences that could not be restored
   * @throws IOException if the kernel refuses, or the link has an obstacle
   */
  public static Restoration borrow(NetworkNamespace host, NetworkNamespace pod, Path store)
      throws IOException {
    // README: begin
    LinkState before = LinkState.capture(host, "eth0");
    for (Obstacle one : before.obstacles()) { // things that it shares with others would be lost
      throw new IOException(one.text());
    }
    Files.writeString(store, before.toText());
    LinkMove.move(host, LinkKey.of("eth0"), pod, "net1");
    // The pod runs; the driver may be restarted meanwhile.
    LinkState stored = LinkState.parse(Files.readString(store));
    stored.home(pod, LinkKey.of("net1"), host);
    Restoration restoration = stored.restore(host, "eth0");
    restoration.left().forEach(System.err::println);
    // README: end
    return restoration;
  }

  /**
   * Renames a link, changes it and moves it, in one message.
   *
   * @param route the namespace of the link
   * @param link the link
   * @param pod the namespace to which it moves
   * @throws IOException if the kernel refuses
   */
  public static void lend(RouteNetlink route, LinkKey link, NetworkNamespace pod)
      throws IOException {
    // README: begin
    route.links().change(link, LinkSettings.none().name("net1").mtu(9000).namespace(pod));
    // README: end
  }
}
