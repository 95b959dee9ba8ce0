package io.dra4j.examples;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.JsonRecords;
import io.dra4j.spi.publish.DevicePool;
import io.dra4j.topology.DeviceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Offers each GPU as a whole and as two halves, and accelerators in a pool of their own. A claim
 * gives its devices a profile, which is a file.
 */
public final class PartitionedGpuDriver implements PreparingDriver {

  /** The parameters of a claim: {@code {"profile": "training"}}. */
  record Settings(@Nullable String profile) {}

  private static final String SECOND_RELEASE = "v2 ";

  private final Path directory;
  private final Map<String, String> faults = new ConcurrentHashMap<>();
  private volatile @Nullable DriverContext context;

  /**
   * Creates a driver.
   *
   * @param directory the directory of profiles, which must exist
   */
  public PartitionedGpuDriver(Path directory) {
    this.directory = directory;
  }

  @Override
  public String name() {
    return "gpu.example.com";
  }

  @Override
  public void start(DriverContext given) {
    context = given; // here a driver also begins to listen to its source of health
  }

  @Override
  public Map<String, DevicePool> offers(HostInventory host) {
    DriverContext running = Objects.requireNonNull(context, "start comes before offers");
    return Map.of(
        NODE_POOL,
        DevicePool.of(discover(host), sharedCounters(host)).toBuilder()
            .partitionTypeAttribute("gpu.example.com/part")
            .build(),
        running.node() + "/accelerators",
        DevicePool.of(accelerators(host), List.of()));
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return functions(host, DeviceKind.GPU).stream().flatMap(gpu -> parts(gpu).stream()).toList();
  }

  @Override
  public List<CounterSet> sharedCounters(HostInventory host) {
    return functions(host, DeviceKind.GPU).stream()
        .map(gpu -> CounterSet.named(label(gpu)).counter("slices", 8).build())
        .toList();
  }

  private static List<Device> parts(PciFunction gpu) {
    return List.of(part(gpu, "whole", 8), part(gpu, "half-0", 4), part(gpu, "half-1", 4));
  }

  private static Device part(PciFunction gpu, String part, long slices) {
    return Device.named(label(gpu) + "-" + part)
        .attribute("part", part)
        .consumesCounters(
            DeviceCounterConsumption.from(label(gpu)).counter("slices", slices).build())
        .build();
  }

  private static List<Device> accelerators(HostInventory host) {
    return functions(host, DeviceKind.ACCELERATOR).stream()
        .map(one -> Device.named(label(one)).attribute("model", "accelerator").build())
        .toList();
  }

  private static List<PciFunction> functions(HostInventory host, DeviceKind kind) {
    return host.pciFunctions().stream().filter(one -> one.kind() == kind).toList();
  }

  private static String label(PciFunction function) {
    return "pci-" + function.address().toString().replace(':', '-').replace('.', '-');
  }

  /** The source of health calls this: a library of the vendor, or a thread that reads events. */
  void failed(String gpu, String why) {
    faults.put(gpu, why);
    DriverContext running = context;
    if (running != null) {
      running.changed(gpu + ": " + why); // the runtime then calls health
    }
  }

  @Override
  public List<DeviceHealth> health(HostInventory host) {
    List<DeviceHealth> health = new ArrayList<>();
    for (PciFunction gpu : functions(host, DeviceKind.GPU)) {
      String fault = gpu.driver() == null ? "no kernel driver is bound" : faults.get(label(gpu));
      for (Device part : parts(gpu)) {
        health.add(
            fault == null
                ? DeviceHealth.healthy(part.name())
                : DeviceHealth.unhealthy(part.name(), fault));
      }
    }
    return health;
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    List<PreparedDevice> prepared = new ArrayList<>();
    for (ClaimedDevice device : claim.devices()) {
      String profile = "default";
      for (OpaqueConfiguration one : device.configurations()) { // the claim's come last, and win
        Settings settings = JsonRecords.standard().read(one.parameters(), Settings.class);
        profile = settings.profile() == null ? profile : settings.profile();
      }
      Path file = directory.resolve(device.name());
      journal.record(new Step("write profile of " + device.name(), SECOND_RELEASE + file));
      try {
        Files.writeString(file, profile);
      } catch (IOException e) {
        throw DriverException.failed("cannot write " + file + ": " + e, e);
      }
      prepared.add(PreparedDevice.of(device, ContainerEdits.NONE, ""));
    }
    return new Prepared(prepared);
  }

  @Override
  public void undo(Step step) throws DriverException {
    if (step.undo().matches("(?s)v[0-9]+ .*") && !step.undo().startsWith(SECOND_RELEASE)) {
      throw DriverException.failed("a later release stored '" + step.undo() + "'", null);
    }
    Path file =
        step.undo().startsWith(SECOND_RELEASE)
            ? Path.of(step.undo().substring(SECOND_RELEASE.length()))
            : directory.resolve(step.undo()); // the first release stored the name of the device
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw DriverException.failed("cannot delete " + file + ": " + e, e);
    }
  }
}
