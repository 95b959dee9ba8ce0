package io.dra4j.placement;

import io.dra4j.placement.internal.server.Hungarian;
import io.dra4j.placement.internal.server.PathRates;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Servers for tests: a letter for each device, in the order in which allocators try them. */
public final class Shapes {

  /** MB/s by class, as NCCL has them on Sapphire Rapids with PCIe 5.0. */
  public static final PathRates RATES = rates(48_000, 48_000, 48_000, 40_000, 40_000, 22_000);

  private Shapes() {}

  /** Same card, switch, switches, host bridge, NUMA node, system. */
  static PathRates rates(long... byClass) {
    return PathRates.of(
        type ->
            switch (type) {
              case SELF, SAME_CARD -> byClass[0];
              case SWITCH -> byClass[1];
              case MULTI_SWITCH -> byClass[2];
              case HOST_BRIDGE -> byClass[3];
              case HOST_BRIDGE_OR_NUMA_NODE, NUMA_NODE -> byClass[4];
              case UNKNOWN, SYSTEM -> byClass[5];
            });
  }

  /** A device by its place: NUMA node, root, switch; -1 for none. */
  public record Place(int numaNode, int root, int outer, int inner) {}

  /** Makes a shape and its topology. */
  public static Server server(List<Place> gpus, List<Place> nics, PathRates rates, long rootLimit) {
    return server(gpus, nics, rates, rootLimit, 0);
  }

  /** The same where others have so many pairs across NUMA nodes. */
  private static Server server(
      List<Place> gpus, List<Place> nics, PathRates rates, long rootLimit, int rootUsers) {
    List<TopologyDevice> devices = new ArrayList<>();
    List<NumaNode> nodes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      nodes.add(new NumaNode(i, "", OptionalInt.empty(), List.of()));
    }
    int number = 0;
    for (Place place : gpus) {
      devices.add(device(number++, DeviceKind.GPU, place));
    }
    for (Place place : nics) {
      devices.add(device(number++, DeviceKind.NIC, place));
    }
    HostTopology host = HostTopology.builder().devices(devices).numaNodes(nodes).build();
    PathTree tree = PathTree.of(host, devices).orElseThrow();
    int[] gpuPlaces = new int[gpus.size()];
    int[] nicPlaces = new int[nics.size()];
    for (int i = 0; i < gpuPlaces.length; i++) {
      gpuPlaces[i] = i;
    }
    for (int i = 0; i < nicPlaces.length; i++) {
      nicPlaces[i] = gpuPlaces.length + i;
    }
    return new Server(
        host,
        devices,
        gpus.size(),
        rates,
        new ServerTree(tree, gpuPlaces, nicPlaces, rates, rootLimit, null, null, rootUsers));
  }

  private static TopologyDevice device(int number, DeviceKind kind, Place place) {
    List<PciAddress> bridges = new ArrayList<>();
    if (place.outer >= 0) {
      bridges.add(new PciAddress(place.root, 1, place.outer, 0));
      if (place.inner >= 0) {
        bridges.add(new PciAddress(place.root, 2, place.inner, 0));
      }
      bridges.add(new PciAddress(place.root, 3 + Math.max(0, place.inner), number % 32, 0));
    }
    return TopologyDevice.of(
        new PciAddress(100 + place.root, 0x80 + number, 0, 0),
        kind,
        new Location("pci%04x:00".formatted(place.root), bridges, OptionalInt.of(place.numaNode)));
  }

  /**
   * A server as a shape and as a topology.
   *
   * @param gpus how many of the devices, which come first
   */
  public record Server(
      HostTopology host,
      List<TopologyDevice> devices,
      int gpus,
      PathRates rates,
      ServerTree shape) {

    /** The heaviest matching of a set, without the tree. */
    public long hungarian(long someGpus, long someNics) {
      List<Integer> rows = places(someGpus, 0);
      List<Integer> columns = places(someNics, gpus);
      if (rows.isEmpty() || columns.isEmpty()) {
        return 0;
      }
      long[][] weights = new long[rows.size()][columns.size()];
      for (int i = 0; i < rows.size(); i++) {
        for (int j = 0; j < columns.size(); j++) {
          PathType type =
              host.path(devices.get(rows.get(i)).id(), devices.get(columns.get(j)).id());
          weights[i][j] = (rates.of(type) << ServerTree.RATE_SHIFT) + ServerTree.unit(type);
        }
      }
      return Hungarian.weight(weights, Hungarian.match(weights));
    }

    private static List<Integer> places(long mask, int first) {
      List<Integer> places = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        if ((mask & ServerTree.bit(i)) != 0) {
          places.add(first + i);
        }
      }
      return places;
    }
  }

  /** Eight roots of one GPU and one NIC, four in each NUMA node. */
  public static Server eightPairs() {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      places.add(new Place(i / 4, i, 0, -1));
    }
    return server(places, places, RATES, -1);
  }

  /** Four switches with two GPUs and two NICs, two in each NUMA node. */
  public static Server fourByTwo() {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      places.add(new Place(i / 4, i / 2, 0, -1));
    }
    return server(places, places, RATES, -1);
  }

  /** Two NUMA nodes of four GPUs and four NICs, each with a root of its own. */
  public static Server azure() {
    List<Place> gpus = new ArrayList<>();
    List<Place> nics = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(new Place(i / 4, i, -1, -1));
      nics.add(new Place(i / 4, 16 + i, -1, -1));
    }
    return server(gpus, nics, RATES, -1);
  }

  /** Anything, with limits of the link between sockets now and then. */
  public static Server random(SplittableRandom random, int most) {
    List<Place> gpus = new ArrayList<>();
    List<Place> nics = new ArrayList<>();
    int numaNodes = 1 + random.nextInt(3);
    int gpuCount = 1 + random.nextInt(most);
    int nicCount = 1 + random.nextInt(most);
    for (int i = 0; i < gpuCount; i++) {
      gpus.add(place(random, numaNodes));
    }
    for (int i = 0; i < nicCount; i++) {
      nics.add(place(random, numaNodes));
    }
    PathRates rates =
        random.nextBoolean()
            ? RATES
            : rates(60_000, 50_000, 45_000, 30_000 + random.nextInt(10_000), 30_000, 9_000);
    return server(
        gpus,
        nics,
        rates,
        random.nextInt(3) == 0 ? 5_000 + random.nextInt(40_000) : -1,
        random.nextInt(3));
  }

  private static Place place(SplittableRandom random, int numaNodes) {
    int numaNode = random.nextInt(numaNodes);
    int outer = random.nextInt(3) - 1;
    return new Place(
        numaNode, numaNode * 3 + random.nextInt(3), outer, outer < 0 ? -1 : random.nextInt(3) - 1);
  }
}
