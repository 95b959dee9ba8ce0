package io.dra4j.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangOutcome;
import io.dra4j.placement.gang.GangOutcome.Placed;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.selection.PairFlow;
import io.dra4j.placement.internal.server.Hungarian;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Devices of pods beside all other ways to divide them among claims and requests, on random
 * servers; {@code -Ddivisions=N} sets how many.
 */
class DivisionTest {

  private static final int ROUNDS = Integer.getInteger("divisions", 60);
  private static final String NUMA = "example.com/numa";
  private static final String COLOUR = "example.com/colour";

  private static final Allocator ALLOCATOR =
      Allocator.builder().selectors(Servers.SELECTORS).policy(PlacementPolicy.best()).build();

  private static final List<Function<Got, Object>> BY_CLAIM =
      List.of(Got::claim, DivisionTest::tied);

  /** A device that a request of a pod got. */
  private record Got(int pod, ResourceClaim claim, String request, String device) {
    boolean isGpu() {
      return device.startsWith("gpu");
    }
  }

  /** One server and pods of some claims. */
  private static final class Case {
    final List<KubernetesObject> objects = new ArrayList<>();
    final Map<String, Map<String, Integer>> attributes = new HashMap<>(); // by device
    final List<List<ResourceClaim>> pods = new ArrayList<>();

    Case(SplittableRandom random, int most, boolean gang) {
      objects.add(Node.named("n"));
      objects.add(DeviceClass.named("gpu", Servers.GPU_DRIVER));
      objects.add(DeviceClass.named("nic", Servers.NIC_DRIVER));
      int roots = 1 + random.nextInt(4);
      boolean mixedRates = random.nextInt(4) == 0;
      List<Device> gpus = new ArrayList<>();
      List<Device> nics = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        gpus.add(device(random, "gpu-" + i, roots, "numa").build());
        Device.Builder nic = device(random, "nic-" + i, roots, "dra.net/numaNode");
        int rate = mixedRates && random.nextInt(3) == 0 ? 200_000 : 400_000;
        nics.add(nic.attribute("host.dra4j.io/megabitsPerSecond", rate).build());
      }
      objects.add(ResourceSlice.onNode("n-gpus", Servers.GPU_DRIVER, "n", gpus));
      objects.add(ResourceSlice.onNode("n-nics", Servers.NIC_DRIVER, "n", nics));
      int form = random.nextInt(6);
      for (int pod = 0; pod < (gang ? 2 : 1); pod++) {
        List<ResourceClaim> claims = new ArrayList<>();
        int size = 1 + (random.nextBoolean() ? 0 : 1);
        for (int i = 0; i < (gang ? size : 2); i++) {
          claims.add(claim(random, "p" + pod + "c" + i, gang ? form : random.nextInt(6)));
        }
        pods.add(claims);
      }
    }

    private Device.Builder device(
        SplittableRandom random, String name, int roots, String numaNode) {
      int root = random.nextInt(roots);
      int colour = random.nextInt(2);
      attributes.put(
          name, Map.of(StandardAttributes.PCIE_ROOT, root, NUMA, root % 2, COLOUR, colour));
      return Device.named(name)
          .attribute(StandardAttributes.PCIE_ROOT, "pci0000:%02x".formatted(root))
          .attribute(numaNode, root % 2)
          .attribute(NUMA, root % 2)
          .attribute(COLOUR, colour);
    }

    private static ResourceClaim claim(SplittableRandom random, String name, int form) {
      ResourceClaim.Builder claim = ResourceClaim.named(name);
      return switch (form) {
        case 0 -> plain(claim, 1, 1).build();
        case 1 -> plain(claim, 1 + random.nextInt(2), 1 + random.nextInt(2)).build();
        case 2 -> plain(claim, 2, 2).constraint(DeviceConstraint.matchAttribute(NUMA)).build();
        case 3 -> pairs(claim, 1 + random.nextInt(2), NUMA).build();
        case 4 -> pairs(claim, 1 + random.nextInt(2), COLOUR).build();
        default -> pairs(claim, 1, StandardAttributes.PCIE_ROOT).build();
      };
    }

    private static ResourceClaim.Builder plain(ResourceClaim.Builder claim, int gpus, int nics) {
      return claim
          .request("gpus", request -> request.deviceClass("gpu").count(gpus))
          .request("nics", request -> request.deviceClass("nic").count(nics));
    }

    private static ResourceClaim.Builder pairs(
        ResourceClaim.Builder claim, int count, String attribute) {
      return claim.pairs(
          count,
          attribute,
          DeviceRequest.exactly("gpu", request -> request.deviceClass("gpu")),
          DeviceRequest.exactly("nic", request -> request.deviceClass("nic")));
    }

    DeviceInventory inventory() {
      return DeviceInventory.of(ClusterSnapshot.of(objects));
    }

    private Optional<Integer> value(Got got, @Nullable String attribute) {
      return Optional.ofNullable(attributes.getOrDefault(got.device, Map.of()).get(attribute));
    }

    /** Whether what was got keeps the constraints of its claims. */
    boolean isValid(List<Got> all) {
      for (Got one : all) {
        for (Got other : all) {
          if (one.claim.equals(other.claim)) {
            for (DeviceConstraint constraint : one.claim.spec().constraints()) {
              String attribute = constraint.attribute().orElse(null);
              boolean tied =
                  constraint.requests().isEmpty()
                      || (constraint.requests().contains(one.request)
                          && constraint.requests().contains(other.request));
              if (tied && !value(one, attribute).equals(value(other, attribute))) {
                return false;
              }
            }
          }
        }
      }
      return true;
    }
  }

  private static List<Got> got(int pod, List<ClaimAllocation> allocations) {
    List<Got> all = new ArrayList<>();
    for (ClaimAllocation allocation : allocations) {
      allocation
          .result()
          .results()
          .forEach(
              result ->
                  all.add(new Got(pod, allocation.claim(), result.request(), result.device())));
    }
    return all;
  }

  /** What pairs within each group carry; a key says of which group something is. */
  private static long value(ServerModel kind, List<Got> all, Function<Got, Object> key) {
    Map<Object, List<List<Integer>>> groups = new HashMap<>();
    for (Got one : all) {
      groups
          .computeIfAbsent(key.apply(one), any -> List.of(new ArrayList<>(), new ArrayList<>()))
          .get(one.isGpu() ? 0 : 1)
          .add(Integer.parseInt(one.device.substring(4)));
    }
    long sum = 0;
    for (List<List<Integer>> group : groups.values()) {
      List<Integer> gpus = group.get(0);
      List<Integer> nics = group.get(1);
      if (gpus.isEmpty() || nics.isEmpty()) {
        continue;
      }
      long[][] weights = new long[gpus.size()][nics.size()];
      for (int i = 0; i < weights.length; i++) {
        for (int j = 0; j < nics.size(); j++) {
          weights[i][j] =
              PairFlow.worth(
                  kind,
                  new ServerOccupancy(-1, -1, ServerOccupancy.Others.NONE),
                  gpus.get(i),
                  nics.get(j));
        }
      }
      int[] matched = Hungarian.match(weights);
      for (int i = 0; i < matched.length; i++) {
        sum += matched[i] < 0 ? 0 : weights[i][matched[i]];
      }
    }
    return sum;
  }

  /** What pairs carry within groups, the more important groups first. */
  private static long[] values(ServerModel kind, List<Got> all, List<Function<Got, Object>> keys) {
    return keys.stream().mapToLong(key -> value(kind, all, key)).toArray();
  }

  /** The greatest values of all ways to give the same devices to the requests. */
  private static long[] most(
      Case some, ServerModel kind, List<Got> slots, int from, List<Function<Got, Object>> keys) {
    if (from == slots.size()) {
      return some.isValid(slots) ? values(kind, slots, keys) : new long[keys.size()];
    }
    long[] most = new long[keys.size()];
    for (int i = from; i < slots.size(); i++) {
      if (slots.get(i).isGpu() == slots.get(from).isGpu()) {
        swap(slots, from, i);
        long[] found = most(some, kind, slots, from + 1, keys);
        most = Arrays.compare(found, most) > 0 ? found : most;
        swap(slots, from, i);
      }
    }
    return most;
  }

  private static void swap(List<Got> slots, int i, int j) {
    Got one = slots.get(i);
    Got other = slots.get(j);
    slots.set(i, new Got(one.pod, one.claim, one.request, other.device));
    slots.set(j, new Got(other.pod, other.claim, other.request, one.device));
  }

  @Test
  void noOtherDivisionAmongClaimsIsFaster() throws BudgetExceededException {
    int checked = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Case some = new Case(new SplittableRandom(seed), 5, false);
      DeviceInventory inventory = some.inventory();
      AllocationOutcome outcome = ALLOCATOR.allocate(inventory, "n", some.pods.get(0));
      if (outcome instanceof Allocated allocated) {
        check(some, inventory, got(0, allocated.allocations()), BY_CLAIM, seed);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(ROUNDS / 2);
  }

  @Test
  void noOtherDivisionAmongPodsOfAGangIsFaster() throws BudgetExceededException {
    int checked = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Case some = new Case(new SplittableRandom(seed), 4, true);
      DeviceInventory inventory = some.inventory();
      List<GangMember> members = new ArrayList<>();
      for (List<ResourceClaim> claims : some.pods) {
        members.add(GangMember.anywhere("p" + members.size(), claims));
      }
      GangOutcome outcome =
          GangPlacement.builder(ALLOCATOR)
              .build()
              .place(inventory, members, Budget.of(Duration.ofMinutes(2)));
      // Plans that are made pod by pod need not be the best ones, and say so.
      if (outcome instanceof Placed placed && placed.score().proven()) {
        List<Got> all = new ArrayList<>();
        for (int pod = 0; pod < members.size(); pod++) {
          all.addAll(got(pod, placed.members().get(pod).allocations()));
        }
        List<Function<Got, Object>> keys = new ArrayList<>(List.of(Got::pod));
        keys.addAll(BY_CLAIM);
        check(some, inventory, all, keys, seed);
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(ROUNDS / 5);
  }

  private static void check(
      Case some,
      DeviceInventory inventory,
      List<Got> all,
      List<Function<Got, Object>> keys,
      int seed)
      throws BudgetExceededException {
    NodeView view = Servers.view(inventory);
    ServerModel kind = PolicyEngine.of(PlacementPolicy.best()).kind(view, Budget.unlimited());
    assertThat(some.isValid(all)).as("seed %d", seed).isTrue();
    assertThat(values(kind, all, keys))
        .as("seed %d", seed)
        .isEqualTo(most(some, kind, new ArrayList<>(all), 0, keys));
  }

  /** The requests that are tied to one. */
  private static Object tied(Got got) {
    for (DeviceConstraint constraint : got.claim.spec().constraints()) {
      if (constraint.requests().contains(got.request)) {
        return List.of(got.claim, constraint);
      }
    }
    return got.claim;
  }
}
