package io.dra4j.benchmarks;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jol.info.GraphStats;

/**
 * Measures with JOL what an inventory takes in memory, and prints one line of JSON: once as it is
 * made, once after a claim was tried on every node, so that what is remembered counts, too.
 *
 * <p>Values that several devices have are counted apart: names and values of attributes and
 * capacities, and the names of devices. What is left, divided by the number of devices, is what one
 * more device costs; its share of slices, nodes and indexes is in it.
 */
public final class InventoryFootprint {

  private InventoryFootprint() {}

  /**
   * Runs the measurement.
   *
   * @param args the number of nodes, and of devices on each
   */
  public static void main(String[] args) {
    if (args.length != 2) {
      throw new IllegalArgumentException("want NODES DEVICES");
    }
    int nodes = Integer.parseInt(args[0]);
    int devicesPerNode = Integer.parseInt(args[1]);
    long devices = (long) nodes * devicesPerNode;
    DeviceInventory inventory = DeviceInventory.of(new Servers(devicesPerNode).cluster(nodes));
    long shared = sharedBytes(inventory.publishedSlices());
    long made = GraphStats.parseInstance(inventory).totalSize();
    claimOnEachNode(inventory, nodes);
    long used = GraphStats.parseInstance(inventory).totalSize();
    System.out.printf(
        Locale.ROOT,
        "{\"devices\":%d,\"sharedBytes\":%d,\"bytesPerDevice\":%.1f,\"bytesPerDeviceUsed\":%.1f}%n",
        devices,
        shared,
        (double) (made - shared) / devices,
        (double) (used - shared) / devices);
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
