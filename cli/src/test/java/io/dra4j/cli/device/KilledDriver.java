package io.dra4j.cli.device;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.cel.CelSelectors;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.TopologyReaders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that serves and releases a claim with the network driver, and kills itself with SIGKILL
 * at a chosen boundary: before and after steps are recorded, before each is taken, and before each
 * is undone. It prints the boundaries as it passes them.
 */
final class KilledDriver implements PreparingDriver {

  private static final String CONFIG =
      """
      {"interface": {"name": "net1", "mtu": 1300, "addresses": ["192.0.2.6/24"], "arpIgnore": 1},
       "routes": [{"destination": "10.0.0.0/8", "gateway": "192.0.2.1"}],
       "rules": [{"priority": 300, "source": "192.0.2.0/24", "table": 77}],
       "neighbors": [{"destination": "192.0.2.77", "hardwareAddr": "02:00:00:00:00:77"}]}
      """;

  private final PreparingDriver driver;
  private final int last;
  private int passed;

  private KilledDriver(PreparingDriver driver, int last) {
    this.driver = driver;
    this.last = last;
  }

  /**
   * Arguments: namespace of the host, of the pod, the store, and the boundary, from 1; 0 for none.
   */
  public static void main(String[] args) throws Exception {
    try (NetworkNamespace host = NetworkNamespace.open(Path.of(args[0]));
        NetworkDriver network = network(host);
        DriverRuntime runtime =
            runtime(new KilledDriver(network, Integer.parseInt(args[3])), Path.of(args[2]))) {
      runtime.start();
      AllocationOutcome.Allocated outcome = (AllocationOutcome.Allocated) runtime.allocate(claim());
      ResourceClaim allocated = outcome.allocations().get(0).allocatedClaim();
      String uid = Objects.requireNonNull(allocated.metadata().uid());
      runtime.prepare(allocated);
      runtime.attach(uid, Sandbox.of(Path.of(args[1])));
      runtime.release(uid);
    }
  }

  static NetworkDriver network(NetworkNamespace host) throws IOException {
    return NetworkDriver.builder().namespace(host).filter((name, device) -> true).build();
  }

  static DriverRuntime runtime(PreparingDriver driver, Path store) throws Exception {
    return DriverRuntime.builder()
        .driver(driver)
        .readers(TopologyReaders.of())
        .watchers(List.of())
        .store(store)
        .selectors(CelSelectors.create())
        .deviceClasses(List.of(DeviceClass.named("nic")))
        .discovery(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1))
        .build();
  }

  static ResourceClaim claim() {
    return ResourceClaim.named("rail")
        .request(
            "nic",
            nic -> nic.deviceClass("nic").selector("device.attributes['dra.net'].ifName == 'nic0'"))
        .config(
            new DeviceClaimConfiguration(
                List.of(), new OpaqueDeviceConfiguration(NetworkDriver.NAME, CONFIG)))
        .build();
  }

  /** Nothing runs behind the last boundary: no finally, no hook, no flush. */
  private void boundary(String what) {
    System.out.println("boundary: " + what);
    System.out.flush();
    passed++;
    if (passed == last) {
      try {
        new ProcessBuilder("kill", "-KILL", "" + ProcessHandle.current().pid()).start();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      while (true) {
        LockSupport.parkNanos(1_000_000_000);
      }
    }
  }

  /** The journal of the runtime, with boundaries. */
  private Journal watched(Journal journal) {
    return new Journal() {
      @Override
      public void record(List<Step> steps) throws DriverException {
        boundary("before " + steps.size() + " steps are recorded");
        journal.record(steps);
        boundary("after they are recorded");
      }

      @Override
      public void beginning(Step step) {
        boundary("before: " + step.name());
        journal.beginning(step);
      }

      @Override
      public List<Step> steps() {
        return journal.steps();
      }

      @Override
      public void keep(int count) throws DriverException {
        boundary("before " + count + " steps are kept");
        journal.keep(count);
      }

      @Override
      public void undo(Undo undo) throws DriverException {
        journal.undo(
            step -> {
              boundary("before undoing: " + step.name());
              undo.undo(step);
            });
        boundary("after all is undone");
      }
    };
  }

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return driver.discover(host);
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    return driver.prepare(claim, watched(journal));
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    List<AllocatedDeviceStatus> attached = driver.attach(claim, sandbox, watched(journal));
    boundary("after the last step");
    return attached;
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    driver.detach(claim, sandbox, watched(journal));
  }

  @Override
  public void settle(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    driver.settle(claim, sandbox, watched(journal));
  }

  @Override
  public void unprepare(PreparedClaim claim, Journal journal) throws DriverException {
    driver.unprepare(claim, watched(journal));
  }
}
