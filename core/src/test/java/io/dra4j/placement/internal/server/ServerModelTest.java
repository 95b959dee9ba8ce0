package io.dra4j.placement.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dra4j.common.Budget;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.selection.NvLinkRingSearch;
import io.dra4j.placement.internal.selection.PairFlow;
import io.dra4j.placement.internal.selection.Scorer;
import io.dra4j.topology.CpuModel;
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
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerModelTest {

  private static final int PAIRS = 4;

  /** Four GPUs, each with a NIC on its switch, two of each in each NUMA node. */
  private static ServerModelBuilder pairs(
      List<DirectLink> links, @Nullable CpuModel cpu, String capability) {
    return pairs(PAIRS, links, cpu, capability);
  }

  private static ServerModelBuilder pairs(
      int count, List<DirectLink> links, @Nullable CpuModel cpu, String capability) {
    List<@Nullable TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 2 * count; i++) {
      int pair = i % count;
      devices.add(
          TopologyDevice.of(
              new PciAddress(0, 0x10 + pair, i / count, 0),
              i < count ? DeviceKind.GPU : DeviceKind.NIC,
              new Location(
                  "cpu:" + 2 * pair / count,
                  List.of(new PciAddress(0, 0xd0 + pair, 0, 0)),
                  OptionalInt.of(2 * pair / count))));
    }
    List<TopologyDevice> known = devices.stream().map(device -> device).toList();
    HostTopology host =
        HostTopology.builder()
            .overlay(
                TreeOverlay.builder(
                        "pairs.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
                    .devices(known)
                    .links(links)
                    .cpu(cpu)
                    .build())
            .build();
    return new ServerModelBuilder(
        host, LinkModel.nccl(), devices, Collections.nCopies(devices.size(), capability));
  }

  private static String gpu(int number) {
    return new PciAddress(0, 0x10 + number, 0, 0).toString();
  }

  private static DirectLink c2c(int gpu, int megabytesPerSecond) {
    return new DirectLink(
        gpu(gpu), DirectLink.numaNode(gpu / 2), DirectLink.Type.C2C, 10, megabytesPerSecond);
  }

  @Test
  void nearerPairsUseTheLinkToTheProcessorAsWell() {
    ServerModel kind = pairs(List.of(c2c(0, 45_000), c2c(1, 45_000)), null, "9.0").build();

    assertThat(kind.type(0, 0)).isEqualTo(PathType.SWITCH);
    assertThat(kind.rate(0, 0)).isEqualTo(50);
    assertThat(kind.rate(0, 1)).isEqualTo(50);
    assertThat(kind.rate(0, 2)).isEqualTo(22);
  }

  @Test
  void linksToTheProcessorOfAnyRateAreRead() {
    ServerModel kind = pairs(List.of(c2c(0, 250_000_000)), null, "9.0").build();

    assertThat(kind.rate(0, 1)).isEqualTo(50);
  }

  @Test
  void pairsOfAnyRateCanBeAdded() throws Exception {
    LinkModel model =
        LinkModel.parse(
            "fast.json",
            """
            {"name": "fast", "assumed": {"pcieGigabytesPerSecond": 100000,
             "nicGigabytesPerSecond": 100000}}
            """);
    List<@Nullable TopologyDevice> devices = new ArrayList<>();
    int bus = 0x10;
    for (DeviceKind kind : List.of(DeviceKind.GPU, DeviceKind.NIC)) {
      devices.add(
          TopologyDevice.of(
              new PciAddress(0, bus++, 0, 0),
              kind,
              new Location("cpu:0", List.of(new PciAddress(0, 0xd0, 0, 0)), OptionalInt.of(0))));
    }
    HostTopology host =
        HostTopology.builder()
            .overlay(
                TreeOverlay.builder(
                        "pair.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
                    .devices(devices.stream().map(device -> device).toList())
                    .build())
            .build();
    ServerModel kind = new ServerModelBuilder(host, model, devices, List.of("", "")).build();
    ServerOccupancy use = new ServerOccupancy(-1, -1, ServerOccupancy.Others.NONE);

    assertThat(kind.rate(0, 0)).isEqualTo(100_000);
    assertThat(Math.multiplyExact(PairFlow.worth(kind, use, 0, 0), Scorer.MAX_SIDE)).isPositive();
  }

  @Test
  void longerPathsAreNoFasterWhateverLinksThereAre() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      List<DirectLink> links = new ArrayList<>();
      for (int i = 0; i < PAIRS; i++) {
        if (random.nextBoolean()) {
          links.add(c2c(i, random.nextInt(10_000)));
        }
      }
      CpuModel cpu = random.nextBoolean() ? null : new CpuModel("x86_64", "AuthenticAMD", 25, 17);
      ServerModel kind = pairs(links, cpu, "9.0").build();
      for (int gpu = 0; gpu < PAIRS; gpu++) {
        for (int nic = 0; nic < PAIRS; nic++) {
          for (int other = 0; other < PAIRS; other++) {
            if (kind.type(gpu, nic).isWithin(kind.type(gpu, other))) {
              assertThat(kind.rate(gpu, nic)).isGreaterThanOrEqualTo(kind.rate(gpu, other));
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void gpusDifferWhereOnlyOneHasALinkToItsProcessor(int which) {
    ServerModel kind = pairs(List.of(c2c(which, 45_000)), null, "9.0").build();

    assertThat(kind.chooser(ServerTree.bit(0) | ServerTree.bit(1), ServerTree.bit(0), 0)).isEmpty();
    assertThat(kind.chooser(ServerTree.bit(which), ServerTree.bit(0), 0)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"7.0, 120", "9.0, 370.8"})
  void linksThatAGpuDoesNotHaveGoThroughSwitches(String capability, double ring) {
    List<DirectLink> links = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      for (int j = i + 1; j < PAIRS; j++) {
        links.add(new DirectLink(gpu(i), gpu(j), DirectLink.Type.NVLINK, 6));
      }
    }

    assertThat(pairs(links, null, capability).build().nvLinks.ring(0, 1, 2, 3)).isEqualTo(ring);
  }

  @ParameterizedTest
  @CsvSource({"8, 144.2", "9, 164.8"})
  void ringsOfManyGpusAreFoundWithoutLookingAtAllSets(int count, double ring) throws Exception {
    List<DirectLink> links = new ArrayList<>();
    for (int i = 9; i < 18; i++) {
      for (int j = 9; j < i; j++) {
        links.add(new DirectLink(gpu(i), gpu(j), DirectLink.Type.NVLINK, 1));
      }
    }
    ServerModel kind = pairs(18, links, null, "9.0").build();
    long all = -1L << 46;
    long best =
        new NvLinkRingSearch(kind, Objective.BEST, Budget.unlimited())
            .best(all, count, all, all)
            .orElseThrow();

    int[] gpus = new int[count];
    for (int i = 0; i < count; i++) {
      gpus[i] = Long.numberOfLeadingZeros(best);
      best &= ~Long.highestOneBit(best);
    }
    assertThat(best).isZero();
    assertThat(kind.nvLinks.ring(gpus)).isCloseTo(ring, within(0.01));
  }

  @Test
  void packTakesGpusThatNobodyElseCanPair() throws Exception {
    List<DirectLink> links =
        List.of(
            new DirectLink(gpu(0), gpu(1), DirectLink.Type.NVLINK, 4),
            new DirectLink(gpu(2), gpu(3), DirectLink.Type.NVLINK, 1));
    ServerModel kind = pairs(links, null, "9.0").build();
    long all = -1L << 60;
    long free = ServerTree.bit(0) | ServerTree.bit(1);

    assertThat(
            new NvLinkRingSearch(kind, Objective.BEST, Budget.unlimited()).best(all, 2, all, free))
        .contains(ServerTree.bit(0) | ServerTree.bit(1));
    assertThat(
            new NvLinkRingSearch(kind, Objective.PACK, Budget.unlimited()).best(all, 2, all, free))
        .contains(ServerTree.bit(2) | ServerTree.bit(3));
  }

  @Test
  void theNameOfAProcessorCanBeLong() {
    CpuModel cpu = new CpuModel("x86_64", "x".repeat(70_000), 6, 1);

    assertThat(pairs(List.of(), cpu, "9.0").signature())
        .isEqualTo(pairs(List.of(), cpu, "9.0").signature())
        .isNotEqualTo(pairs(List.of(), null, "9.0").signature());
    assertThat(pairs(List.of(), cpu, "9.0").signature().remaining()).isEqualTo(32);
  }
}
