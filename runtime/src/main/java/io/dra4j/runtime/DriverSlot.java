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
      List<ResourceSlice> slices, Map<DeviceId, Device> devices, List<DeviceHealth> health) {}

  private final DeviceDriver driver;
  private final PreparingDriver preparing;
  private final SlicePlanner planner;
  private volatile @Nullable Offer offer;
  private volatile @Nullable String problem;

  DriverSlot(DeviceDriver driver, String node) {
    this.driver = driver;
    this.preparing = driver instanceof PreparingDriver able ? able : new Discovering(driver);
    this.planner = SlicePlanner.forNode(driver.name(), node);
  }

  String name() {
    return driver.name();
  }

  PreparingDriver preparing() {
    return preparing;
  }

  List<ResourceSlice> slices() {
    Offer now = offer;
    return now == null ? List.of() : now.slices();
  }

  List<DeviceHealth> health() {
    Offer now = offer;
    return now == null ? List.of() : now.health();
  }

  @Nullable Device device(DeviceId id) {
    Offer now = offer;
    return now == null ? null : now.devices().get(id);
  }

  boolean hasDiscovered() {
    return offer != null;
  }

  int size() {
    Offer now = offer;
    return now == null ? 0 : now.devices().size();
  }

  /** Why the last discovery failed; null if it did not. */
  @Nullable String problem() {
    return problem;
  }

  void failed(String reason) {
    problem = reason;
  }

  /**
   * Takes what the driver offers now.
   *
   * @param heldThen asked when the driver has answered: devices as they were when their claims were
   *     prepared. Those of claims that are attached stay as they were, since in their pod they look
   *     different; those that are prepared stay if they are not there.
   * @return whether slices changed
   */
  boolean discover(HostInventory host, Supplier<Map<String, Held>> heldThen) {
    List<Device> found = driver.discover(host);
    Map<String, Held> held = heldThen.get();
    List<CounterSet> counters = driver.sharedCounters(host);
    List<ResourceSlice> before = slices();
    List<ResourceSlice> after = planner.plan(withHeld(found, held, before), counters, before);
    Map<DeviceId, Device> devices = new LinkedHashMap<>();
    for (ResourceSlice slice : after) {
      slice.devices().forEach(device -> devices.put(slice.idOf(device), device));
    }
    boolean isFirst = offer == null;
    offer = new Offer(after, devices, preparing.health(host));
    problem = null;
    return isFirst || !after.equals(before);
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
