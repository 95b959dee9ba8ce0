package io.dra4j.spi;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.spi.publish.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Makes devices for ResourceSlices of what readers found on a host. {@link PreparingDriver} makes
 * them ready for claims as well.
 *
 * <p>A runtime calls {@link #start}, {@link #offers}, {@link #taints} and {@link
 * PreparingDriver#health} on one thread, never twice at a time, and each {@code offers} with an
 * inventory that was read after that of the call before. Calls for claims overlap with them: a
 * driver that reads the host again while it prepares a claim keeps what it read for itself, or
 * publishes it to its other calls only if no later reading is there already.
 */
public interface DeviceDriver {

  /**
   * Stands for the pool of the driver's node in {@link #offers} and in {@link DeviceHealth#pool}.
   * The name of that pool is the name of the node.
   */
  String NODE_POOL = "";

  /**
   * Names the driver.
   *
   * @return a DNS subdomain of at most 63 bytes, for example {@code fpga.example.com}; always the
   *     same
   */
  String name();

  /**
   * Starts the driver in a runtime: called once before the first {@link #offers}, and again before
   * the next one if it throws. Calls for claims that an earlier process left can come before it. By
   * default nothing is done.
   *
   * @param context what the runtime has for the driver; of use until the runtime is closed
   */
  default void start(DriverContext context) {}

  /**
   * Makes the devices that the driver offers on a host. The same inventory gives the same devices
   * in the same order, and a device keeps its name for as long as it is in the machine, over
   * restarts too. It changes nothing on the host.
   *
   * @param host what is on the host
   * @return devices with different names, each a DNS label
   */
  List<Device> discover(HostInventory host);

  /**
   * Makes the counters that devices of the same inventory draw on (KEP-4815). A counter set keeps
   * its name and its units for as long as the hardware is in the machine, over restarts and in
   * every release of the driver: what claims of an earlier release draw is counted by that name.
   *
   * @param host what is on the host
   * @return the counter sets; empty by default
   */
  default List<CounterSet> sharedCounters(HostInventory host) {
    return List.of();
  }

  /**
   * Makes the pools of the driver. By default there is one, {@link #NODE_POOL}, with the devices of
   * {@link #discover} and the counters of {@link #sharedCounters}. A driver with more pools
   * overrides this method:
   *
   * <pre>{@code
   * return Map.of(
   *     NODE_POOL, DevicePool.of(discover(host), sharedCounters(host)),
   *     "fabric-7", DevicePool.of(ports(host), List.of()).toBuilder()
   *         .nodeSelection(NodeSelection.ALL_NODES).build());
   * }</pre>
   *
   * <p>A pool that is not in the map is withdrawn; a pool without devices stays, and is empty. A
   * device of one pool is never in another one. A pool whose devices other nodes can use is offered
   * by the driver of one node only, since the slices of a pool have one writer.
   *
   * @param host what is on the host
   * @return the pools by name, each name of DNS subdomains separated by slashes, at most 253 bytes
   *     (resource.k8s.io/v1, ResourcePool.name)
   */
  default Map<String, DevicePool> offers(HostInventory host) {
    List<Device> devices = Objects.requireNonNull(discover(host), "discover answered null");
    List<CounterSet> counters =
        Objects.requireNonNull(sharedCounters(host), "sharedCounters answered null");
    return Map.of(NODE_POOL, DevicePool.of(devices, counters));
  }

  /**
   * Returns the taints of devices that {@link #discover} does not show as they are: a network
   * interface in a pod, for example, which the host does not see. Called after each {@link #offers}
   * with the same facts. Taints of a device that was offered just now are added to its own. A
   * device that a claim has and that was not offered just now has these taints; without an entry
   * here it keeps those that it had when its claim was prepared.
   *
   * @param host what is on the host
   * @return taints by name of the device in the pool of the node; empty by default
   */
  default Map<String, List<DeviceTaint>> taints(HostInventory host) {
    return Map.of();
  }
}
