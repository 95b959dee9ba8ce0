package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.attach.AttachedLink;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the network devices of a host and brings them into pods and back: names, attributes and
 * configuration are those of the manifests in use for {@code dra.net}.
 *
 * <pre>{@code
 * try (NetworkDriver driver = NetworkDriver.builder().build();
 *     DriverRuntime runtime = DriverRuntime.builder().driver(driver).store(path).build()) {
 *   runtime.start();
 * }
 * }</pre>
 *
 * <p>The network namespace of a pod stays open from attach to detach, so that a late stop finds it.
 * {@link #detach} brings links home, and leaves it to {@link #settle} to make them what they were.
 * Thread-safe.
 */
public final class NetworkDriver implements PreparingDriver, AutoCloseable {

  /** The name that manifests in use expect. */
  public static final String NAME = "dra.net";

  private static final Logger LOG = LoggerFactory.getLogger(NetworkDriver.class);
  private static final int MAX_WARNINGS = 1_000;

  private final String name;
  private final Host host;
  private final NetworkNamespace namespace;
  private final NetworkDiscovery discovery;
  private final NetworkPreparation preparation;
  private final Attacher attacher;
  private final PodNamespaces pods = new PodNamespaces();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  NetworkDriver(NetworkOptions options, NetworkNamespace namespace) {
    this.name = options.name;
    this.host = options.host;
    this.namespace = namespace;
    this.discovery = new NetworkDiscovery(options, namespace, this::warnOnce);
    this.attacher = Attacher.in(namespace, this::warn);
    DhcpSteps dhcp = new DhcpSteps(namespace, options.dhcpTime, this::warn);
    this.preparation = new NetworkPreparation(options, discovery, attacher, dhcp, this::warnOnce);
  }

  /**
   * Starts a driver of the network namespace of this process.
   *
   * @return the options, all of which have defaults
   */
  public static NetworkOptions builder() {
    return new NetworkOptions();
  }

  private void warn(String text) {
    LOG.warn("{}: {}", name, text);
  }

  private void warnOnce(String text) {
    if (warned.size() < MAX_WARNINGS && warned.add(text)) {
      warn(text);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Device> discover(HostInventory inventory) {
    return discovery.discover(inventory);
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    return preparation.prepare(claim, journal);
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return attachDevices(claim, sandbox, journal).statuses();
  }

  @Override
  public Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
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
    return answer(claim, requests, attacher.attach(requests, pod, journal));
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
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    Map<DeviceId, ContainerEdits> edits = new LinkedHashMap<>();
    for (int i = 0; i < attached.size(); i++) {
      PreparedDevice prepared = claim.prepared().devices().get(i);
      boolean hasRdma = requests.get(i).rdmaDevice() != null;
      statuses.add(
          DeviceStatus.of(prepared.device(), attached.get(i), hasRdma, host.clock().instant()));
      NetworkDevice device = devices().get(requests.get(i).device());
      if (attached.get(i).rdmaMoved() && device != null) { // the kernel may renumber its files
        ContainerEdits now = preparation.edits(device.name(), device.rdma());
        if (!now.equals(prepared.edits()) && !now.equals(ContainerEdits.NONE)) {
          edits.put(prepared.device(), now);
        }
      }
    }
    return new Attached(statuses, edits);
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    NetworkNamespace pod = pods.find(claim, sandbox);
    boolean otherBoot = journal.isOfOtherBoot();
    List<Step> steps = journal.steps();
    int left = steps.size();
    while (left > 0 && !Attacher.restores(steps.get(left - 1))) {
      attacher.undo(steps.get(left - 1), pod, otherBoot);
      left--;
      journal.keep(left);
    }
    for (Step one : steps.subList(0, left)) {
      attacher.defer(one);
    }
    pods.end(claim, sandbox);
  }

  @Override
  public void settle(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    boolean otherBoot = journal.isOfOtherBoot();
    for (Step one : journal.steps()) {
      attacher.defer(one);
    }
    journal.undo(step -> attacher.undo(step, null, otherBoot));
  }

  @Override
  public void undo(Step step) throws DriverException {
    preparation.undo(step, false);
  }

  @Override
  public void undoAfterReboot(Step step) throws DriverException {
    preparation.undo(step, true);
  }

  @Override
  public void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {
    List<AttachRequest> requests = requests(claim);
    for (AttachRequest one : requests) {
      if (attacher.moves(one)) {
        pods.keep(claim, sandbox, PodNamespaces.open(sandbox), requests);
        return;
      }
    }
  }

  @Override
  public List<DeviceHealth> health(HostInventory inventory) {
    return NetworkHealth.of(devices().values(), pods.attachments());
  }

  /**
   * Lists what the driver knows of the devices of the last discovery.
   *
   * @return the devices by name, also those that the filter leaves out; empty before the first
   */
  public Map<String, NetworkDevice> devices() {
    NetworkDiscovery.Snapshot now = discovery.newest();
    return now == null ? Map.of() : now.devices();
  }

  /** Closes the namespaces. What is attached stays so. */
  @Override
  public void close() {
    pods.close();
    namespace.close();
  }
}
