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
 * Runs drivers on this host, in this process. It reads the host when something changes and keeps
 * what the drivers offer as ResourceSlices; it prepares claims and attaches them to sandboxes, each
 * as a transaction that is undone when it fails, and after a crash; and it allocates claims on this
 * host by itself where there is no cluster.
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
 * <p>A claim that a scheduler has allocated is not allocated here: it goes from {@code prepare} to
 * {@code unprepare}.
 *
 * <p>Every call may be repeated: what is done already is answered from the store, what is unknown
 * is nothing to take back. When the runtime is closed, claims stay prepared and attached; the next
 * process with the same store goes on with them. Thread-safe.
 */
public final class DriverRuntime
    implements ClaimService, PoolService, AllocationService, AutoCloseable {

  private final RuntimeParts parts;
  private final RuntimeLifecycle lifecycle;

  /** With a store, or with the reason why this process has to wait for it. */
  DriverRuntime(RuntimeOptions options, @Nullable ClaimStore store, String why)
      throws StoreException {
    this.parts = new RuntimeParts(options);
    this.lifecycle = new RuntimeLifecycle(options, parts, store, why);
  }

  /**
   * Starts a runtime for this host.
   *
   * @return the options, of which {@link RuntimeOptions#build} makes the runtime
   */
  public static RuntimeOptions builder() {
    return new RuntimeOptions();
  }

  /**
   * Takes back what an earlier process began and did not end, discovers the devices, and begins to
   * watch the host. When this returns, the runtime serves claims. What could not be taken back does
   * not keep it from starting: it is tried again, and {@link #health} reports it.
   *
   * <p>A runtime that {@linkplain RuntimeOptions#standby stands by} discovers the devices and is
   * ready; claims are refused until the other process lets go of the store.
   *
   * @throws IllegalStateException if the runtime was started before, or is closed
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
   * Reads the host now, rather than when something changes.
   *
   * @param wait how long to wait for the answers of the drivers at most
   * @return whether the host could be read, and they came in time
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
   * Reports how the runtime is. It calls no driver: the work itself notices what is reported, such
   * as a store whose last write failed.
   *
   * @return whether it is live and ready, and what is wrong
   */
  public RuntimeHealth health() {
    return parts.report.health();
  }

  /**
   * Adds a part beside the runtime to {@link #health} and the probes, such as a {@code NodeAgent}:
   * the runtime is live and ready only if the part is.
   *
   * @param part says how the part is, with problems that name no claims. It is called for each
   *     probe, does not block and does not throw
   */
  public void addHealth(Supplier<RuntimeHealth> part) {
    parts.report.add(Objects.requireNonNull(part, "part"));
  }

  /**
   * Removes a part from {@link #health}.
   *
   * @param part what was added
   */
  public void removeHealth(Supplier<RuntimeHealth> part) {
    parts.report.remove(Objects.requireNonNull(part, "part"));
  }

  /**
   * Returns where the metrics of the runtime go, for those of a program beside them.
   *
   * @return the registry of {@link RuntimeOptions#metrics}, or that of {@code /metrics}
   */
  public MeterRegistry metrics() {
    return parts.gauges.registry();
  }

  /**
   * Serves {@code /metrics}, {@code /healthz} and {@code /readyz} until the runtime is closed. They
   * say how many claims have a problem, and name none.
   *
   * @param address where to listen; port 0 takes a free one
   * @return where it listens
   * @throws IOException if it cannot listen there
   * @throws IllegalStateException if it serves already, or is closed
   */
  public InetSocketAddress serve(InetSocketAddress address) throws IOException {
    return lifecycle.serve(Objects.requireNonNull(address, "address"));
  }

  /**
   * Stops: refuses new calls, lets those that run end (for as long as {@link
   * RuntimeOptions#stopLimit} allows), interrupts those that do not, ends watching, and closes the
   * store. Claims stay prepared and attached. A driver that still works then keeps the store in use
   * until it has ended, or the process has: no other process can undo meanwhile what it does. Safe
   * to repeat.
   */
  @Override
  public void close() {
    lifecycle.close();
  }
}
