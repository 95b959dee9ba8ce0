package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Determines the health of devices, on the host and in pods. A link that is up without a carrier is
 * unhealthy, and so is an RDMA device without an active port.
 */
final class NetworkHealth {

  private NetworkHealth() {}

  /** Returns the health of devices on the host and in pods; attachments in pods take precedence. */
  static List<DeviceHealth> of(
      Collection<NetworkDevice> onHost, List<PodNamespaces.Attachment> inPods) {
    Map<String, DeviceHealth> all = new TreeMap<>();
    for (NetworkDevice one : onHost) {
      String problem =
          one.link() == null ? problem(one.rdma()) : problem(one.link().link(), "on the host");
      if (problem != null) {
        all.put(one.name(), health(one.name(), problem));
      }
    }
    for (PodNamespaces.Attachment one : inPods) {
      for (DeviceHealth device : inPod(one)) {
        all.put(device.device(), device);
      }
    }
    return List.copyOf(all.values());
  }

  private static List<DeviceHealth> inPod(PodNamespaces.Attachment attachment) {
    List<AttachRequest> devices =
        attachment.devices().stream().filter(one -> one.link() != null).toList();
    if (devices.isEmpty()) {
      return List.of();
    }
    String where = "in pod " + attachment.sandbox();
    List<DeviceHealth> all = new ArrayList<>();
    try (NetworkNamespace namespace = attachment.namespace().duplicate();
        RouteNetlink route = RouteNetlink.open(namespace)) {
      List<Link> links = route.links().list(LinkQuery.lean());
      for (AttachRequest one : devices) {
        Optional<Link> link = find(one, links);
        all.add(
            link.isPresent()
                ? health(one.device(), problem(link.get(), where))
                : unknown(one.device(), one.podName() + " is not found " + where));
      }
    } catch (IOException | IllegalStateException e) { // the pod has ended
      devices.forEach(one -> all.add(unknown(one.device(), where + ": " + e.getMessage())));
    }
    return all;
  }

  /** Finds a link by name, or, if the pod renamed it, by hardware that has no other link. */
  private static Optional<Link> find(AttachRequest device, List<Link> links) {
    for (Link one : links) {
      if (one.name().equals(device.podName())) {
        return Optional.of(one);
      }
    }
    List<Link> same =
        links.stream()
            .filter(one -> !one.parentDevice().isEmpty())
            .filter(one -> AttachRequest.identityOf(one).equals(device.identity()))
            .toList();
    return same.size() == 1 ? Optional.of(same.get(0)) : Optional.empty();
  }

  private static DeviceHealth health(String device, String problem) {
    return problem.isEmpty()
        ? DeviceHealth.healthy(device)
        : DeviceHealth.unhealthy(device, problem);
  }

  private static DeviceHealth unknown(String device, String message) {
    return new DeviceHealth(device, DeviceHealth.Status.UNKNOWN, message);
  }

  private static String problem(Link link, String where) {
    if (!link.isUp() || link.hasCarrier()) {
      return "";
    }
    return link.name()
        + (where.equals("on the host") ? "" : " " + where)
        + " is up but has no carrier";
  }

  /** Returns the problem of a device without interface; null if none or its ports are unknown. */
  private static @Nullable String problem(@Nullable RdmaDevice rdma) {
    if (rdma == null || rdma.ports().isEmpty()) {
      return null;
    }
    for (RdmaPort port : rdma.ports()) {
      if (port.isActive()) {
        return "";
      }
    }
    RdmaPort first = rdma.ports().get(0);
    return "no port of "
        + rdma.name()
        + " is active: port "
        + first.number()
        + " is "
        + first.state();
  }
}
