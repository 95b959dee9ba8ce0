package io.dra4j.runtime;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.model.Condition;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.publish.DevicePool;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs drivers on this host, in this process. It reads the host after changes and keeps the offers
 * of the drivers as ResourceSlices. It prepares claims and attaches them to sandboxes, each as a
 * transaction that is undone after a failure or a crash. Without a cluster, it can also allocate
 * claims on this host.
 *
 * <pre>{@code
 * try (DriverRuntime runtime =
 *     DriverRuntime.builder().driver(new FpgaDriver()).store(path).selectors(CelSelectors.create()).build()) {
 *   runtime.start();
 *   runtime.allocate(claim);
 *   runtime.prepare(allocatedClaim);
 *   runtime.attach(uid, Sandbox.of(Path.of("/run/netns/pod")));
 *   …
 *   runtime.release(uid);   // detaches, unprepares, and gives the devices back
 * }
 * }</pre>
 *
 * <p>A claim that a scheduler has allocated is not allocated here: its life is from {@code prepare}
 * to {@code unprepare}.
 *
 * <p>All calls are idempotent: a call whose work is done already returns the result from the store,
 * and undoing an unknown claim does nothing. When the runtime is closed, claims stay prepared and
 * attached; the next process with the same store resumes them. Thread-safe.
 */
public final class DriverRuntime
    implements ClaimService, PoolService, AllocationService, AutoCloseable {

  private final RuntimeParts parts;
  private final RuntimeLifecycle lifecycle;

  /** Creates a runtime with a store, or with the reason why this process must wait for it. */
  DriverRuntime(RuntimeOptions options, @Nullable ClaimStore store, String why)
      throws StoreException {
    this.parts = new RuntimeParts(options);
    this.lifecycle = new RuntimeLifecycle(options, parts, store, why);
  }

  /** {@return options for this host, from which {@link RuntimeOptions#build} creates a runtime} */
  public static RuntimeOptions builder() {
    return new RuntimeOptions();
  }

  /**
   * Starts the runtime: undoes unfinished work of an earlier process, discovers the devices, and
   * starts to watch the host. When this method returns, the runtime serves claims. A failure to
   * undo work does not prevent the start: it is retried, and {@link #health} reports it.
   *
   * <p>A runtime on {@linkplain RuntimeOptions#standby standby} discovers the devices and is ready,
   * but refuses claims until the other process releases the store.
   *
   * @throws IllegalStateException if the runtime was started already, or is closed
   */
  public void start() {
    lifecycle.start();
  }

  @Override
  public String node() {
    return parts.offered.node();
  }

  @Override
  public Set<String> drivers() {
    return parts.offered.drivers();
  }

  @Override
  public Map<String, DevicePool> pools(String driver) {
    return parts.offered.pools(driver);
  }

  @Override
  public List<ResourceSlice> slices() {
    return parts.offered.slices();
  }

  @Override
  public Map<String, List<DeviceHealth>> deviceHealth() {
    return parts.offered.deviceHealth();
  }

  @Override
  public void addListener(SliceListener listener) {
    parts.offered.addListener(listener);
  }

  @Override
  public void addPoolListener(PoolListener listener) {
    parts.offered.addPoolListener(listener);
  }

  @Override
  public void removePoolListener(PoolListener listener) {
    parts.offered.removePoolListener(listener);
  }

  @Override
  public void addHealthListener(HealthListener listener) {
    parts.offered.addHealthListener(listener);
  }

  @Override
  public void removeHealthListener(HealthListener listener) {
    parts.offered.removeHealthListener(listener);
  }

  /**
   * Reads the host now instead of after the next change.
   *
   * @param wait the longest wait for the answers of the drivers
   * @return whether the host could be read and the drivers answered in time
   * @throws InterruptedException if the calling thread is interrupted while it waits
   */
  public boolean rescan(Duration wait) throws InterruptedException {
    return parts.discovery.scanNow(Objects.requireNonNull(wait, "wait"));
  }

  @Override
  public AllocationOutcome allocate(ResourceClaim claim) throws ClaimException {
    return parts.local.allocate(claim);
  }

  @Override
  public List<ResourceClaim> allocated() {
    return parts.local.allocated();
  }

  @Override
  public void release(String uid) throws ClaimException {
    parts.local.release(uid);
  }

  @Override
  public List<PreparedDevice> prepare(ResourceClaim claim) throws ClaimException {
    return parts.claims.prepare(claim);
  }

  @Override
  public List<PreparedDevice> prepare(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    return parts.claims.prepare(claim, driver, deadline);
  }

  @Override
  public void reserve(String uid, List<ResourceClaimConsumerReference> reservedFor)
      throws ClaimException {
    parts.claims.reserve(uid, reservedFor);
  }

  @Override
  public List<Condition> bind(ResourceClaim claim, String driver, Deadline deadline)
      throws ClaimException {
    return parts.claims.bind(claim, driver, deadline);
  }

  @Override
  public Attached attach(String uid, Sandbox sandbox, Deadline deadline) throws ClaimException {
    return parts.claims.attach(uid, sandbox, deadline);
  }

  @Override
  public void detach(String uid, String sandboxId, Deadline deadline) throws ClaimException {
    parts.claims.detach(uid, sandboxId, deadline);
  }

  @Override
  public Synchronization synchronize(List<Sandbox> sandboxes) {
    return parts.claims.synchronize(sandboxes);
  }

  @Override
  public void unprepare(String uid) throws ClaimException {
    parts.claims.unprepare(uid);
  }

  @Override
  public void unprepare(String uid, String driver, Deadline deadline) throws ClaimException {
    parts.claims.unprepare(uid, driver, deadline);
  }

  @Override
  public void forget(String uid, String driver) throws ClaimException {
    parts.claims.forget(uid, driver);
  }

  @Override
  public List<StoredClaim> claims() {
    return parts.claims.claims();
  }

  @Override
  public Optional<StoredClaim> find(String uid, String driver) {
    return parts.claims.find(uid, driver);
  }

  @Override
  public boolean isPrepared(StoredClaim claim) {
    return parts.claims.isPrepared(claim);
  }

  @Override
  public boolean hasAttach() {
    return parts.claims.hasAttach();
  }

  @Override
  public boolean isAttachNeeded(StoredClaim claim) {
    return parts.claims.isAttachNeeded(claim);
  }

  @Override
  public ContainerEdits editsFor(String uid, @Nullable String request, String sandboxId) {
    return parts.claims.editsFor(uid, request, sandboxId);
  }

  @Override
  public void addClaimListener(ClaimListener listener) {
    parts.claims.addClaimListener(listener);
  }

  @Override
  public void removeClaimListener(ClaimListener listener) {
    parts.claims.removeClaimListener(listener);
  }

  /**
   * {@return whether the runtime is live and ready, and its problems} This calls no driver: it
   * reports problems that occurred during normal work, such as a failed write of the store.
   */
  public RuntimeHealth health() {
    return parts.report.health();
  }

  /**
   * Adds another part of the program, such as a {@code NodeAgent}, to {@link #health} and the
   * probes. The runtime is then live and ready only if that part is.
   *
   * @param part returns the health of the part, with problems that do not name claims. It is called
   *     for each probe, and must not block or throw
   */
  public void addHealth(Supplier<RuntimeHealth> part) {
    parts.report.add(Objects.requireNonNull(part, "part"));
  }

  /**
   * Removes a part from {@link #health}.
   *
   * @param part the supplier that was added
   */
  public void removeHealth(Supplier<RuntimeHealth> part) {
    parts.report.remove(Objects.requireNonNull(part, "part"));
  }

  /**
   * {@return the registry of {@link RuntimeOptions#metrics}, or the registry of {@code /metrics}} A
   * program can add its own metrics to it.
   */
  public MeterRegistry metrics() {
    return parts.gauges.registry();
  }

  /**
   * Serves {@code /metrics}, {@code /healthz} and {@code /readyz} until the runtime is closed. They
   * report how many claims have problems, without names of claims.
   *
   * @param address the address to listen on; port 0 selects a free port
   * @return the address on which it listens
   * @throws IOException if it cannot listen on the address
   * @throws IllegalStateException if it serves already, or is closed
   */
  public InetSocketAddress serve(InetSocketAddress address) throws IOException {
    return lifecycle.serve(Objects.requireNonNull(address, "address"));
  }

  /**
   * Stops the runtime. It refuses new calls, waits for running calls as long as {@link
   * RuntimeOptions#stopLimit} allows, interrupts the remaining ones, stops watching, and closes the
   * store. Claims stay prepared and attached. If a driver's call is still running, the store stays
   * in use until that call or the process ends. So no other process can undo its work at the same
   * time. A second call does nothing.
   */
  @Override
  public void close() {
    lifecycle.close();
  }
}
