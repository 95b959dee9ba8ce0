package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SliceLimits;
import io.dra4j.runtime.internal.call.DriverCalls;
import io.dra4j.runtime.internal.device.PublishableDevices;
import io.dra4j.runtime.internal.device.ReportedHealth;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.publish.DevicePool;
import io.dra4j.spi.publish.SlicePlanner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A driver of a runtime and its current offer. One thread discovers; any thread may read. */
final class DriverSlot {

  /** The offer of a driver, from a single discovery. */
  private record Offer(
      Map<String, DevicePool> pools,
      List<ResourceSlice> slices,
      Map<DeviceId, Device> devices,
      List<String> leftOut) {}

  /** The answers of a driver in one discovery, before claims and health are applied. */
  private record Found(Map<String, DevicePool> pools, Map<String, List<DeviceTaint>> taints) {}

  /** A device in a pool of the driver. */
  record Place(String pool, String device) {}

  /**
   * A device that a claim has.
   *
   * @param device the device as it was when the claim was prepared
   * @param isAttached whether the claim is attached to a sandbox
   */
  record Held(Device device, boolean isAttached) {}

  private static final int SHOWN_LEFT_OUT = 8;

  private final DeviceDriver driver;
  private final String name;
  private final String node;
  private final HeldPools heldPools;
  private final PreparingDriver preparing;
  private final Set<String> offered = ConcurrentHashMap.newKeySet();
  private final ReentrantLock offerLock = new ReentrantLock();
  private boolean isStarted; // used by the thread that discovers only, like the next one
  private @Nullable Found found;
  private final ReportedHealth health;
  private volatile @Nullable Offer offer;
  private volatile @Nullable String problem;
  private volatile boolean hasTakenUp;

  DriverSlot(DeviceDriver driver, String name, String node, HeldPools heldPools) {
    this.driver = driver;
    this.name = name;
    this.node = node;
    this.heldPools = heldPools;
    this.health = new ReportedHealth(name, node);
    this.preparing = driver instanceof PreparingDriver able ? able : new Discovering(driver);
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

  /** The pools that can be published, by name. */
  Map<String, DevicePool> pools() {
    Offer now = offer;
    return now == null ? Map.of() : now.pools();
  }

  boolean isOfNode(String pool) {
    return pool.equals(node);
  }

  /** Whether the driver offers a pool, or has offered it since this process started. */
  boolean hasOffered(String pool) {
    return offered.contains(pool);
  }

  /** Runs an action while no listener is notified of the offer. */
  void lockOffer(Runnable work) {
    offerLock.lock();
    try {
      work.run();
    } finally {
      offerLock.unlock();
    }
  }

  ReportedHealth health() {
    return health;
  }

  @Nullable Device device(DeviceId id) {
    Offer now = offer;
    return now == null ? null : now.devices().get(id);
  }

  /** Whether the driver has resumed the attachments of an earlier process. */
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

  /** The problems with the driver's last answers: sentences that name the driver. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    String discovery = problem;
    if (discovery != null) {
      problems.add("driver %s could not discover its devices: %s".formatted(name, discovery));
    }
    if (hasDiscovered()) {
      problems.addAll(health.problems());
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
   * Asks the driver for its offer, and leaves out devices that the API server would refuse.
   *
   * @param heldThen returns the devices as they were when prepared; called after the driver answers
   * @return whether the offer has changed
   * @throws DriverException if the driver fails; its previous offer stays
   */
  boolean discover(
      HostInventory host,
      DriverContext context,
      DriverCalls calls,
      Supplier<Map<Place, Held>> heldThen)
      throws DriverException {
    if (!isStarted) {
      calls.call(
          name,
          "start",
          () -> {
            driver.start(context);
            return name;
          });
      isStarted = true;
    }
    Map<String, DevicePool> pools = calls.call(name, "discover", () -> driver.offers(host));
    Map<String, List<DeviceTaint>> taints =
        calls.call(name, "taints", () -> Map.copyOf(driver.taints(host)));
    Found now = new Found(Collections.unmodifiableMap(new LinkedHashMap<>(pools)), taints);
    boolean isChanged = publish(now, heldThen.get());
    found = now;
    problem = null;
    return isChanged;
  }

  /**
   * Asks the driver for the health of its devices. Returns whether the offer has changed: unhealthy
   * devices have a taint. Devices of unknown health are offered as well.
   */
  boolean discoverHealth(
      HostInventory host, DriverCalls calls, Supplier<Map<Place, Held>> heldThen) {
    boolean isChanged =
        health.ask(
            () -> calls.callForList(name, "health", () -> preparing.health(host)),
            id -> device(id) != null);
    Found last = found;
    return isChanged && last != null && publish(last, heldThen.get());
  }

  private boolean publish(Found now, Map<Place, Held> held) {
    Offer before = offer;
    Map<String, DevicePool> pools = new LinkedHashMap<>();
    List<ResourceSlice> slices = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    Map<String, DevicePool> asked = named(now.pools(), held, leftOut);
    asked.forEach(
        (pool, wanted) -> {
          List<ResourceSlice> published = slicesOf(pool);
          Map<String, List<DeviceTaint>> taints = pool.equals(node) ? now.taints() : Map.of();
          PublishableDevices publishable =
              PublishableDevices.of(wanted, name)
                  .with(
                      devices -> withHeld(pool, devices, held, taints, published),
                      countersBefore(pool, published));
          String where = pool.equals(node) ? "" : "pool '%s': ".formatted(pool);
          publishable.leftOut().forEach(one -> leftOut.add(where + one));
          DevicePool result =
              wanted.toBuilder()
                  .devices(publishable.devices())
                  .counters(publishable.counters())
                  .build();
          pools.put(pool, result);
          slices.addAll(SlicePlanner.forPool(name, node, pool).plan(result, published).slices());
        });
    Map<DeviceId, Device> devices = new LinkedHashMap<>();
    for (ResourceSlice slice : slices) {
      slice.devices().forEach(device -> devices.put(slice.idOf(device), device));
    }
    offered.addAll(pools.keySet());
    offer =
        new Offer(
            Collections.unmodifiableMap(pools), List.copyOf(slices), devices, List.copyOf(leftOut));
    return before == null || !slices.equals(before.slices()) || !pools.equals(before.pools());
  }

  /** The pools by name, including pools of devices that claims have. */
  private Map<String, DevicePool> named(
      Map<String, DevicePool> found, Map<Place, Held> held, List<String> leftOut) {
    Map<String, DevicePool> named = new LinkedHashMap<>();
    found.forEach(
        (key, pool) -> {
          String resolved = key.equals(DeviceDriver.NODE_POOL) ? node : key;
          if (!SliceLimits.isPoolName(resolved)) {
            leftOut.add(
                ("pool '%s' has an invalid name: expected DNS subdomains with slashes between them,"
                        + " at most %d bytes")
                    .formatted(resolved, SliceLimits.MAX_POOL_BYTES));
          } else if (named.putIfAbsent(resolved, pool) != null) {
            leftOut.add(
                "pool '%s' is offered twice, once as the pool of the node".formatted(resolved));
          }
        });
    for (Place place : held.keySet()) {
      DevicePool before = pools().get(place.pool());
      if (before == null) {
        before = heldPools.find(name, place.pool());
      }
      if (before != null) {
        named.putIfAbsent(
            place.pool(), before.toBuilder().devices(List.of()).counters(List.of()).build());
      }
    }
    return named;
  }

  /** The published counter sets, and the counter sets from when claims were prepared. */
  private List<CounterSet> countersBefore(String pool, List<ResourceSlice> published) {
    List<CounterSet> sets = new ArrayList<>();
    published.forEach(slice -> sets.addAll(slice.sharedCounters()));
    DevicePool remembered = heldPools.find(name, pool);
    if (remembered != null) {
      sets.addAll(remembered.counters());
    }
    return sets;
  }

  private List<ResourceSlice> slicesOf(String pool) {
    return slices().stream().filter(slice -> slice.pool().name().equals(pool)).toList();
  }

  /**
   * The devices of a pool and the devices of claims, as they are published. The attributes of a
   * device in a sandbox cannot be read from the host. So its attributes, capacities and consumed
   * counters are the ones from when its claim was prepared. Its taints are the current ones.
   */
  private List<Device> withHeld(
      String pool,
      List<Device> found,
      Map<Place, Held> held,
      Map<String, List<DeviceTaint>> taints,
      List<ResourceSlice> before) {
    List<Device> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Device device : found) {
      Held claimed = held.get(new Place(pool, device.name()));
      Device shown =
          claimed != null && claimed.isAttached() ? asClaimed(claimed.device(), device) : device;
      all.add(marked(pool, shown, taints.getOrDefault(device.name(), List.of())));
      names.add(device.name());
    }
    String previous = null;
    for (ResourceSlice slice : before) {
      for (Device device : slice.devices()) {
        Held claimed = held.get(new Place(pool, device.name()));
        if (claimed != null && names.add(device.name())) {
          all.add(placeAfter(all, previous), unseen(pool, claimed.device(), taints));
        }
        previous = device.name();
      }
    }
    held.forEach(
        (place, claimed) -> {
          if (place.pool().equals(pool) && names.add(place.device())) {
            all.add(unseen(pool, claimed.device(), taints)); // no device was published before
          }
        });
    return all;
  }

  private static Device asClaimed(Device claimed, Device now) {
    return claimed.toBuilder()
        .taints(now.taints())
        .nodeSelection(now.nodeSelection())
        .bindsToNode(now.bindsToNode())
        .bindingConditions(now.bindingConditions(), now.bindingFailureConditions())
        .build();
  }

  private Device unseen(String pool, Device claimed, Map<String, List<DeviceTaint>> taints) {
    List<DeviceTaint> now = taints.get(claimed.name());
    DeviceTaint unhealthy = DeviceHealth.unhealthyTaint(name); // is added again if it still applies
    List<DeviceTaint> then =
        claimed.taints().stream().filter(one -> !one.isSameMark(unhealthy)).toList();
    Device device = claimed.withTaints(now == null ? then : List.of());
    return marked(pool, device, now == null ? List.of() : now);
  }

  /** Adds taints, as many as the API server accepts. */
  private Device marked(String pool, Device device, List<DeviceTaint> more) {
    List<DeviceTaint> taints = new ArrayList<>(device.taints());
    List<DeviceTaint> added = new ArrayList<>(more);
    DeviceTaint unhealthy = DeviceHealth.unhealthyTaint(name);
    if (health.isUnhealthy(new DeviceId(name, pool, device.name()))) {
      added.add(0, unhealthy);
    }
    for (DeviceTaint taint : added) {
      if (taints.size() < SliceLimits.MAX_TAINTS
          && taints.stream().noneMatch(one -> one.isSameMark(taint))) {
        taints.add(taint);
      }
    }
    return taints.equals(device.taints()) ? device : device.withTaints(taints);
  }

  /** The previous position of a device, so that its slice does not change. */
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

  /** Adapts a driver that needs no preparation. */
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
