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
 * Brings the devices of prepared claims into pods and home again, and knows which claim has a pod's
 * namespace open. {@link Attacher} takes the steps. Thread-safe.
 */
final class NetworkAttachments implements AutoCloseable {

  private final Host host;
  private final NetworkNamespace namespace;
  private final NetworkDiscovery discovery;
  private final NetworkPreparation preparation;
  private final Attacher attacher;
  private final PodNamespaces pods = new PodNamespaces();

  /**
   * Makes what attaches.
   *
   * @param namespace that of the host; it is not closed here
   */
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
   * Takes note that a claim is prepared, which no other claim with one of its devices is any more:
   * what such a one has in a pod was forgotten by an operator.
   */
  void prepared(PreparedClaim claim) throws DriverException {
    for (AttachRequest one : requests(claim)) {
      if (one.link() != null) {
        pods.endAll(one.link());
      }
    }
  }

  /** As {@link io.dra4j.spi.PreparingDriver#attachDevices}. */
  Attached attach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    List<AttachRequest> requests = requests(claim);
    boolean moves = false;
    for (AttachRequest one : requests) {
      Optional<Sandbox> holder =
          one.link() == null ? Optional.empty() : pods.holder(one.link(), sandbox);
      if (holder.isPresent()) {
        throw DriverException.unavailable(
                one.link() + " is in sandbox " + holder.get() + ": it can be in one pod only")
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
          "sandbox " + sandbox + " is in the network namespace of the host: nothing can be moved");
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
   * Brings the devices home; what restores them stays in the journal. One that cannot come home
   * keeps no other in the pod: its steps, and those before them, stay and are undone once more.
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

  /** Makes the devices what they were. */
  void settle(Journal journal) throws DriverException {
    boolean otherBoot = journal.isOfOtherBoot();
    defer(journal);
    journal.undo(step -> attacher.undo(step, null, otherBoot));
  }

  /** Notes what the devices were, for an attach that comes before they are restored. */
  void defer(Journal journal) throws DriverException {
    for (Step one : journal.steps()) {
      attacher.defer(one);
    }
  }

  /** Opens the namespace of a pod that has devices from an earlier process. */
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

  /** The health of devices of the host, and of those that are in pods. */
  List<DeviceHealth> health(Collection<NetworkDevice> onHost) {
    return NetworkHealth.of(onHost, pods.attachments());
  }

  /** Closes the namespaces of pods. What is attached stays so. */
  @Override
  public void close() {
    pods.close();
  }
}
