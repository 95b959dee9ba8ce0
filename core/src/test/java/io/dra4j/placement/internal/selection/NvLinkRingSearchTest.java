package io.dra4j.placement.internal.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.Servers;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerModelBuilder;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * GPUs alone, beside the rule that NVIDIA/go-gpuallocator publishes for its best-effort policy: 100
 * points for each NVLink between two GPUs, 10 to 60 for the PCIe path between them; of all ways to
 * divide the free GPUs into sets of the wanted size the one with most points, and of that the set
 * with most.
 */
class NvLinkRingSearchTest {

  static List<Machine> machines() {
    return List.of(
        // The cube mesh of P100: one link to each GPU of the same half, one to the other half.
        new Machine(
            "DGX-1 with P100",
            "01111000",
            "10110100",
            "11010010",
            "11100001",
            "10000111",
            "01001011",
            "00101101",
            "00011110"),
        // The cube mesh of V100, where some neighbours have two links.
        new Machine(
            "DGX-1 with V100",
            "01122000",
            "10210200",
            "12020010",
            "21200001",
            "20000112",
            "02001021",
            "00101202",
            "00012120"),
        new Machine(
            "pairs with bridges",
            "02000000",
            "20000000",
            "00020000",
            "00200000",
            "00000200",
            "00002000",
            "00000000",
            "00000000"));
  }

  /** A server by the NVLinks between its GPUs; two GPUs on a switch, four on a processor. */
  private static final class Machine {
    private final String name;
    private final int[][] links = new int[8][8];

    Machine(String name, String... rows) {
      this.name = name;
      for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
          links[i][j] = rows[i].charAt(j) - '0';
        }
      }
    }

    @Override
    public String toString() {
      return name;
    }

    private static TopologyDevice gpu(int number) {
      return TopologyDevice.of(
          new PciAddress(0, 0x10 + number, 0, 0),
          DeviceKind.GPU,
          new Location(
              "cpu:" + number / 4,
              List.of(new PciAddress(0, 0xf0 + number / 2, 0, 0)),
              OptionalInt.of(number / 4)));
    }

    List<TopologyDevice> gpus() {
      return IntStream.range(0, 8).mapToObj(Machine::gpu).toList();
    }

    TreeOverlay overlay() {
      List<DirectLink> direct = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        for (int j = 0; j < i; j++) {
          if (links[i][j] > 0) {
            direct.add(
                new DirectLink(gpu(i).id(), gpu(j).id(), DirectLink.Type.NVLINK, links[i][j]));
          }
        }
      }
      return TreeOverlay.builder("gpus.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
          .devices(gpus())
          .links(direct)
          .build();
    }

    ServerModel kind() {
      HostTopology host = HostTopology.builder().overlay(overlay()).build();
      List<@Nullable TopologyDevice> devices = new ArrayList<>(gpus());
      return new ServerModelBuilder(host, LinkModel.nccl(), devices, Collections.nCopies(8, "7.0"))
          .build();
    }

    int points(int a, int b) {
      PathType path = a / 2 == b / 2 ? PathType.SWITCH : PathType.HOST_BRIDGE;
      int pcie = a / 4 != b / 4 ? 10 : path == PathType.SWITCH ? 50 : 30;
      return 100 * links[a][b] + pcie;
    }

    int points(long set) {
      int sum = 0;
      for (int a = 0; a < 8; a++) {
        for (int b = 0; b < a; b++) {
          sum += has(set, a) && has(set, b) ? points(a, b) : 0;
        }
      }
      return sum;
    }
  }

  private static boolean has(long set, int gpu) {
    return (set & ServerTree.bit(gpu)) != 0;
  }

  /** The best-effort rule. */
  private static final class BestEffort {
    private final Machine machine;
    private final int size;
    private int bestPoints = -1;
    private long bestSet;

    BestEffort(Machine machine, int size) {
      this.machine = machine;
      this.size = size;
    }

    long choose(long free) {
      divide(free, 0, 0, 0, false);
      return bestSet;
    }

    /** The first GPU that is left is in a whole set, or once in the one that is not full. */
    private void divide(long rest, int points, long set, int pointsOfSet, boolean partUsed) {
      if (rest == 0) {
        if (points > bestPoints && set != 0) {
          bestPoints = points;
          bestSet = set;
        }
        return;
      }
      long first = Long.highestOneBit(rest);
      int missing = Long.bitCount(rest) % size;
      List<Integer> sizes = missing == 0 || partUsed ? List.of(size) : List.of(size, missing);
      for (int wanted : sizes) {
        if (Long.bitCount(rest) < wanted) {
          continue;
        }
        for (long other = rest & ~first; ; other = (other - 1) & rest & ~first) {
          if (Long.bitCount(other) == wanted - 1) {
            long next = other | first;
            int own = machine.points(next);
            boolean whole = wanted == size;
            boolean better = whole && (set == 0 || own > pointsOfSet);
            divide(
                rest & ~next,
                points + own,
                better ? next : set,
                better ? own : pointsOfSet,
                partUsed || !whole);
          }
          if (other == 0) {
            break;
          }
        }
      }
    }
  }

  private static double ring(ServerModel kind, long set) {
    int[] gpus = new int[Long.bitCount(set)];
    int next = 0;
    for (int i = 0; i < 8; i++) {
      if (has(set, i)) {
        gpus[next++] = i;
      }
    }
    return kind.nvLinks.ring(gpus);
  }

  @ParameterizedTest
  @MethodSource("machines")
  void isNeverBelowGoGpuAllocator(Machine machine) throws Exception {
    ServerModel kind = machine.kind();
    assertThat(kind.nvLinks.differ()).isTrue();
    int faster = 0;
    for (int free = 1; free < 256; free++) {
      long some = (long) free << 56;
      for (int size = 2; size <= Long.bitCount(some); size++) {
        long theirs = new BestEffort(machine, size).choose(some);
        long ours =
            new NvLinkRingSearch(kind, Objective.BEST, Budget.unlimited())
                .best(some, size, some, 0)
                .orElseThrow();

        assertThat(Long.bitCount(theirs)).isEqualTo(size);
        assertThat(Long.bitCount(ours)).isEqualTo(size);
        assertThat(ours & ~some).isZero();
        assertThat(ring(kind, ours))
            .as("%d of %s: %s, theirs %s", size, bits(some), bits(ours), bits(theirs))
            .isGreaterThanOrEqualTo(ring(kind, theirs));
        faster += ring(kind, ours) > ring(kind, theirs) ? 1 : 0;
        if (ring(kind, ours) == ring(kind, theirs)) {
          assertThat(machine.points(ours))
              .as("%d of %s: %s, theirs %s", size, bits(some), bits(ours), bits(theirs))
              .isGreaterThanOrEqualTo(machine.points(theirs));
        }
      }
    }
    assertThat(faster).isPositive();
  }

  @Test
  void gpusThatNvLinkConnectsComeBeforePartsThatAreConnectedBetter() {
    Machine machine =
        new Machine(
            "two pairs, and a ring of four",
            "06000000",
            "60000000",
            "00060000",
            "00600000",
            "00000202",
            "00002020",
            "00000202",
            "00002020");
    List<Device> gpus = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      gpus.add(
          Device.named("gpu-" + i)
              .attribute(StandardAttributes.PCI_BUS_ID, Machine.gpu(i).id())
              .build());
    }
    Servers server = Servers.of(gpus, List.of());
    PlacementPolicy best = PlacementPolicy.best().withOverlays(node -> List.of(machine.overlay()));
    AllocationOutcome ring = server.allocate(best, Servers.claim(4, 0).build());
    assertThat(Servers.names(ring)).isEqualTo("gpu-4 gpu-5 gpu-6 gpu-7");
    assertThat(Servers.score(ring).explanation())
        .isEqualTo("a ring over 4 GPUs carries at most 80 GB/s by NVLink");

    PlacementPolicy first =
        PlacementPolicy.firstFit().withOverlays(node -> List.of(machine.overlay()));
    PlacementScore parts = Servers.score(server.allocate(first, Servers.claim(4, 0).build()));
    assertThat(parts.nvLinkGigabytesPerSecond()).isZero();
    assertThat(parts.explanation()).isEqualTo("4 GPUs that NVLink does not connect to one ring");
  }

  private static String bits(long set) {
    return Long.toBinaryString(set >>> 56);
  }
}
