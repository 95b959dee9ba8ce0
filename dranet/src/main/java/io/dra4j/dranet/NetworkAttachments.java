package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.attach.AttachedLink;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceId;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.Journal;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attaches the devices of prepared claims to pods and returns them to the host. Holds the open
 * namespaces of the pods by claim. {@link Attacher} executes the steps. Thread-safe.
 */
final class NetworkAttachments implements AutoCloseable {

  private final Host host;
  private final NetworkNamespace namespace;
  private final NetworkDiscovery discovery;
  private final NetworkPreparation preparation;
  private final Attacher attacher;
  private final PodNamespaces pods = new PodNamespaces();

  /** Creates the attachments of a host, whose {@code namespace} this class does not close. */
  NetworkAttachments(
      Host host,
      NetworkNamespace namespace,
      NetworkDiscovery discovery,
      NetworkPreparation preparation,
      Attacher attacher) {
    this.host = host;
    this.namespace = namespace;
    this.discovery = discovery;
    this.preparation = preparation;
    this.attacher = attacher;
  }

  /** Reports from now on when a link of a claim changes in its pod. */
  void listen(Consumer<String> changed) {
    pods.listen(changed);
  }

  /**
   * Records that a claim is prepared. No other claim can be prepared with one of its devices, so an
   * open attachment of such a device belongs to a claim that an operator has removed; it ends here.
   */
  void prepared(PreparedClaim claim) throws DriverException {
    for (AttachRequest one : requests(claim)) {
      if (one.link() != null) {
        pods.endAll(one.link());
      }
    }
  }

  /** Implements {@link io.dra4j.spi.PreparingDriver#attachDevices}. */
  Attached attach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    List<AttachRequest> requests = requests(claim);
    boolean moves = false;
    for (AttachRequest one : requests) {
      Optional<Sandbox> holder =
          one.link() == null ? Optional.empty() : pods.holder(one.link(), sandbox);
      if (holder.isPresent()) {
        throw DriverException.unavailable(
                one.link()
                    + " is in sandbox "
                    + holder.get()
                    + ": it can be in only one pod at a time")
            .forDevice(one.device());
      }
      moves |= attacher.moves(one);
    }
    return moves
        ? move(claim, sandbox, requests, journal)
        : answer(
            claim,
            requests,
            requests.stream()
                .map(one -> new AttachedLink(one.device(), "", "", List.of(), false))
                .toList());
  }

  private Attached move(
      PreparedClaim claim, Sandbox sandbox, List<AttachRequest> requests, Journal journal)
      throws DriverException {
    NetworkNamespace pod = PodNamespaces.open(sandbox);
    if (pod.id().equals(namespace.id())) {
      pod.close();
      throw DriverException.invalid(
          "sandbox "
              + sandbox
              + " uses the host's network namespace, so devices cannot be moved into it");
    }
    pods.keep(claim, sandbox, pod, requests);
    List<AttachedLink> attached = attacher.attach(requests, pod, journal);
    pods.watch(claim, sandbox);
    return answer(claim, requests, attached);
  }

  private static List<AttachRequest> requests(PreparedClaim claim) throws DriverException {
    List<AttachRequest> requests = new ArrayList<>();
    for (PreparedDevice one : claim.prepared().devices()) {
      try {
        requests.add(AttachRequest.parse(one.state()));
      } catch (IllegalArgumentException e) {
        throw DriverException.failed(String.valueOf(e.getMessage()), e)
            .forDevice(one.device().device());
      }
    }
    return requests;
  }

  private Attached answer(
      PreparedClaim claim, List<AttachRequest> requests, List<AttachedLink> attached) {
    Map<String, NetworkDevice> devices = discovery.devices();
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    Map<DeviceId, ContainerEdits> edits = new LinkedHashMap<>();
    for (int i = 0; i < attached.size(); i++) {
      PreparedDevice prepared = claim.prepared().devices().get(i);
      boolean hasRdma = requests.get(i).rdmaDevice() != null;
      statuses.add(
          DeviceStatus.of(prepared.device(), attached.get(i), hasRdma, host.clock().instant()));
      NetworkDevice device = devices.get(requests.get(i).device());
      if (attached.get(i).rdmaMoved() && device != null) { // the kernel may renumber its files
        ContainerEdits renumbered = preparation.edits(device.name(), device.rdma());
        if (!renumbered.equals(prepared.edits()) && !renumbered.equals(ContainerEdits.NONE)) {
          edits.put(prepared.device(), renumbered);
        }
      }
    }
    return new Attached(statuses, edits);
  }

  /** Refuses a second pod for devices that move. */
  void reserve(PreparedClaim claim) throws DriverException {
    for (AttachRequest one : requests(claim)) {
      preparation.refuseSeveralPods(claim.claimed().reservedFor(), one);
    }
  }

  /**
   * Returns the devices to the host. The steps that restore their settings stay in the journal. If
   * one device cannot return, the others still do; its steps and all earlier steps stay in the
   * journal and are undone again later.
   */
  void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    NetworkNamespace pod = pods.find(claim, sandbox);
    boolean otherBoot = journal.isOfOtherBoot();
    List<Step> steps = journal.steps();
    DriverException failure = null;
    int left = steps.size();
    while (left > 0 && !Attacher.restores(steps.get(left - 1))) {
      left--;
      try {
        attacher.undo(steps.get(left), pod, otherBoot);
      } catch (DriverException e) {
        failure = joined(failure, e);
      }
      if (failure == null) {
        journal.keep(left);
      }
    }
    if (failure != null) {
      throw failure;
    }
    for (Step one : steps.subList(0, left)) {
      attacher.defer(one);
    }
    pods.end(claim, sandbox);
  }

  static DriverException joined(@Nullable DriverException first, DriverException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  /** Restores the original settings of the devices. */
  void settle(Journal journal) throws DriverException {
    boolean otherBoot = journal.isOfOtherBoot();
    defer(journal);
    journal.undo(step -> attacher.undo(step, null, otherBoot));
  }

  /**
   * Notes the original settings of the devices, for an attach that starts before they are restored.
   */
  void defer(Journal journal) throws DriverException {
    for (Step one : journal.steps()) {
      attacher.defer(one);
    }
  }

  /** Opens the namespace of a pod to which an earlier process attached devices. */
  void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {
    List<AttachRequest> requests = requests(claim);
    for (AttachRequest one : requests) {
      if (attacher.moves(one)) {
        pods.keep(claim, sandbox, PodNamespaces.open(sandbox), requests);
        pods.watch(claim, sandbox);
        return;
      }
    }
  }

  /** Returns the health of the devices on the host and in pods. */
  List<DeviceHealth> health(Collection<NetworkDevice> onHost) {
    return NetworkHealth.of(onHost, pods.attachments());
  }

  /** Closes the namespaces of pods. Attached devices stay attached. */
  @Override
  public void close() {
    pods.close();
  }
}
