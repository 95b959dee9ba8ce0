package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.Device;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.selection.Scorer;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.topology.PathType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers whose devices do not all say where they are. */
class SparseServersTest {

  private static final int ROUNDS = Integer.getInteger("sparse-servers", 400);

  private static Device device(String name, int numaNode) {
    Device.Builder device = Device.named(name);
    return numaNode < 0
        ? device.build()
        : device.attribute(StandardAttributes.NUMA_NODE, numaNode).build();
  }

  private static List<Device> devices(String kind, int... numaNodes) {
    List<Device> devices = new ArrayList<>();
    for (int numaNode : numaNodes) {
      devices.add(device(kind + devices.size(), numaNode));
    }
    return devices;
  }

  private static PlacementScore score(Servers server, int gpus, int nics) {
    return Servers.score(
        server.allocate(PlacementPolicy.best(), Servers.claim(gpus, nics).build()));
  }

  @Test
  void nicsOfUnknownPlaceShareNoLinkBetweenSockets() {
    Servers server = Servers.of(devices("gpu-", 0, 0), devices("nic-", -1, -1, 1, 1));
    AllocationOutcome outcome =
        server.allocate(PlacementPolicy.best(), Servers.claim(2, 2).build());

    assertThat(Servers.names(outcome)).isEqualTo("gpu-0 gpu-1 nic-0 nic-1");
    assertThat(Servers.score(outcome).gigabytesPerSecond()).isEqualTo(44);
  }

  @Test
  void anUnknownPathIsNearerThanOneAcrossNumaNodes() {
    Servers server = Servers.of(devices("gpu-", 0), devices("nic-", 1, -1));

    assertThat(server.devices(PlacementPolicy.best(), Servers.claim(1, 1).build()))
        .isEqualTo("gpu-0 nic-1");
  }

  @Test
  void pairsOfASetAreMadeWhereTheyShareNothing() {
    Servers server = Servers.of(devices("gpu-", 0, 0, -1, -1), devices("nic-", 1, 1, -1, -1));

    assertThat(score(server, 4, 4).gigabytesPerSecond()).isEqualTo(88);
  }

  @Test
  void pairsOfOthersThatNobodyKnowsOfShareNoLinkBetweenSockets() {
    Servers server =
        Servers.of(devices("gpu-", 0, 0, 0), devices("nic-", -1, 1, 1)).busy("gpu-0", "nic-0");
    assertThat(score(server, 1, 1).gigabytesPerSecond()).isEqualTo(22);
    server.busy("gpu-1", "nic-1");
    assertThat(score(server, 1, 1).gigabytesPerSecond()).isEqualTo(11);
  }

  @Test
  void aPathThatFollowsFromOthersIsKnown() {
    // Of the devices on the root only gpu-1 says its NUMA node.
    List<Device> gpus =
        List.of(
            onRoot("gpu-0").build(),
            onRoot("gpu-1").attribute(StandardAttributes.NUMA_NODE, 0).build());
    Servers near = Servers.of(gpus, devices("nic-", 0)).busy("gpu-1");
    assertThat(score(near, 1, 1).paths()).containsOnlyKeys(PathType.NUMA_NODE);
    Servers far = Servers.of(gpus, devices("nic-", 1)).busy("gpu-1");
    assertThat(score(far, 1, 1).paths()).containsOnlyKeys(PathType.SYSTEM);
  }

  private static Device.Builder onRoot(String name) {
    return Device.named(name).attribute(StandardAttributes.PCIE_ROOT, "pci0000:00");
  }

  /** Devices on some roots, of which each kind says both root and NUMA node, or less. */
  private static List<Device> some(SplittableRandom random, String kind, int size, int roots) {
    int says = random.nextInt(4);
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int root = random.nextInt(roots);
      Device.Builder device = Device.named(kind + i);
      if (says < 2 || (says == 2 && random.nextInt(3) > 0)) {
        device.attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted(root));
      }
      if (says % 3 == 0 || (says == 2 && random.nextInt(3) > 0)) {
        device.attribute(StandardAttributes.NUMA_NODE, root % 2);
      }
      devices.add(device.build());
    }
    return devices;
  }

  @Test
  void noSetIsBetterThanTheBestOne() throws Exception {
    for (int seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int roots = 1 + random.nextInt(4);
      int gpus = 2 + random.nextInt(3);
      int nics = 2 + random.nextInt(3);
      Servers server =
          Servers.of(some(random, "gpu-", gpus, roots), some(random, "nic-", nics, roots));
      int ofGpus = 1 + random.nextInt(Math.min(3, gpus));
      int ofNics = 1 + random.nextInt(Math.min(3, nics));

      assertThat(score(server, ofGpus, ofNics).rank())
          .as("seed %d", seed)
          .isEqualTo(best(server, ofGpus, ofNics).rank());
    }
  }

  /** The value of the best of all sets. */
  private static Scorer.Value best(Servers server, int gpus, int nics) throws Exception {
    DeviceInventory inventory = server.inventory();
    NodeView view = Servers.view(inventory);
    ServerModel kind = PolicyEngine.of(PlacementPolicy.best()).kind(view, Budget.unlimited());
    Scorer scorer =
        new Scorer(
            kind,
            Objective.BEST,
            ServerOccupancy.of(inventory, view, view::candidate, view::isTaken, kind),
            null);
    Scorer.@Nullable Value best = null;
    for (List<Integer> someGpus : sets(kind.gpus(), gpus)) {
      for (List<Integer> someNics : sets(kind.nics(), nics)) {
        Scorer.Value value = scorer.value(someGpus, someNics);
        best = best == null || value.isBetterThan(best, false) ? value : best;
      }
    }
    return Objects.requireNonNull(best);
  }

  private static List<List<Integer>> sets(int of, int size) {
    List<List<Integer>> sets = new ArrayList<>();
    for (int mask = 0; mask < 1 << of; mask++) {
      if (Integer.bitCount(mask) == size) {
        List<Integer> set = new ArrayList<>();
        for (int i = 0; i < of; i++) {
          if ((mask >> i & 1) != 0) {
            set.add(i);
          }
        }
        sets.add(set);
      }
    }
    return sets;
  }
}
