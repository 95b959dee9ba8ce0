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
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Leases addresses for links on the host, as recorded steps. A link that is down is up only for the
 * exchange. Leases are released when the claim ends.
 */
final class DhcpSteps {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UP = "dhcp up";
  private static final String LEASE = "dhcp lease";
  private static final Duration CARRIER = Duration.ofSeconds(2);

  private final NetworkNamespace host;
  private final DhcpClient client;
  private final Consumer<String> notices;

  DhcpSteps(NetworkNamespace host, Duration time, Consumer<String> notices) {
    this.host = host;
    this.client = DhcpClient.in(host, time);
    this.notices = notices;
  }

  /** A device that needs a lease. */
  private record Asking(int place, AttachRequest request, String client, Link link) {}

  /**
   * Leases addresses for all devices whose configuration requires DHCP, in parallel.
   *
   * @param claimUid the UID of the claim, which gets the same addresses again
   * @return the devices; those with DHCP have their addresses
   */
  List<AttachRequest> lease(List<AttachRequest> requests, String claimUid, Journal journal)
      throws DriverException {
    List<Asking> all = new ArrayList<>();
    Map<String, LinkState> before = new LinkedHashMap<>();
    List<Step> steps = new ArrayList<>();
    try (RouteNetlink route = RouteNetlink.open(host)) {
      for (int i = 0; i < requests.size(); i++) {
        AttachRequest request = requests.get(i);
        String name = request.link();
        if (name != null && request.config().link().asksDhcp()) {
          checkConfiguration(request);
          String client = claimUid + "/" + request.device();
          Link link = find(route, request, name);
          all.add(new Asking(i, request, client, link));
          if (!link.isUp()) {
            LinkState state = LinkState.capture(host, name);
            before.put(name, state);
            steps.add(
                new Step(
                    "set " + name + " up to ask a DHCP server",
                    text(UP, request, client).put("state", state.toText()).toString()));
          }
        }
      }
      if (!steps.isEmpty()) {
        journal.record(steps);
      }
      for (String name : before.keySet()) {
        route.links().change(LinkKey.of(name), LinkSettings.none().up());
      }
      return all.isEmpty() ? requests : ask(requests, all, journal);
    } catch (IOException e) {
      throw DriverException.failed("ask DHCP servers: " + e.getMessage(), e);
    } finally {
      for (Map.Entry<String, LinkState> one : before.entrySet()) {
        restore(one.getKey(), one.getValue());
      }
    }
  }

  /** Restores a link. If that fails, the journal has the step, which is undone later. */
  private void restore(String name, LinkState before) {
    try {
      before.restore(host, name);
    } catch (IOException e) {
      notices.accept(name + " cannot be set down again after DHCP: " + e.getMessage());
    }
  }

  private static void checkConfiguration(AttachRequest request) throws DriverException {
    List<ConfigurationProblem> problems = request.config().problems();
    if (!problems.isEmpty()) { // before any server is asked
      throw new ConfigurationException(problems).forDevice(request.device());
    }
  }

  private static Link find(RouteNetlink route, AttachRequest request, String name)
      throws IOException, DriverException {
    Optional<Link> link = route.links().find(name);
    if (link.isEmpty()
        || (!request.identity().isEmpty()
            && !request.identity().equals(AttachRequest.identityOf(link.get())))) {
      throw DriverException.unavailable(
              "network interface "
                  + name
                  + " on the host "
                  + (link.isEmpty() ? "no longer exists" : "was replaced since it was allocated"))
          .forDevice(request.device());
    }
    return link.get();
  }

  private List<AttachRequest> ask(List<AttachRequest> requests, List<Asking> all, Journal journal)
      throws DriverException {
    List<ParallelCalls.Call<AttachRequest>> calls = new ArrayList<>();
    for (Asking one : all) {
      calls.add(
          caller -> {
            try {
              return leased(one, step -> caller.run(() -> journal.record(step)));
            } catch (IOException e) {
              throw DriverException.failed(
                      "ask a DHCP server on " + one.link.name() + ": " + e.getMessage(), e)
                  .forDevice(one.request.device());
            } catch (DriverException e) {
              throw e.device() == null ? e.forDevice(one.request.device()) : e;
            }
          });
    }
    List<AttachRequest> leased = ParallelCalls.run("dra4j dhcp", calls);
    List<AttachRequest> answer = new ArrayList<>(requests);
    for (int i = 0; i < all.size(); i++) {
      answer.set(all.get(i).place, leased.get(i));
    }
    return answer;
  }

  /** Records a step on the thread that owns the journal. */
  private interface Recorder {
    void record(Step step) throws DriverException;
  }

  private AttachRequest leased(Asking one, Recorder recorder) throws IOException, DriverException {
    AttachRequest request = one.request;
    Link link = one.link.isUp() ? one.link : awaitCarrier(one.link.name());
    Lease lease = ask(request, link, one.client, recorder);
    lease
        .seconds()
        .ifPresent(
            seconds ->
                notices.accept(
                    ("device %s: the DHCP server leases %s for %d s only; the driver does"
                            + " not renew leases")
                        .formatted(request.device(), lease.address(), seconds)));
    return request.withLease(lease.in(request.config()), lease.destinations(request.config()));
  }

  private Lease ask(AttachRequest request, Link link, String who, Recorder recorder)
      throws IOException, DriverException {
    return client.lease(
        link,
        who,
        offer ->
            recorder.record(
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

  /** Waits for the carrier, for 2 seconds at most: without it, requests are lost and repeated. */
  private Link awaitCarrier(String name) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(host)) {
      return route.links().awaitCarrier(LinkKey.of(name), CARRIER);
    }
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
   * Undoes a step. Returns false if this class did not record it.
   *
   * @param otherBoot whether the host was restarted since; the link is then left as it is
   */
  boolean undo(Step step, boolean otherBoot) throws DriverException {
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
                + " no longer exists on the host; "
                + (lease ? "its lease expires on the server" : "nothing is left to do"));
      } else if (otherBoot && !(lease && link.get().isUp())) {
        notices.accept(
            name
                + " is left as it is because the host was restarted"
                + (lease ? "; its lease expires on the server" : ""));
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
      route.links().change(link, LinkSettings.none().up());
      client.release(awaitCarrier(link.name()), who, offer);
    } finally {
      before.restore(host, link.name());
    }
  }
}
