package io.dra4j.examples;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkCache;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.time.Duration;

/** Lists the links of this network namespace, then prints their changes for a while. */
public final class FollowLinks {

  private FollowLinks() {}

  /**
   * Lists the links and follows their changes.
   *
   * @param limit the time to follow them
   * @throws IOException if the kernel refuses
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public static void follow(Duration limit) throws IOException, InterruptedException {
    // README: begin
    try (RouteNetlink route = RouteNetlink.open()) {
      for (Link link : route.links().list()) {
        System.out.println(
            link.index()
                + " "
                + link.name()
                + " "
                + link.operationalState()
                + " mtu "
                + link.mtu());
      }
    }
    try (LinkCache cache = LinkCache.follow()) {
      cache.listen(
          (before, after) -> {
            for (Link link : after.links()) {
              if (before.find(link.index()).isEmpty()) {
                System.out.println("new: " + link);
              }
            }
          });
      Thread.sleep(limit.toMillis());
    }
    // README: end
  }
}
