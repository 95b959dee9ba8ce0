package io.dra4j.testkit.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.TaintEffect;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.JsonRecords;
import io.dra4j.spi.publish.DevicePool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The suite passes a driver of parts that keeps to the contract, and catches those that do not. */
class DriverKitTest {

  private static Events run(Class<?> suite) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(DiscoverySelectors.selectClass(suite))
        .execute()
        .testEvents();
  }

  private static List<String> failures(Class<?> suite) {
    return run(suite).failed().stream()
        .map(
            event ->
                event
                    .getRequiredPayload(TestExecutionResult.class)
                    .getThrowable()
                    .map(String::valueOf)
                    .orElse(""))
        .toList();
  }

  @Test
  void aDriverOfDevicesAndTheirPartsPasses() {
    Events events = run(Parts.class);

    assertThat(events.failed().count()).isZero();
    assertThat(events.succeeded().count()).isGreaterThanOrEqualTo(20);
  }

  @Test
  void countersAreAskedFor() {
    assertThat(failures(CountersThrow.class)).isNotEmpty().allMatch(one -> one.contains("boom"));
  }

  @Test
  void healthIsAskedFor() {
    assertThat(failures(HealthThrows.class)).isNotEmpty().allMatch(one -> one.contains("boom"));
    assertThat(failures(HealthOfAStranger.class))
        .singleElement()
        .satisfies(one -> assertThat(one).contains("health of a device that is not offered"));
  }

  @Test
  void drawsThatAreNotPossibleAreCaught() {
    assertThat(failures(DrawsOnNothing.class))
        .anyMatch(
            one -> one.contains("'disk-0' consumes from counter set 'nowhere', which is not in"));
    assertThat(failures(Gives.class))
        .anyMatch(one -> one.contains("consumes -5 of counter quarters of counter set 'set-0'"));
    assertThat(failures(DrawsTooMuch.class))
        .singleElement()
        .satisfies(one -> assertThat(one).contains("which has 4: it can never be allocated"));
    assertThat(failures(OtherCounter.class))
        .anyMatch(one -> one.contains("consumes counter eighths, which counter set 'set-0' does"));
    assertThat(failures(TwoSets.class))
        .singleElement()
        .satisfies(one -> assertThat(one).contains("counter set 'set-0' occurs twice"));
  }

  @Test
  void aDeviceAndItsPartAreNotChosenTogether() {
    assertThat(failures(ChoosesDiskAndPart.class))
        .isNotEmpty()
        .allMatch(
            one ->
                one.contains(
                    "devices [disk-0, part-0-0] consume 5 of counter quarters of counter set"));
  }

  @Test
  void devicesThatAreNotOfferedAreNotChosen() {
    assertThat(failures(ChoosesAStranger.class))
        .isNotEmpty()
        .allMatch(one -> one.contains("chosen(…) returns devices that are not offered"))
        .allMatch(one -> one.contains("disk-7"));
    assertThat(failures(ChoosesAnotherForm.class))
        .isNotEmpty()
        .allMatch(one -> one.contains("chosen(…) returns devices that are not offered"))
        .allMatch(one -> one.contains("disk-1"));
    assertThat(failures(ChoosesTwice.class))
        .isNotEmpty()
        .allMatch(one -> one.contains("chosen(…) returns a device twice"));
  }

  @Test
  void theReasonIsNamedIfNoDeviceCanBeHad() {
    assertThat(failures(WithoutCounters.class))
        .anyMatch(
            one ->
                one.contains(
                        "none of the devices can be allocated: devices [disk-0] consume 4 of "
                            + "counter")
                    && one.contains("of counter set 'set-0', which is not in their pool; devices"));
    assertThat(failures(OtherCounter.class))
        .anyMatch(
            one ->
                one.contains("none of the devices can be allocated: ")
                    && one.contains("counter eighths of counter set 'set-0', which does not have"));
  }

  @Test
  void aFileThatPartsShareIsACollisionThatIsNamed() {
    assertThat(failures(SharedFile.class))
        .anyMatch(
            one ->
                one.matches( // the first group of devices whose calls meet
                        "(?s).*device (disk|part)-[-01-3]+ collided with others; claims of \\[.*")
                    && one.contains("is held by another claim"));
  }

  @Test
  void anInstanceThatChangesTheHostBeforeItTakesOverIsCaught() {
    assertThat(failures(SwitchesOffAtStart.class))
        .anyMatch(one -> one.contains("a standby instance changed the host"));
  }

  @Test
  void releasesThatReadEachOtherOrRefuseEachOtherPass() {
    assertThat(failures(WithOtherReleases.class)).isEmpty();
  }

  @Test
  void aReleaseThatForgetsStepsOfAnotherIsCaught() {
    assertThat(failures(WithForgetfulReleases.class))
        .hasSize(3)
        .anyMatch(one -> one.contains("did not fail for a step of a later release"))
        .anyMatch(one -> one.contains("release 0 killed at point"))
        .anyMatch(one -> one.contains("taken back by release 0"));
  }

  @Test
  void aDriverThatLosesStepsOfALaterReleaseIsCaught() {
    assertThat(failures(SkipsSteps.class))
        .singleElement()
        .satisfies(one -> assertThat(one).contains("so that the step is lost"));
    assertThat(failures(ForgetsFirst.class))
        .anyMatch(one -> one.contains("refused a step of a later release and lost it"));
  }

  @Test
  void partsWithoutTheirTypeAreCaught() {
    assertThat(failures(Untyped.class))
        .singleElement()
        .satisfies(
            one ->
                assertThat(one)
                    .contains("device 'disk-0' consumes counters and has no string attribute")
                    .contains("disk.example.com/part, which distinguishes partitions"));
    assertThat(failures(TypeWithoutDomain.class))
        .singleElement()
        .satisfies(one -> assertThat(one).contains("name it disk.example.com/part"));
  }

  @Test
  void taintsAndPoolsOfAllKindsAreChecked() {
    assertThat(failures(ManyTaints.class))
        .singleElement()
        .satisfies(one -> assertThat(one).contains("taints, at most 16"));
    assertThat(failures(StrangePool.class))
        .anyMatch(one -> one.contains("'A Pool' is not a valid name of a pool"));
  }

  /** Disks as a whole and in quarters; a claim makes a file for each of its devices. */
  static class Disks implements PreparingDriver {

    record Settings(@Nullable Boolean encrypt) {}

    final Path directory;
    private @Nullable DriverContext context;

    Disks(Path directory) {
      this.directory = directory;
    }

    @Override
    public String name() {
      return "disk.example.com";
    }

    @Override
    public void start(DriverContext given) {
      context = given;
    }

    @Override
    public List<Device> discover(HostInventory host) {
      List<Device> devices = new ArrayList<>();
      for (int disk = 0; disk < 2; disk++) {
        devices.add(device("disk-" + disk, disk, 4));
        for (int part = 0; part < 4; part++) {
          devices.add(device("part-%d-%d".formatted(disk, part), disk, 1));
        }
      }
      return devices;
    }

    Device device(String name, int disk, long quarters) {
      return Device.named(name).consumesCounters(draw(disk, quarters).build()).build();
    }

    DeviceCounterConsumption.Builder draw(int disk, long quarters) {
      return DeviceCounterConsumption.from("set-" + disk).counter("quarters", quarters);
    }

    @Override
    public List<CounterSet> sharedCounters(HostInventory host) {
      return List.of(
          CounterSet.named("set-0").counter("quarters", 4).build(),
          CounterSet.named("set-1").counter("quarters", 4).build());
    }

    @Override
    public Map<String, DevicePool> offers(HostInventory host) {
      if (context == null) {
        throw new IllegalStateException("offers before start");
      }
      return Map.of(
          NODE_POOL,
          DevicePool.of(discover(host), sharedCounters(host)),
          "fabric",
          DevicePool.of(List.of(Device.named("port").build()), List.of()).toBuilder()
              .nodeSelection(NodeSelection.ALL_NODES)
              .build());
    }

    @Override
    public List<DeviceHealth> health(HostInventory host) {
      return List.of(
          DeviceHealth.healthy("disk-0"), DeviceHealth.unhealthy("port", "dark").inPool("fabric"));
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
      List<PreparedDevice> prepared = new ArrayList<>();
      for (ClaimedDevice device : claim.devices()) {
        for (OpaqueConfiguration one : device.configurations()) {
          JsonRecords.standard().read(one.parameters(), Settings.class);
        }
        set(device, journal);
        prepared.add(PreparedDevice.of(device, ContainerEdits.NONE, ""));
      }
      return new Prepared(prepared);
    }

    void set(ClaimedDevice device, Journal journal) throws DriverException {
      FileSetting.change(directory.resolve(device.name()), "on", journal);
    }

    @Override
    public void undo(Step step) throws DriverException {
      FileSetting.restore(step);
    }
  }

  /** Tests of a driver of disks. */
  abstract static class DiskKit extends DriverKit {

    @TempDir Path directory;

    @BeforeEach
    void layOut() throws IOException {
      for (Device device : new Disks(directory).discover(host())) {
        Files.writeString(directory.resolve(device.name()), "off\n");
      }
      Files.writeString(directory.resolve("shared"), "off\n");
      Files.writeString(directory.resolve("port"), "off\n");
    }

    @Override
    protected HostInventory host() {
      return HostInventory.builder().build();
    }

    @Override
    protected Object hostState() throws IOException {
      List<String> state = new ArrayList<>();
      try (var files = Files.list(directory)) {
        for (Path file : files.sorted().toList()) {
          state.add(file.getFileName() + "=" + Files.readString(file).strip());
        }
      }
      return state;
    }
  }

  static final class Parts extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory);
    }
  }

  static final class SwitchesOffAtStart extends DiskKit {

    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public Map<String, DevicePool> offers(HostInventory host) {
          try {
            Files.writeString(directory.resolve("disk-1"), "off\n");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return super.offers(host);
        }
      };
    }

    @Override
    protected List<Device> chosen(List<Device> offered) {
      return offered.stream().filter(one -> one.name().equals("disk-1")).toList();
    }
  }

  /** A release that stores its steps with a prefix. */
  static class Numbered extends Disks {

    private final String own;
    private final boolean forgets;

    Numbered(Path directory, String own, boolean forgets) {
      super(directory);
      this.own = own;
      this.forgets = forgets;
    }

    @Override
    void set(ClaimedDevice device, Journal journal) throws DriverException {
      Step step = new Step("switch on " + device.name(), own + device.name());
      if (!journal.steps().contains(step)) {
        journal.record(step);
      }
      write(device.name(), "on\n");
    }

    @Override
    public void undo(Step step) throws DriverException {
      if (step.undo().startsWith(own)) {
        write(step.undo().substring(own.length()), "off\n");
      } else if (own.equals("v2 ") && step.undo().startsWith("v1 ") && !forgets) {
        write(step.undo().substring("v1 ".length()), "off\n");
      } else if (!forgets) {
        throw DriverException.failed("a later release stored " + step.undo(), null);
      }
    }

    private void write(String name, String value) throws DriverException {
      try {
        Files.writeString(directory.resolve(name), value);
      } catch (IOException e) {
        throw DriverException.failed("cannot write: " + e, e);
      }
    }
  }

  static final class WithOtherReleases extends DiskKit {

    @Override
    protected PreparingDriver newDriver() {
      return new Numbered(directory, "v2 ", false);
    }

    @Override
    protected List<PreparingDriver> otherReleases() {
      return List.of(new Numbered(directory, "v1 ", false));
    }
  }

  static final class WithForgetfulReleases extends DiskKit {

    @Override
    protected PreparingDriver newDriver() {
      return new Numbered(directory, "v2 ", true);
    }

    @Override
    protected List<PreparingDriver> otherReleases() {
      return List.of(new Numbered(directory, "v1 ", true));
    }
  }

  /** Undoes what it knows, and passes over the rest. */
  static final class SkipsSteps extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public void undo(Step step) throws DriverException {
          if (step.name().startsWith("set ")) {
            super.undo(step);
          }
        }
      };
    }
  }

  /** Forgets all steps before it undoes them. */
  static final class ForgetsFirst extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public void unprepare(PreparedClaim claim, Journal journal) throws DriverException {
          List<Step> steps = journal.steps();
          journal.keep(0);
          for (int i = steps.size() - 1; i >= 0; i--) {
            undo(steps.get(i));
          }
        }
      };
    }
  }

  static class Untyped extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public Map<String, DevicePool> offers(HostInventory host) {
          return Map.of(
              NODE_POOL,
              DevicePool.of(discover(host), sharedCounters(host)).toBuilder()
                  .partitionTypeAttribute(typeName())
                  .build(),
              "fabric",
              DevicePool.of(List.of(Device.named("port").build()), List.of()));
        }
      };
    }

    String typeName() {
      return "disk.example.com/part";
    }
  }

  static final class TypeWithoutDomain extends Untyped {
    @Override
    String typeName() {
      return "part";
    }
  }

  static final class CountersThrow extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public List<CounterSet> sharedCounters(HostInventory host) {
          throw new IllegalStateException("boom");
        }
      };
    }
  }

  static final class HealthThrows extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public List<DeviceHealth> health(HostInventory host) {
          throw new IllegalStateException("boom");
        }
      };
    }
  }

  static final class HealthOfAStranger extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public List<DeviceHealth> health(HostInventory host) {
          return List.of(DeviceHealth.healthy("port")); // is in the other pool
        }
      };
    }
  }

  static final class DrawsOnNothing extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        DeviceCounterConsumption.Builder draw(int disk, long quarters) {
          return DeviceCounterConsumption.from("nowhere").counter("quarters", quarters);
        }
      };
    }
  }

  static final class Gives extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        DeviceCounterConsumption.Builder draw(int disk, long quarters) {
          return super.draw(disk, quarters == 4 ? -5 : quarters);
        }
      };
    }
  }

  static final class DrawsTooMuch extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        DeviceCounterConsumption.Builder draw(int disk, long quarters) {
          return super.draw(disk, quarters == 4 ? 5 : quarters);
        }
      };
    }
  }

  static final class OtherCounter extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        DeviceCounterConsumption.Builder draw(int disk, long quarters) {
          return super.draw(disk, quarters).counter("eighths", 2);
        }
      };
    }
  }

  static final class TwoSets extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public List<CounterSet> sharedCounters(HostInventory host) {
          List<CounterSet> sets = new ArrayList<>(super.sharedCounters(host));
          sets.add(sets.get(0));
          return sets;
        }
      };
    }
  }

  static final class ChoosesDiskAndPart extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory);
    }

    @Override
    protected List<Device> chosen(List<Device> offered) {
      return offered.subList(0, 2);
    }
  }

  static final class ChoosesAStranger extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory);
    }

    @Override
    protected List<Device> chosen(List<Device> offered) {
      return List.of(Device.named("disk-7").build());
    }
  }

  /** As a test does that makes the device itself. */
  static final class ChoosesAnotherForm extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory);
    }

    @Override
    protected List<Device> chosen(List<Device> offered) {
      return List.of(Device.named("disk-1").build());
    }
  }

  static final class ChoosesTwice extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory);
    }

    @Override
    protected List<Device> chosen(List<Device> offered) {
      return List.of(offered.get(1), offered.get(1));
    }
  }

  static final class WithoutCounters extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public List<CounterSet> sharedCounters(HostInventory host) {
          return List.of();
        }
      };
    }
  }

  static final class SharedFile extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        void set(ClaimedDevice device, Journal journal) throws DriverException {
          FileSetting.change(directory.resolve("shared"), "on", journal);
          try {
            Thread.sleep(100); // so that the claims meet
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
      };
    }
  }

  static final class ManyTaints extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public Map<String, List<DeviceTaint>> taints(HostInventory host) {
          List<DeviceTaint> many = new ArrayList<>();
          for (int i = 0; i < 17; i++) {
            many.add(DeviceTaint.of("t" + i, "", TaintEffect.NO_SCHEDULE));
          }
          return Map.of("disk-0", many);
        }
      };
    }
  }

  static final class StrangePool extends DiskKit {
    @Override
    protected PreparingDriver newDriver() {
      return new Disks(directory) {
        @Override
        public Map<String, DevicePool> offers(HostInventory host) {
          return Map.of(
              NODE_POOL,
              DevicePool.of(discover(host), sharedCounters(host)),
              "A Pool",
              DevicePool.of(List.of(), List.of()));
        }
      };
    }
  }
}
