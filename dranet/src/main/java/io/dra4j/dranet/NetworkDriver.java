package io.dra4j.dranet;

import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Device;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.util.List;
import java.util.Map;

/**
 * Offers the network devices of a host, attaches them to pods and returns them. Names, attributes
 * and configuration are compatible with existing manifests for {@code dra.net}.
 *
 * <pre>{@code
 * try (NetworkDriver driver = NetworkDriver.builder().build();
 *     DriverRuntime runtime = DriverRuntime.builder().driver(driver).store(path).build()) {
 *   runtime.start();
 * }
 * }</pre>
 *
 * <p>The network namespace of a pod stays open from attach to detach, so that a late detach still
 * finds it. {@link #detach} returns links to the host; {@link #settle} restores their settings
 * later. Thread-safe.
 */
public final class NetworkDriver implements PreparingDriver, AutoCloseable {

  /** The driver name that existing manifests use. */
  public static final String NAME = "dra.net";

  private final String name;
  private final NetworkNamespace namespace;
  private final NetworkDiscovery discovery;
  private final NetworkPreparation preparation;
  private final NetworkAttachments attachments;

  NetworkDriver(NetworkOptions options, NetworkNamespace namespace) {
    this.name = options.name;
    this.namespace = namespace;
    DriverWarnings warnings = new DriverWarnings(name);
    this.discovery = new NetworkDiscovery(options, namespace, warnings::warnOnce);
    Attacher attacher = Attacher.in(namespace, warnings::warn);
    DhcpSteps dhcp = new DhcpSteps(namespace, options.dhcpTime, warnings::warn);
    this.preparation =
        new NetworkPreparation(options, discovery, attacher, dhcp, warnings::warnOnce);
    this.attachments =
        new NetworkAttachments(options.host, namespace, discovery, preparation, attacher);
  }

  /** {@return options of a driver for the network namespace of this process, all with defaults} */
  public static NetworkOptions builder() {
    return new NetworkOptions();
  }

  @Override
  public String name() {
    return name;
  }

  /** Starts the driver. A link change in a pod then makes the runtime read health at once. */
  @Override
  public void start(DriverContext context) {
    attachments.listen(context::changed);
  }

  @Override
  public List<Device> discover(HostInventory inventory) {
    return discovery.discover(inventory);
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    Prepared prepared = preparation.prepare(claim, journal);
    attachments.prepared(new PreparedClaim(claim, prepared));
    return prepared;
  }

  @Override
  public void reserve(PreparedClaim claim) throws DriverException {
    attachments.reserve(claim);
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return attachDevices(claim, sandbox, journal).statuses();
  }

  @Override
  public Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return attachments.attach(claim, sandbox, journal);
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    attachments.detach(claim, sandbox, journal);
  }

  @Override
  public void settle(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    attachments.settle(journal);
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
  public void forget(PreparedClaim claim, List<Step> steps) throws DriverException {
    preparation.forget(steps);
  }

  @Override
  public void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {
    attachments.resume(claim, sandbox);
  }

  @Override
  public void resumeSettling(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    attachments.defer(journal);
  }

  @Override
  public List<DeviceHealth> health(HostInventory inventory) {
    return attachments.health(discovery.offered());
  }

  /**
   * {@return the devices of the last discovery by name, including devices that the filter leaves
   * out; empty before the first discovery}
   */
  public Map<String, NetworkDevice> devices() {
    return discovery.devices();
  }

  /** Closes the namespaces. Attached devices stay attached. */
  @Override
  public void close() {
    attachments.close();
    namespace.close();
  }
}
