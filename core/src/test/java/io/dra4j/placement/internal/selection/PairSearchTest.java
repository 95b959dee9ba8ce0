package io.dra4j.placement.internal.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.Device;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.Servers;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.Uplink;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The pairs of a set, beside all ways to pair it. */
class PairSearchTest {

  private static final String[] LINKS = {"8.0 GT/s x16", "16.0 GT/s x16", "32.0 GT/s x16"};
  private static final long[] RATES = {100_000, 200_000, 400_000};

  /** A server of two sockets whose devices have different rates, and what others have of it. */
  private static final class Case {
    final ServerModel kind;
    final ServerOccupancy use;

    Case(SplittableRandom random, int most) throws Exception {
      List<Device> gpus = new ArrayList<>();
      List<Device> nics = new ArrayList<>();
      List<TopologyDevice> places = new ArrayList<>();
      boolean switches = random.nextBoolean();
      boolean ports = random.nextInt(4) == 0;
      int size = most - random.nextInt(2);
      for (int i = 0; i < 2 * size; i++) {
        boolean gpu = i < size;
        int root = random.nextInt(4);
        PciAddress address = new PciAddress(0, 0x10 + i, 0, 0);
        Device.Builder device =
            Device.named((gpu ? "gpu-" : "nic-") + i % size)
                .attribute(StandardAttributes.PCI_BUS_ID, address.toString())
                .attribute(StandardAttributes.NUMA_NODE, root % 2);
        if (gpu) {
          device.attribute("host.dra4j.io/link", LINKS[random.nextInt(3)]);
        } else {
          device.attribute("host.dra4j.io/megabitsPerSecond", RATES[random.nextInt(3)]);
        }
        if (!gpu && ports) {
          device.attribute(
              "host.dra4j.io/physicalFunction", "0000:%02x:00.0".formatted(0x80 + root));
        }
        (gpu ? gpus : nics).add(device.build());
        Location place =
            new Location(
                "cpu:" + root % 2,
                List.of(new PciAddress(0, 0xf0 + root, 0, 0)),
                OptionalInt.of(root % 2));
        places.add(
            TopologyDevice.of(address, gpu ? DeviceKind.GPU : DeviceKind.NIC, place)
                .withRates(null, OptionalLong.empty()));
      }
      List<TopologyDevice> bridges = new ArrayList<>();
      for (int root = 0; root < 4; root++) {
        if (random.nextBoolean()) {
          bridges.add(
              TopologyDevice.of(
                      new PciAddress(0, 0xf0 + root, 0, 0),
                      DeviceKind.BRIDGE,
                      new Location("cpu:" + root % 2, List.of(), OptionalInt.of(root % 2)))
                  .withRates(
                      new PcieLink(
                          random.nextBoolean() ? 8_000 : 16_000, random.nextBoolean() ? 4 : 16),
                      OptionalLong.empty()));
        }
      }
      TopologyOverlay tree =
          TreeOverlay.builder("tree.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
              .devices(places)
              .bridges(bridges)
              .build();
      Servers server = Servers.of(gpus, nics);
      if (random.nextInt(3) == 0) {
        server.busy("gpu-0", "nic-0");
      }
      DeviceInventory inventory = server.inventory();
      NodeView view = Servers.view(inventory);
      this.kind =
          PolicyEngine.of(
                  PlacementPolicy.best().withOverlays(node -> switches ? List.of(tree) : List.of()))
              .kind(view, Budget.unlimited());
      this.use = ServerOccupancy.of(inventory, view, view::candidate, view::isTaken, kind);
    }

    /** A set of devices that nobody has. */
    List<Integer> some(SplittableRandom random, boolean gpu, int count) {
      long free = gpu ? use.freeGpus() : use.freeNics();
      List<Integer> all =
          new ArrayList<>(
              IntStream.range(0, gpu ? kind.gpus() : kind.nics())
                  .filter(i -> (free & ServerTree.bit(i)) != 0)
                  .boxed()
                  .toList());
      while (all.size() > count) {
        all.remove(random.nextInt(all.size()));
      }
      return all;
    }

    /** MB/s of the pairing that carries most; -1 if there is none whose pairs are that near. */
    long most(List<Integer> gpus, List<Integer> nics, @Nullable PathType within) {
      return most(gpus, nics, within, 0, new ArrayList<>());
    }

    private long most(
        List<Integer> gpus,
        List<Integer> nics,
        @Nullable PathType within,
        int next,
        List<int[]> pairs) {
      List<Integer> few = gpus.size() > nics.size() ? nics : gpus;
      List<Integer> many = gpus.size() > nics.size() ? gpus : nics;
      if (next == few.size()) {
        return rate(pairs, nics);
      }
      long most = -1;
      for (int other : many) {
        int gpu = few == gpus ? few.get(next) : other;
        int nic = few == gpus ? other : few.get(next);
        boolean isFree = pairs.stream().allMatch(pair -> pair[0] != gpu && pair[1] != nic);
        if (isFree && (within == null || Scorer.isWithin(kind.type(gpu, nic), within))) {
          pairs.add(new int[] {gpu, nic});
          most = Math.max(most, most(gpus, nics, within, next + 1, pairs));
          pairs.remove(pairs.size() - 1);
        }
      }
      return most;
    }

    /** What is written in the table of what pairs share. */
    private long rate(List<int[]> pairs, List<Integer> nics) {
      double sum = 0;
      for (int[] pair : pairs) {
        double rate = kind.rate(pair[0], pair[1]);
        if (kind.card(pair[1]) >= 0) {
          long users =
              IntStream.range(0, kind.nics())
                  .filter(nic -> kind.card(nic) == kind.card(pair[1]))
                  .filter(nic -> nics.contains(nic) || (use.freeNics() & ServerTree.bit(nic)) == 0)
                  .count();
          rate = Math.min(rate, kind.cardRate(kind.card(pair[1])) / users);
        }
        for (int i = 0; i < kind.uplinks.all.size(); i++) {
          Uplink uplink = kind.uplinks.all.get(i);
          long crossing =
              use.others().ofUplink(i) + pairs.stream().filter(p -> crosses(uplink, p)).count();
          if (crosses(uplink, pair) && crossing > 1) {
            rate = Math.min(rate, uplink.gigabytesPerSecond() / crossing);
          }
        }
        if (kind.type(pair[0], pair[1]) == PathType.SYSTEM) {
          long across =
              pairs.stream().filter(p -> kind.type(p[0], p[1]) == PathType.SYSTEM).count();
          rate = Math.min(rate, kind.interSocket() / (across + use.others().pairsAcross()));
        }
        sum += rate;
      }
      return Math.round(sum * 1_000);
    }

    private static boolean crosses(Uplink uplink, int[] pair) {
      return uplink.isCrossedBy(ServerTree.bit(pair[0]), ServerTree.bit(pair[1]));
    }
  }

  @Test
  void noPairsOfASetCarryMore() throws Exception {
    compare(1_500, 5);
  }

  @Test
  void noPairsOfALargerSetCarryMore() throws Exception {
    compare(40, 8);
  }

  /** Compares so many sets of servers with so many GPUs and NICs. */
  private static void compare(int rounds, int most) throws Exception {
    int searched = 0;
    for (int seed = 0; seed < rounds; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Case some = new Case(random, most);
      List<Integer> gpus = some.some(random, true, most - random.nextInt(3));
      List<Integer> nics = some.some(random, false, most - random.nextInt(3));
      PathType wanted = random.nextInt(3) == 0 ? PathType.NUMA_NODE : null;
      Scorer scorer = new Scorer(some.kind, Objective.BEST, some.use, wanted);
      Scorer.Value value = scorer.value(gpus, nics);
      long near = wanted == null ? -1 : some.most(gpus, nics, wanted);
      long expected = near >= 0 ? near : some.most(gpus, nics, null);
      long rate = value.rank().get(0);
      assertThat(rate).as("seed %d", seed).isCloseTo(expected, Offset.offset(1L)); // of rounding
      assertThat(scorer.mayPairBetter()).as("seed %d", seed).isFalse();
      searched += scorer.stepsSoFar() > 0 ? 1 : 0;
    }
    assertThat(searched).isGreaterThan(rounds / 4);
  }
}
