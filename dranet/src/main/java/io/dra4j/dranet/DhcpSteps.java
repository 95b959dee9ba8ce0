package io.dra4j.dranet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.dhcp.DhcpClient;
import io.dra4j.dranet.dhcp.Lease;
import io.dra4j.dranet.dhcp.Offer;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Leases addresses for links on the host, as recorded steps: a link that is down is up as long as
 * it takes, and what was leased is given back when the claim ends.
 */
final class DhcpSteps {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UP = "dhcp up";
  private static final String LEASE = "dhcp lease";
  private static final long CARRIER = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_AGAIN = 20; // ms

  private final NetworkNamespace host;
  private final DhcpClient client;
  private final Consumer<String> notices;

  DhcpSteps(NetworkNamespace host, Duration time, Consumer<String> notices) {
    this.host = host;
    this.client = DhcpClient.in(host, time);
    this.notices = notices;
  }

  /**
   * Leases an address for a device that asks for one.
   *
   * @param request the device, with a link
   * @param claimUid the claim that it is for, which gets the same address again
   * @return the request with the address
   */
  AttachRequest lease(AttachRequest request, String claimUid, Journal journal)
      throws DriverException {
    String name = String.valueOf(request.link());
    String who = claimUid + "/" + request.device();
    try (RouteNetlink route = RouteNetlink.open(host)) {
      Link link = route.links().get(name);
      if (!request.identity().isEmpty()
          && !request.identity().equals(AttachRequest.identityOf(link))) {
        throw DriverException.unavailable(
            "network interface " + name + " on the host is another one by now");
      }
      Lease lease;
      if (link.isUp()) {
        lease = ask(request, link, who, journal);
      } else {
        LinkState before = LinkState.capture(host, name);
        journal.record(
            new Step(
                "set " + name + " up to ask a DHCP server",
                text(UP, request, who).put("state", before.toText()).toString()));
        try {
          lease = ask(request, raise(route, link), who, journal);
        } finally {
          before.restore(host, name);
        }
      }
      lease
          .seconds()
          .ifPresent(
              seconds ->
                  notices.accept(
                      "device %s: the DHCP server lends %s for %d s, and nobody renews that"
                          .formatted(request.device(), lease.address(), seconds)));
      return request.withLease(
          lease.in(request.config()), lease.destinations(request.config()));
    } catch (IOException e) {
      throw DriverException.failed("ask a DHCP server on " + name + ": " + e.getMessage(), e);
    }
  }

  private Lease ask(AttachRequest request, Link link, String who, Journal journal)
      throws IOException, DriverException {
    return client.lease(
        link,
        who,
        offer ->
            journal.record(
                new Step(
                    "lease "
                        + offer.address()
                        + " of DHCP server "
                        + offer.server()
                        + " for "
                        + link.name(),
                    text(LEASE, request, who)
                        .put("address", offer.address().toString())
                        .put("server", offer.server().toString())
                        .put("serverLink", offer.serverLink().toString())
                        .toString())));
  }

  /** Up and, if that comes soon, with a signal; without one the questions are lost and repeated. */
  private static Link raise(RouteNetlink route, Link link) throws IOException {
    route.links().change(link, LinkSettings.none().up());
    long end = System.nanoTime() + CARRIER;
    Link now = route.links().get(link.name());
    while (!now.hasCarrier() && System.nanoTime() - end < 0) {
      try {
        Thread.sleep(LOOK_AGAIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return now; // whoever waits for an answer next tells of it
      }
      now = route.links().get(link.name());
    }
    return now;
  }

  private static ObjectNode text(String kind, AttachRequest request, String who) {
    return JSON.createObjectNode()
        .put("version", 1)
        .put("kind", kind)
        .put("device", request.device())
        .put("link", request.link())
        .put("identity", request.identity())
        .put("client", who);
  }

  /**
   * Undoes a step if it is of this class.
   *
   * @return whether it was
   */
  boolean undo(Step step) throws DriverException {
    JsonNode object;
    try {
      object = JSON.readTree(step.undo());
    } catch (JsonProcessingException e) {
      return false;
    }
    String kind = object.path("kind").asText();
    boolean lease = kind.equals(LEASE);
    if (!lease && !kind.equals(UP)) {
      return false;
    }
    String name = object.path("link").asText();
    String identity = object.path("identity").asText();
    try (RouteNetlink route = RouteNetlink.open(host)) {
      Optional<Link> link =
          route
              .links()
              .find(name)
              .filter(one -> identity.isEmpty() || identity.equals(AttachRequest.identityOf(one)));
      if (link.isEmpty()) {
        notices.accept(
            name
                + " is gone from the host; "
                + (lease ? "its lease ends by itself" : "all is well"));
      } else if (lease) {
        release(route, link.get(), object);
      } else {
        LinkState.parse(object.path("state").asText()).restore(host, name);
      }
      return true;
    } catch (IOException | IllegalArgumentException e) {
      throw DriverException.failed("undo '" + step.name() + "': " + e.getMessage(), e);
    }
  }

  private void release(RouteNetlink route, Link link, JsonNode object) throws IOException {
    String who = object.path("client").asText();
    Offer offer =
        new Offer(
            IpAddress.parse(object.path("address").asText()),
            IpAddress.parse(object.path("server").asText()),
            HardwareAddress.parse(object.path("serverLink").asText()));
    if (link.isUp()) {
      client.release(link, who, offer);
      return;
    }
    LinkState before = LinkState.capture(host, link.name());
    try {
      client.release(raise(route, link), who, offer);
    } finally {
      before.restore(host, link.name());
    }
  }
}
