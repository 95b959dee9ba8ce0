package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.publish.SlicePlanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A driver of a runtime, and what it offers now. One thread discovers; all may read. */
final class DriverSlot {

  /** What a driver offers, all of one discovery. */
  private record Offer(
      List<ResourceSlice> slices, Map<DeviceId, Device> devices, List<String> leftOut) {}

  private static final int SHOWN_LEFT_OUT = 8;

  private final DeviceDriver driver;
  private final String name;
  private final PreparingDriver preparing;
  private final SlicePlanner planner;
  private volatile @Nullable Offer offer;
  private volatile List<DeviceHealth> health = List.of();
  private volatile @Nullable String problem;
  private volatile boolean hasTakenUp;
  private volatile @Nullable String healthProblem;

  DriverSlot(DeviceDriver driver, String name, String node) {
    this.driver = driver;
    this.name = name;
    this.preparing = driver instanceof PreparingDriver able ? able : new Discovering(driver);
    this.planner = SlicePlanner.forNode(name, node);
  }

  String name() {
    return name;
  }

  PreparingDriver preparing() {
    return preparing;
  }

  List<ResourceSlice> slices() {
    Offer now = offer;
    return now == null ? List.of() : now.slices();
  }

  List<DeviceHealth> health() {
    return health;
  }

  @Nullable Device device(DeviceId id) {
    Offer now = offer;
    return now == null ? null : now.devices().get(id);
  }

  /** Whether the driver knows what is attached since before this process began. */
  boolean hasTakenUp() {
    return hasTakenUp;
  }

  void takenUp() {
    hasTakenUp = true;
  }

  boolean hasDiscovered() {
    return offer != null;
  }

  int size() {
    Offer now = offer;
    return now == null ? 0 : now.devices().size();
  }

  /** What is wrong with the driver's last answers: sentences that name the driver. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    String discovery = problem;
    if (discovery != null) {
      problems.add("driver %s could not discover: %s".formatted(name, discovery));
    }
    String untold = healthProblem;
    if (untold != null) {
      problems.add(
          "driver %s could not tell the health of its devices: %s".formatted(name, untold));
    }
    List<String> leftOut = leftOut();
    for (String one : leftOut.subList(0, Math.min(SHOWN_LEFT_OUT, leftOut.size()))) {
      problems.add("driver %s: not offered: %s".formatted(name, one));
    }
    if (leftOut.size() > SHOWN_LEFT_OUT) {
      problems.add(
          "driver %s: not offered: %d more".formatted(name, leftOut.size() - SHOWN_LEFT_OUT));
    }
    return problems;
  }

  /** The devices and counter sets that are not offered, with the reason. */
  List<String> leftOut() {
    Offer now = offer;
    return now == null ? List.of() : now.leftOut();
  }

  void failed(String reason) {
    problem = reason;
  }

  /**
   * Asks the driver what it offers now. What the API server would refuse is left out.
   *
   * @param heldThen asked when the driver has answered: devices as they were when their claims were
   *     prepared. Those of claims that are attached stay as they were, since in their pod they look
   *     different; those that are prepared stay if they are not there.
   * @return whether slices changed
   * @throws DriverException if the driver fails; what it offered before stays
   */
  boolean discover(HostInventory host, DriverCalls calls, Supplier<Map<String, Held>> heldThen)
      throws DriverException {
    List<Device> found = calls.callForList(name, "discover", () -> driver.discover(host));
    Map<String, Held> held = heldThen.get();
    List<CounterSet> counters =
        calls.callForList(name, "sharedCounters", () -> driver.sharedCounters(host));
    List<ResourceSlice> before = slices();
    PublishableDevices publishable =
        PublishableDevices.of(found, counters)
            .with(devices -> withHeld(devices, held, before), before);
    List<ResourceSlice> after = planner.plan(publishable.devices(), publishable.counters(), before);
    Map<DeviceId, Device> devices = new LinkedHashMap<>();
    for (ResourceSlice slice : after) {
      slice.devices().forEach(device -> devices.put(slice.idOf(device), device));
    }
    boolean isFirst = offer == null;
    offer = new Offer(after, devices, publishable.leftOut());
    problem = null;
    return isFirst || !after.equals(before);
  }

  /** Asks the driver how its devices are, which are offered also if nobody knows that. */
  void discoverHealth(HostInventory host, DriverCalls calls) {
    try {
      health = calls.callForList(name, "health", () -> preparing.health(host));
      healthProblem = null;
    } catch (DriverException e) {
      health = List.of();
      healthProblem = e.getMessage();
    }
  }

  /**
   * A device that a claim has.
   *
   * @param device as it was when the claim was prepared
   * @param isAttached whether the claim is in a sandbox
   */
  record Held(Device device, boolean isAttached) {}

  private static List<Device> withHeld(
      List<Device> found, Map<String, Held> held, List<ResourceSlice> before) {
    List<Device> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Device device : found) {
      Held claimed = held.get(device.name());
      all.add(claimed != null && claimed.isAttached() ? claimed.device() : device);
      names.add(device.name());
    }
    String previous = null;
    for (ResourceSlice slice : before) {
      for (Device device : slice.devices()) {
        Held claimed = held.get(device.name());
        if (claimed != null && names.add(device.name())) {
          all.add(placeAfter(all, previous), claimed.device());
        }
        previous = device.name();
      }
    }
    held.forEach(
        (name, claimed) -> {
          if (names.add(name)) { // after a restart nothing was published before
            all.add(claimed.device());
          }
        });
    return all;
  }

  /** Where a device was, so that its slice does not change. */
  private static int placeAfter(List<Device> devices, @Nullable String name) {
    if (name == null) {
      return 0;
    }
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i).name().equals(name)) {
        return i + 1;
      }
    }
    return devices.size();
  }

  /** A driver that has nothing to prepare. */
  private record Discovering(DeviceDriver driver) implements PreparingDriver {

    @Override
    public String name() {
      return driver.name();
    }

    @Override
    public List<Device> discover(HostInventory host) {
      return driver.discover(host);
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) {
      return new Prepared(
          claim.devices().stream()
              .map(device -> PreparedDevice.of(device, ContainerEdits.NONE, ""))
              .toList());
    }

    @Override
    public List<AllocatedDeviceStatus> attach(
        PreparedClaim claim, Sandbox sandbox, Journal journal) {
      return List.of();
    }
  }
}
