package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.internal.selection.Scorer;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The policies beside all sets that the rules of the allocator allow, on small random servers. */
class BruteForceTest {

  private static final int ROUNDS = Integer.getInteger("brute-force", 40);
  private static final double ROUNDING = 0.02; // GB/s

  /** A server of four GPUs and some more NICs, and a claim for some of them. */
  private static final class Case {
    final List<TopologyDevice> places = new ArrayList<>();
    final boolean switches;
    final boolean sparse; // not all devices say where they are
    private int next = 0x10; // number of a bus
    final int sharing;
    final String shareable;
    final List<Device> gpus = new ArrayList<>();
    final List<Device> nics = new ArrayList<>();
    final List<String> busy = new ArrayList<>();
    final ResourceClaim.Builder claim;

    Case(SplittableRandom random) {
      int roots = 1 + random.nextInt(4);
      boolean mixedRates = random.nextInt(3) == 0;
      boolean shared = random.nextInt(4) == 0;
      this.switches = random.nextInt(3) == 0;
      this.sparse = random.nextInt(4) == 0;
      this.sharing = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0;
      this.shareable = "nic-" + random.nextInt(4);
      for (int i = 0; i < 4; i++) {
        int root = random.nextInt(roots);
        gpus.add(place(random, Device.named("gpu-" + i), "numa", root).build());
        addPlace(DeviceKind.GPU, root);
      }
      int size = 4 + random.nextInt(2);
      for (int i = 0; i < size; i++) {
        int root = random.nextInt(roots);
        int rate = mixedRates && random.nextInt(3) == 0 ? 200_000 : 400_000;
        Device.Builder nic =
            place(random, Device.named("nic-" + i), "dra.net/numaNode", root)
                .attribute("host.dra4j.io/megabitsPerSecond", rate);
        if (shared && i < 4) {
          nic.attribute("host.dra4j.io/physicalFunction", "0000:%02x:00.0".formatted(0x60 + root));
        }
        boolean sharable = sharing > 0 && shareable.equals("nic-" + i);
        nics.add(sharable ? nic.allowMultipleAllocations().build() : nic.build());
        addPlace(DeviceKind.NIC, root);
      }
      gpus.forEach(gpu -> busy(random, gpu));
      nics.forEach(nic -> busy(random, nic));
      this.claim = sharing > 0 ? Servers.claim(1 + random.nextInt(2), 1) : claim(random);
    }

    /** There is a switch on each root, which nobody but an overlay says. */
    private void addPlace(DeviceKind kind, int root) {
      places.add(
          TopologyDevice.of(
              new PciAddress(0, next - 1, 0, 0),
              kind,
              new Location(
                  "cpu:" + root % 2,
                  List.of(new PciAddress(0, 0xf0 + root, 0, 0)),
                  OptionalInt.of(root % 2))));
    }

    PlacementPolicy knowing(PlacementPolicy policy) {
      TopologyOverlay overlay =
          TreeOverlay.builder("switches.xml", TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
              .devices(places)
              .build();
      return switches ? policy.withOverlays(node -> List.of(overlay)) : policy;
    }

    private Device.Builder place(
        SplittableRandom random, Device.Builder device, String numaNode, int root) {
      device
          .attribute(StandardAttributes.PCI_BUS_ID, "0000:%02x:00.0".formatted(next++))
          .attribute("example.com/colour", random.nextInt(3));
      if (!sparse || random.nextInt(3) > 0) {
        device.attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted(root));
      }
      return sparse && random.nextInt(3) == 0 ? device : device.attribute(numaNode, root % 2);
    }

    private void busy(SplittableRandom random, Device device) {
      if (random.nextInt(5) == 0 && !device.allowMultipleAllocations()) {
        busy.add(device.name());
      }
    }

    private static ResourceClaim.Builder claim(SplittableRandom random) {
      int count = 1 + random.nextInt(2);
      int below = 1 + random.nextInt(4);
      ResourceClaim.Builder plain = Servers.claim(count, count);
      return switch (random.nextInt(8)) {
        case 0 -> plain;
        case 1 -> Servers.claim(1 + random.nextInt(3), 1 + random.nextInt(3));
        case 2 -> Servers.pairs(count).toBuilder();
        case 3 -> plain.constraint(DeviceConstraint.matchAttribute("example.com/colour"));
        case 4 ->
            plain.constraint(DeviceConstraint.distinctAttribute("example.com/colour", "gpus"));
        case 5 ->
            ResourceClaim.named("c")
                .request("low", gpu -> gpu.deviceClass("gpu").selector("below:" + below))
                .request("any", gpu -> gpu.deviceClass("gpu"))
                .request("nics", nic -> nic.deviceClass("nic").count(count));
        case 6 ->
            ResourceClaim.named("c")
                .request("all", nic -> nic.deviceClass("nic").selector("below:" + below).all())
                .request("gpus", gpu -> gpu.deviceClass("gpu").count(count));
        default ->
            Servers.pairs(2).toBuilder()
                .request("gpu", gpu -> gpu.deviceClass("gpu"))
                .request("nic", nic -> nic.deviceClass("nic"))
                .constraint(DeviceConstraint.matchAttribute("example.com/colour", "gpu", "nic"));
      };
    }

    Servers server() {
      Servers server = Servers.of(gpus, nics).shared(sharing, shareable);
      return busy.isEmpty() ? server : server.busy(busy.toArray(new String[0]));
    }

    /** What all sets are worth that the rules allow. */
    List<PlacementScore> scores() {
      ResourceClaim wanted = claim.build();
      if (!(server().allocate(PlacementPolicy.firstFit(), wanted) instanceof Allocated first)) {
        return List.of();
      }
      long gpuCount =
          first.allocations().get(0).result().results().stream()
              .filter(result -> result.device().startsWith("gpu"))
              .count();
      long nicCount = first.allocations().get(0).result().results().size() - gpuCount;
      List<PlacementScore> scores = new ArrayList<>();
      List<String> names = new ArrayList<>();
      gpus.forEach(gpu -> names.add(gpu.name()));
      nics.forEach(nic -> names.add(nic.name()));
      for (int set = 0; set < (1 << names.size()); set++) {
        Set<String> chosen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
          if (((set >> i) & 1) != 0 && !busy.contains(names.get(i))) {
            chosen.add(names.get(i));
          }
        }
        long ofGpus = chosen.stream().filter(name -> name.startsWith("gpu")).count();
        boolean fits =
            chosen.size() == Integer.bitCount(set)
                && ofGpus == gpuCount
                && chosen.size() - ofGpus == nicCount;
        if (fits && isAllowed(chosen, names, wanted)) {
          scores.add(
              Servers.score(
                  server().allocate(new Scoring(chosen, knowing(PlacementPolicy.best())), wanted)));
        }
      }
      return scores;
    }

    /** Whether the claim gets these devices where there are no others. */
    private boolean isAllowed(Set<String> chosen, List<String> names, ResourceClaim wanted) {
      String[] others =
          names.stream().filter(name -> !chosen.contains(name)).toArray(String[]::new);
      Servers only = Servers.of(gpus, nics).busy(others);
      String got = only.devices(PlacementPolicy.firstFit(), wanted);
      return Set.of(got.split(" ")).equals(chosen);
    }
  }

  /** Scores some devices, whatever was chosen. */
  private record Scoring(Set<String> names, PlacementPolicy policy) implements AllocationPolicy {
    @Override
    public Choice choose(PolicyContext question) {
      return new Choice.AsFound();
    }

    @Override
    public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
        throws BudgetExceededException {
      List<PolicyDevice> chosen = new ArrayList<>();
      for (int i = 0; i < question.devices().size(); i++) {
        if (names.contains(question.devices().get(i).device().name())) {
          chosen.add(question.devices().get(i));
        }
      }
      return policy.score(question, List.of(chosen));
    }
  }

  private static boolean isWithin(PlacementScore score, PathType within) {
    return score.paths().keySet().stream().allMatch(path -> Scorer.isWithin(path, within));
  }

  @Test
  void noAllowedSetIsFasterThanTheBestOne() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Case some = new Case(new SplittableRandom(seed));
      List<PlacementScore> scores = some.scores();
      AllocationOutcome best =
          some.server().allocate(some.knowing(PlacementPolicy.best()), some.claim.build());
      assertThat(best instanceof Allocated).as("seed %d", seed).isEqualTo(!scores.isEmpty());
      if (best instanceof Allocated) {
        double most =
            scores.stream().mapToDouble(PlacementScore::gigabytesPerSecond).max().orElseThrow();
        assertThat(Servers.score(best).gigabytesPerSecond())
            .as("seed %d", seed)
            .isGreaterThan(most - ROUNDING);
      }
    }
  }

  @Test
  void noPolicyIsWorseThanFirstFitInWhatItWants() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Case some = new Case(new SplittableRandom(seed));
      AllocationOutcome first =
          some.server().allocate(some.knowing(PlacementPolicy.firstFit()), some.claim.build());
      if (!(first instanceof Allocated)) {
        continue;
      }
      AllocationOutcome best =
          some.server().allocate(some.knowing(PlacementPolicy.best()), some.claim.build());
      assertThat(Servers.score(best))
          .as("best, seed %d", seed)
          .isGreaterThanOrEqualTo(Servers.score(first));
      AllocationOutcome pack =
          some.server().allocate(some.knowing(PlacementPolicy.pack()), some.claim.build());
      assertThat(Servers.score(pack).fragmentationChange())
          .as("pack, seed %d", seed)
          .isGreaterThanOrEqualTo(Servers.score(first).fragmentationChange());
    }
  }

  @Test
  void whatIsRequiredIsRefusedOnlyWhereNoSetHasIt() {
    int refused = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Case some = new Case(random);
      PathType within = random.nextBoolean() ? PathType.HOST_BRIDGE : PathType.NUMA_NODE;
      boolean possible = some.scores().stream().anyMatch(score -> isWithin(score, within));
      some.claim.config(
          new DeviceClaimConfiguration(
              List.of(),
              new OpaqueDeviceConfiguration(
                  "dra4j.io",
                  """
                  {"apiVersion": "dra4j.io/v1alpha1", "kind": "Placement",
                   "alignment": {"within": "%s", "mode": "Required"}}
                  """
                      .formatted(within))));
      for (PlacementPolicy policy :
          List.of(PlacementPolicy.best(), PlacementPolicy.pack(), PlacementPolicy.spread())) {
        AllocationOutcome outcome =
            some.server().allocate(some.knowing(policy), some.claim.build());
        if (possible) {
          assertThat(outcome).as("seed %d", seed).isInstanceOf(Allocated.class);
          assertThat(isWithin(Servers.score(outcome), within)).as("seed %d", seed).isTrue();
        } else {
          assertThat(outcome).as("seed %d", seed).isInstanceOf(Unallocatable.class);
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }
}
