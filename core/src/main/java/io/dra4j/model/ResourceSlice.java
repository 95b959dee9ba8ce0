package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices, or the counters they share, as one driver publishes them for one pool (KEP-4381).
 *
 * @param metadata name and labels; the name decides the order of the slices in a pool
 * @param driver the driver's name
 * @param pool the pool that the slice is a part of
 * @param nodeSelection from where the devices can be used
 * @param perDeviceNodeSelection whether each device says so itself; {@code null} when not given
 * @param devices the devices; their order is the order in which they are tried
 * @param sharedCounters counters for the devices of the pool
 * @param partitionTypeAttribute the attribute that tells partitions of different shape apart, or
 *     {@code null}
 * @param skipNodeOperations kubelet calls that the driver does without: {@code
 *     NodePrepareResources}, {@code NodeUnprepareResources} or {@code *} for both
 */
public record ResourceSlice(
    ObjectMeta metadata,
    String driver,
    ResourcePool pool,
    NodeSelection nodeSelection,
    @Nullable Boolean perDeviceNodeSelection,
    List<Device> devices,
    List<CounterSet> sharedCounters,
    @Nullable String partitionTypeAttribute,
    List<String> skipNodeOperations)
    implements KubernetesObject {

  /** Copies the lists. {@inheritDoc} */
  public ResourceSlice {
    devices = List.copyOf(devices);
    sharedCounters = List.copyOf(sharedCounters);
    skipNodeOperations = List.copyOf(skipNodeOperations);
  }

  /**
   * A slice that is a whole pool of devices on one node, as node-local drivers publish it.
   *
   * @param name the slice's name
   * @param driver the driver's name
   * @param nodeName the node, also the pool's name
   * @param devices the devices
   * @return the slice, generation 1 of 1
   */
  public static ResourceSlice onNode(
      String name, String driver, String nodeName, List<Device> devices) {
    return new ResourceSlice(
        ObjectMeta.named(name),
        driver,
        new ResourcePool(nodeName, 1, 1),
        NodeSelection.ofNode(nodeName),
        null,
        devices,
        List.of(),
        null,
        List.of());
  }

  /**
   * The same slice with other devices.
   *
   * @param newDevices the devices
   * @return the slice with these devices
   */
  public ResourceSlice withDevices(List<Device> newDevices) {
    return new ResourceSlice(
        metadata,
        driver,
        pool,
        nodeSelection,
        perDeviceNodeSelection,
        newDevices,
        sharedCounters,
        partitionTypeAttribute,
        skipNodeOperations);
  }

  /**
   * The identity of one of the slice's devices.
   *
   * @param device the device
   * @return driver, pool and device name
   */
  public DeviceId idOf(Device device) {
    return new DeviceId(driver, pool.name(), device.name());
  }
}
