package io.dra4j.node;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Device;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The network driver, which is slow, hangs or dies before it attaches: a file says which. */
final class FaultyDriver implements PreparingDriver {

  private final NetworkDriver driver;
  private final Path fault;

  FaultyDriver(NetworkDriver driver, Path fault) {
    this.driver = driver;
    this.fault = fault;
  }

  private void suffer() throws DriverException {
    try {
      switch (Files.readString(fault)) {
        case "slow" -> Thread.sleep(3000); // past the 2 s of the container runtime
        case "die" -> Runtime.getRuntime().halt(9);
        case "hang" -> {
          Files.writeString(fault, "none");
          long pid = ProcessHandle.current().pid();
          new ProcessBuilder("kill", "-STOP", String.valueOf(pid)).start().waitFor();
        }
        default -> {}
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted", e);
    } catch (IOException e) {
      throw DriverException.failed("the fault cannot be read", e);
    }
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
    return driver.prepare(claim, journal);
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return attachDevices(claim, sandbox, journal).statuses();
  }

  @Override
  public Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    suffer();
    return driver.attachDevices(claim, sandbox, journal);
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    driver.detach(claim, sandbox, journal);
  }

  @Override
  public void settle(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    driver.settle(claim, sandbox, journal);
  }

  @Override
  public void undo(Step step) throws DriverException {
    driver.undo(step);
  }

  @Override
  public void undoAfterReboot(Step step) throws DriverException {
    driver.undoAfterReboot(step);
  }

  @Override
  public void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {
    driver.resume(claim, sandbox);
  }

  @Override
  public List<DeviceHealth> health(HostInventory host) {
    return driver.health(host);
  }
}
