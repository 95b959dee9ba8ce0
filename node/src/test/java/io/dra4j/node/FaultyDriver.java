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

/**
 * The network driver with faults. A file says which: {@code slow}, {@code hang} and {@code die}
 * happen before it attaches; {@code hang PHASE} and {@code die PHASE} at the beginning of {@code
 * prepare}, {@code attach}, {@code detach} or {@code unprepare}, at its {@code end}, or after the
 * n-th step was recorded in it: {@code die attach 2}, {@code die attach end}. Each happens once for
 * a process.
 */
final class FaultyDriver implements PreparingDriver {

  private final NetworkDriver driver;
  private final Path fault;

  FaultyDriver(NetworkDriver driver, Path fault) {
    this.driver = driver;
    this.fault = fault;
  }

  private void suffer(String phase) throws DriverException {
    try {
      String text = Files.readString(fault).strip();
      switch (text) {
        case "slow" -> {
          if (phase.equals("attach")) {
            Thread.sleep(3000); // past the 2 s of the container runtime
          }
        }
        case "die", "hang" -> suffer(text, "attach", phase);
        default -> {
          int space = text.indexOf(' ');
          if (space > 0) {
            suffer(text.substring(0, space), text.substring(space + 1), phase);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DriverException.failed("interrupted", e);
    } catch (IOException e) {
      throw DriverException.failed("the fault cannot be read", e);
    }
  }

  private void suffer(String what, String when, String phase)
      throws IOException, InterruptedException {
    if (!when.equals(phase)) {
      return;
    }
    if (what.equals("die")) {
      Runtime.getRuntime().halt(9);
    }
    Files.writeString(fault, "none");
    long pid = ProcessHandle.current().pid();
    new ProcessBuilder("kill", "-STOP", String.valueOf(pid)).start().waitFor();
  }

  /** Counts what is recorded: there the driver may die. */
  private final class Boundaries implements Journal {

    private final Journal journal;
    private final String phase;
    private int count;

    Boundaries(Journal journal, String phase) {
      this.journal = journal;
      this.phase = phase;
    }

    @Override
    public void record(List<Step> steps) throws DriverException {
      journal.record(steps);
      suffer(phase + " " + ++count);
    }

    @Override
    public void beginning(Step step) {
      journal.beginning(step);
      try {
        suffer(phase + " " + ++count);
      } catch (DriverException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public List<Step> steps() {
      return journal.steps();
    }

    @Override
    public boolean isOfOtherBoot() {
      return journal.isOfOtherBoot();
    }

    @Override
    public void keep(int left) throws DriverException {
      journal.keep(left);
      suffer(phase + " " + ++count);
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
    suffer("prepare");
    Prepared prepared = driver.prepare(claim, new Boundaries(journal, "prepare"));
    suffer("prepare end");
    return prepared;
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return attachDevices(claim, sandbox, journal).statuses();
  }

  @Override
  public Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    suffer("attach");
    Attached attached = driver.attachDevices(claim, sandbox, new Boundaries(journal, "attach"));
    suffer("attach end");
    return attached;
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    suffer("detach");
    driver.detach(claim, sandbox, new Boundaries(journal, "detach"));
    suffer("detach end");
  }

  @Override
  public void unprepare(PreparedClaim claim, Journal journal) throws DriverException {
    suffer("unprepare");
    driver.unprepare(claim, new Boundaries(journal, "unprepare"));
    suffer("unprepare end");
  }

  @Override
  public void reserve(PreparedClaim claim) throws DriverException {
    driver.reserve(claim);
  }

  @Override
  public void settle(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    suffer("settle");
    driver.settle(claim, sandbox, new Boundaries(journal, "settle"));
    suffer("settle end");
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
