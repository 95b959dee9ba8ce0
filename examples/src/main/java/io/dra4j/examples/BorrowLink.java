package io.dra4j.examples;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.netlink.state.Restoration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Lends a link of a host to a pod, and brings it back as it was. */
public final class BorrowLink {

  private BorrowLink() {}

  /**
   * Lends and brings back.
   *
   * @param host the namespace that the link is in
   * @param pod the namespace that it goes to
   * @param store a file that survives a crash of the driver
   * @return what could not be made as it was
   * @throws IOException if the kernel refuses
   */
  public static Restoration borrow(NetworkNamespace host, NetworkNamespace pod, Path store)
      throws IOException {
    // README: begin
    Files.writeString(store, LinkState.capture(host, "eth0").toText());
    try (RouteNetlink route = RouteNetlink.open(host)) {
      route
          .links()
          .change(
              route.links().get("eth0").index(),
              LinkSettings.none().down().name("net1").mtu(9000).namespace(pod));
    }
    // The pod runs; the driver may be restarted meanwhile.
    try (RouteNetlink route = RouteNetlink.open(pod)) {
      route
          .links()
          .change(
              route.links().get("net1").index(),
              LinkSettings.none().down().name("eth0").namespace(host));
    }
    Restoration restoration = LinkState.parse(Files.readString(store)).restore(host, "eth0");
    restoration.left().forEach(System.err::println);
    // README: end
    return restoration;
  }
}
