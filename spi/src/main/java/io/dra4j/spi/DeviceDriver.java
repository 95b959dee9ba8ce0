package io.dra4j.spi;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.spi.publish.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Derives the devices for ResourceSlices from the inventory of a host. A {@link PreparingDriver}
 * also prepares them for claims.
 *
 * <p>A runtime calls {@link #start}, {@link #offers}, {@link #taints} and {@link
 * PreparingDriver#health} on one thread and never concurrently. Each {@code offers} gets an
 * inventory that was read after the inventory of the previous call. Calls for claims overlap with
 * these calls. A driver that reads the host again while it prepares a claim keeps that inventory to
 * the call, or shares it with its other calls only if they have no later one.
 */
public interface DeviceDriver {

  /**
   * Stands for the pool of the driver's node in {@link #offers} and in {@link DeviceHealth#pool}.
   * The name of that pool is the name of the node.
   */
  String NODE_POOL = "";

  /** {@return the name of the driver, a DNS subdomain of at most 63 bytes; always the same} */
  String name();

  /**
   * Starts the driver in a runtime. The runtime calls this method once before the first {@link
   * #offers}, and again before the next one if it threw. Calls for claims of an earlier process can
   * come before it. The default does nothing.
   *
   * @param context the services of the runtime; usable until the runtime is closed
   */
  default void start(DriverContext context) {}

  /**
   * {@return the devices that the driver offers on a host, each with a distinct DNS label as name}
   * The same inventory must give the same devices in the same order. A device must keep its name
   * while it is in the machine, also across restarts. The method must not change the host.
   *
   * @param host the inventory of the host
   */
  List<Device> discover(HostInventory host);

  /**
   * {@return the counter sets that devices of the same inventory consume from (KEP-4815); empty by
   * default} A counter set must keep its name and its units as long as the hardware is in the
   * machine, across restarts and in every release of the driver: the consumption of claims of an
   * earlier release is counted by that name.
   *
   * @param host the inventory of the host
   */
  default List<CounterSet> sharedCounters(HostInventory host) {
    return List.of();
  }

  /**
   * Returns the pools of the driver. By default there is one, {@link #NODE_POOL}, with the devices
   * of {@link #discover} and the counters of {@link #sharedCounters}. A driver with more pools
   * overrides this method:
   *
   * <pre>{@code
   * return Map.of(
   *     NODE_POOL, DevicePool.of(discover(host), sharedCounters(host)),
   *     "fabric-7", DevicePool.of(ports(host), List.of()).toBuilder()
   *         .nodeSelection(NodeSelection.ALL_NODES).build());
   * }</pre>
   *
   * <p>The runtime withdraws a pool that is not in the map. A pool without devices stays published,
   * without devices. A device must not be in two pools. A pool whose devices other nodes can use
   * must be offered by the driver of one node only, because the slices of a pool have one writer.
   *
   * @param host the inventory of the host
   * @return the pools by name, each name one or more DNS subdomains separated by slashes, at most
   *     253 bytes (resource.k8s.io/v1, ResourcePool.name)
   */
  default Map<String, DevicePool> offers(HostInventory host) {
    List<Device> devices = Objects.requireNonNull(discover(host), "discover answered null");
    List<CounterSet> counters =
        Objects.requireNonNull(sharedCounters(host), "sharedCounters answered null");
    return Map.of(NODE_POOL, DevicePool.of(devices, counters));
  }

  /**
   * Returns the taints of devices whose state {@link #discover} cannot see, for example a network
   * interface that is in a pod. Called after each {@link #offers} with the same inventory. If
   * {@code offers} returned the device, these taints are added to the taints of the device. If it
   * did not, and a claim holds the device, the device has exactly these taints; without an entry
   * here it keeps the taints that it had when its claim was prepared.
   *
   * @param host the inventory of the host
   * @return taints by name of the device in the pool of the node; empty by default
   */
  default Map<String, List<DeviceTaint>> taints(HostInventory host) {
    return Map.of();
  }
}
