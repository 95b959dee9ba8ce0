package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.publish.AttributeBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A driver of lamps that are files below a directory: {@code on} while prepared, {@code lit} while
 * attached. Its names begin with {@code lamp.example.com}.
 */
final class LampDriver implements PreparingDriver {

  /** Decides what happens before a step is taken. */
  interface Fault {
    void before(String step) throws DriverException;
  }

  static final String NAME = "lamp.example.com";

  private final Path directory;
  private final String name;
  private volatile List<String> lamps;
  volatile String color = "red";
  volatile Fault fault = step -> {};
  volatile Runnable resuming = () -> {};
  volatile boolean isSettling;
  volatile Map<DeviceId, ContainerEdits> changedEdits = Map.of();
  final List<String> calls = new CopyOnWriteArrayList<>();

  LampDriver(Path directory, String... lamps) {
    this(NAME, directory, lamps);
  }

  LampDriver(String name, Path directory, String... lamps) {
    this.name = name;
    this.directory = directory;
    this.lamps = List.of(lamps);
  }

  void offer(String... names) {
    lamps = List.of(names);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return lamps.stream()
        .map(lamp -> AttributeBuilder.forDriver(name).text("color", color).build(lamp))
        .toList();
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    calls.add("prepare " + claim.claim().name());
    List<PreparedDevice> prepared = new ArrayList<>();
    for (ClaimedDevice device : claim.devices()) {
      step(journal, "on", device.name());
      prepared.add(
          PreparedDevice.of(
              device,
              new ContainerEdits(
                  Map.of("LAMP_" + device.index(), device.name()), List.of(), List.of()),
              "{\"v\":1}"));
    }
    fault.before("end of prepare");
    return new Prepared(prepared);
  }

  @Override
  public void unprepare(PreparedClaim claim, Journal journal) throws DriverException {
    calls.add("unprepare " + claim.claim().name());
    fault.before("unprepare");
    PreparingDriver.super.unprepare(claim, journal);
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    calls.add("attach " + claim.claim().name());
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    for (ClaimedDevice device : claim.claimed().devices()) {
      step(journal, "lit", device.name());
      statuses.add(AllocatedDeviceStatus.of(device.id()).build());
    }
    fault.before("end of attach");
    return statuses;
  }

  @Override
  public Attached attachDevices(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    return new Attached(attach(claim, sandbox, journal), changedEdits);
  }

  @Override
  public void reserve(PreparedClaim claim) throws DriverException {
    calls.add("reserve " + claim.claim().name());
    fault.before("reserve");
  }

  @Override
  public List<Condition> bind(ClaimedDevices claim) {
    return List.of(Condition.of("Bulb", "True").build());
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    calls.add("detach " + claim.claim().name());
    fault.before("detach");
    if (!isSettling) {
      PreparingDriver.super.detach(claim, sandbox, journal);
    }
  }

  @Override
  public void settle(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    calls.add("settle " + claim.claim().name());
    fault.before("settle");
    PreparingDriver.super.settle(claim, sandbox, journal);
  }

  @Override
  public void undoAfterReboot(Step step) throws DriverException {
    calls.add("after reboot: " + step.name());
    undo(step);
  }

  @Override
  public void forget(PreparedClaim claim, List<Step> steps) throws DriverException {
    calls.add("forget " + claim.claim().name() + " " + steps.stream().map(Step::name).toList());
    fault.before("forget");
  }

  @Override
  public void resume(PreparedClaim claim, Sandbox sandbox) {
    calls.add("resume " + claim.claim().name());
    resuming.run();
  }

  @Override
  public void resumeSettling(PreparedClaim claim, Sandbox sandbox, Journal journal) {
    calls.add("resume settling " + claim.claim().name() + " " + journal.steps().size());
  }

  private void step(Journal journal, String kind, String lamp) throws DriverException {
    Step step = new Step(kind + " " + lamp, kind + "-" + lamp);
    journal.record(step);
    journal.beginning(step);
    fault.before(step.name());
    try {
      Files.writeString(directory.resolve(step.undo()), "");
    } catch (IOException e) {
      throw DriverException.failed(e.toString(), e);
    }
  }

  @Override
  public void undo(Step step) throws DriverException {
    fault.before("undo " + step.name());
    try {
      Files.deleteIfExists(directory.resolve(step.undo()));
    } catch (IOException e) {
      throw DriverException.failed(e.toString(), e);
    }
  }

  /** The files that are there now, sorted. */
  List<String> state() {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
