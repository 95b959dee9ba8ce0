package io.dra4j.benchmarks;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jol.info.GraphStats;

/**
 * Measures what an inventory takes in memory, and prints one line of JSON: once as it is made, once
 * after a claim was tried on every node, so that what is remembered counts, too. JOL walks through
 * the objects of at most 10,000 nodes, since its walk through millions takes long; for all nodes
 * the heap reports, by what is in use before and after.
 *
 * <p>Values that several devices have are counted apart: names and values of attributes and
 * capacities, and the names of devices. What is left, divided by the number of devices, is what one
 * more device costs; its share of slices, nodes and indexes is in it.
 */
public final class InventoryFootprint {

  private static final int WALKED_NODES = 10_000;

  private InventoryFootprint() {}

  /**
   * Runs the measurement.
   *
   * @param args the number of nodes, and of devices on each
   */
  public static void main(String[] args) {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected NODES DEVICES");
    }
    int nodes = Integer.parseInt(args[0]);
    int devicesPerNode = Integer.parseInt(args[1]);
    Footprint walked = walk(Math.min(nodes, WALKED_NODES), devicesPerNode);
    Footprint all = heap(nodes, devicesPerNode);
    System.out.printf(
        Locale.ROOT,
        "{\"walkedDevices\":%d,\"sharedBytes\":%d,\"bytesPerDevice\":%.1f,"
            + "\"bytesPerDeviceUsed\":%.1f,\"devices\":%d,\"heapBytesPerDevice\":%.1f,"
            + "\"heapBytesPerDeviceUsed\":%.1f}%n",
        walked.devices,
        walked.shared,
        walked.perDevice(walked.made),
        walked.perDevice(walked.used),
        all.devices,
        all.perDevice(all.made),
        all.perDevice(all.used));
  }

  /**
   * Bytes of an inventory.
   *
   * @param devices how many devices it has
   * @param shared values that several devices have
   * @param made all of it, as it is made
   * @param used all of it, after a claim was tried on every node
   */
  private record Footprint(long devices, long shared, long made, long used) {
    double perDevice(long bytes) {
      return (double) (bytes - shared) / devices;
    }
  }

  private static Footprint walk(int nodes, int devicesPerNode) {
    DeviceInventory inventory = DeviceInventory.of(new Servers(devicesPerNode).cluster(nodes));
    long shared = sharedBytes(inventory.publishedSlices());
    long made = GraphStats.parseInstance(inventory).totalSize();
    claimOnEachNode(inventory, nodes);
    long used = GraphStats.parseInstance(inventory).totalSize();
    return new Footprint((long) nodes * devicesPerNode, shared, made, used);
  }

  private static Footprint heap(int nodes, int devicesPerNode) {
    claimOnEachNode(DeviceInventory.of(new Servers(devicesPerNode).cluster(1)), 1); // loads classes
    long before = heapInUse();
    DeviceInventory inventory = DeviceInventory.of(new Servers(devicesPerNode).cluster(nodes));
    try {
      long made = heapInUse() - before;
      claimOnEachNode(inventory, nodes);
      long used = heapInUse() - before;
      return new Footprint((long) nodes * devicesPerNode, 0, made, used);
    } finally {
      Reference.reachabilityFence(inventory);
    }
  }

  private static long heapInUse() {
    for (int i = 0; i < 3; i++) {
      System.gc(); // references that are weak go with the next one
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long sharedBytes(List<ResourceSlice> slices) {
    IdentityHashMap<Object, Integer> uses = new IdentityHashMap<>();
    for (ResourceSlice slice : slices) {
      for (Device device : slice.devices()) {
        uses.merge(device.name(), 1, Integer::sum);
        count(device.attributes(), uses);
        count(device.capacity(), uses);
      }
    }
    List<Object> shared = new ArrayList<>();
    uses.forEach(
        (value, times) -> {
          if (times > 1) {
            shared.add(value);
          }
        });
    return GraphStats.parseInstance(shared.toArray()).totalSize()
        - GraphStats.parseInstance((Object) new Object[shared.size()]).totalSize();
  }

  private static void count(Map<String, ?> named, IdentityHashMap<Object, Integer> uses) {
    named.forEach(
        (name, value) -> {
          uses.merge(name, 1, Integer::sum);
          uses.merge(value, 1, Integer::sum);
        });
  }

  private static void claimOnEachNode(DeviceInventory inventory, int nodes) {
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    List<ResourceClaim> claim = List.of(Servers.claim("claim"));
    for (int i = 0; i < nodes; i++) {
      if (!(allocator.allocate(inventory, Servers.name(i), claim) instanceof Allocated)) {
        throw new IllegalStateException(Servers.name(i) + ": no room");
      }
    }
  }
}
