package io.dra4j.scheduling.defragmentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.HoldOutcome;
import io.dra4j.inventory.InventoryEvent.ClaimRemoved;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.GangRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.NoRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Room;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Undecided;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@code -Ddefragmentations=N} sets how many random clusters are compared. */
class DefragmentationTest {

  private static final int CLUSTERS = Integer.getInteger("defragmentations", 150);
  private static final String DRIVER = "gpu.example.com";
  private static final Budget ALL = Budget.unlimited();

  private static final SelectorCompiler ANYTHING =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) {
          return (driver, device) -> true;
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) throws SelectorException {
          throw new SelectorException("none here");
        }
      };

  private static final Defragmentation SEARCH =
      Defragmentation.of(Allocator.builder().selectors(ANYTHING).build());

  /** A pod: how many GPUs, whether all on one root, and which it has: a bit for each. */
  private record Running(int gpus, boolean aligned, int node, int has, double cost) {}

  /** So many nodes of two roots of two GPUs. */
  private static List<KubernetesObject> nodes(int count) {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(DeviceClass.named("gpu", "true"));
    for (int node = 0; node < count; node++) {
      objects.add(Node.named("n" + node));
      List<Device> gpus = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        gpus.add(
            Device.named("gpu-" + i)
                .attribute(StandardAttributes.PCIE_ROOT, "pci000%d:00".formatted(i / 2))
                .build());
      }
      objects.add(ResourceSlice.onNode("s" + node, DRIVER, "n" + node, gpus));
    }
    return objects;
  }

  private static ResourceClaim claim(String name, int gpus, boolean aligned) {
    ResourceClaim.Builder claim =
        ResourceClaim.named(name).request("r", request -> request.deviceClass("gpu").count(gpus));
    if (aligned) {
      claim.constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT));
    }
    return claim.build();
  }

  private static ResourceClaim holding(String name, Running pod) {
    List<DeviceRequestAllocationResult> results = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      if ((pod.has & 1 << i) != 0) {
        results.add(
            DeviceRequestAllocationResult.of("r", new DeviceId(DRIVER, "n" + pod.node, "gpu-" + i))
                .build());
      }
    }
    return claim(name, pod.gpus, pod.aligned)
        .withAllocation(AllocationResult.builder().results(results).build());
  }

  private static DeviceInventory inventory(int nodes, List<ResourceClaim> claims) {
    List<KubernetesObject> objects = nodes(nodes);
    objects.addAll(claims);
    return DeviceInventory.of(ClusterSnapshot.of(objects));
  }

  private static MovablePod movable(ResourceClaim claim, double cost) {
    return new MovablePod(claim.metadata().name(), List.of(claim), node -> true, cost);
  }

  private static boolean fits(int mask, boolean aligned) {
    return !aligned || (mask & 3) == 0 || (mask & 12) == 0;
  }

  /** Whether pods fit into what is free, looking at each mask of each node. */
  private static boolean allFit(int[] free, List<Running> pods, int next) {
    if (next == pods.size()) {
      return true;
    }
    Running pod = pods.get(next);
    for (int node = 0; node < free.length; node++) {
      for (int mask = 1; mask < 16; mask++) {
        if (Integer.bitCount(mask) == pod.gpus
            && (mask & ~free[node]) == 0
            && fits(mask, pod.aligned)) {
          free[node] &= ~mask;
          boolean fit = allFit(free, pods, next + 1);
          free[node] |= mask;
          if (fit) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** The least cost and number of moves; null if no moves make room. */
  private static double @Nullable [] cheapest(int nodes, Running wanted, List<Running> running) {
    return cheapest(nodes, List.of(wanted), running);
  }

  private static double @Nullable [] cheapest(
      int nodes, List<Running> wanted, List<Running> running) {
    double[] best = null;
    for (int set = 0; set < 1 << running.size(); set++) {
      int[] free = new int[nodes];
      java.util.Arrays.fill(free, 15);
      List<Running> homeless = new ArrayList<>(wanted);
      double cost = 0;
      for (int i = 0; i < running.size(); i++) {
        Running pod = running.get(i);
        if ((set & 1 << i) == 0) {
          free[pod.node] &= ~pod.has;
        } else {
          homeless.add(pod);
          cost += pod.cost;
        }
      }
      boolean cheaper =
          best == null || cost < best[0] || (cost == best[0] && Integer.bitCount(set) < best[1]);
      if (cheaper && allFit(free, homeless, 0)) {
        best = new double[] {cost, Integer.bitCount(set)};
      }
    }
    return best;
  }

  @Test
  void costsAreWrittenAsTheyAreHoweverLarge() {
    MovablePod pod = movable(holding("a", new Running(1, false, 0, 1, 1)), 1);
    DefragmentationOutcome.Move move = new DefragmentationOutcome.Move(pod, "n1", List.of());
    for (Map.Entry<Double, String> cost :
        List.of(
            Map.entry(0.0, "0"),
            Map.entry(2.5, "2.5"),
            Map.entry(0x1p62, "4611686018427387904"),
            Map.entry(1e19, "1.0E19"),
            Map.entry(1e300, "1.0E300"))) {
      assertThat(new Room(List.of(move), "n0", List.of(), cost.getKey(), true).explanation())
          .isEqualTo(
              "moving a to node n1 would make room on node n0, at a cost of " + cost.getValue());
    }
  }

  @Test
  void findsTheCheapestOfAllMoves() {
    int moved = 0;
    int without = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int nodes = 1 + random.nextInt(3);
      List<Running> running = new ArrayList<>();
      int[] free = new int[nodes];
      java.util.Arrays.fill(free, 15);
      for (int i = 0; i < 6; i++) {
        int node = random.nextInt(nodes);
        int mask = 1 + random.nextInt(15);
        boolean aligned = random.nextBoolean();
        if (Integer.bitCount(mask) <= 2 && (mask & ~free[node]) == 0 && fits(mask, aligned)) {
          free[node] &= ~mask;
          running.add(new Running(Integer.bitCount(mask), aligned, node, mask, random.nextInt(4)));
        }
      }
      Running wanted = new Running(2 + random.nextInt(2), true, 0, 0, 0);
      wanted = wanted.gpus == 3 ? new Running(4, false, 0, 0, 0) : wanted;
      List<ResourceClaim> claims = new ArrayList<>();
      List<MovablePod> movable = new ArrayList<>();
      for (int i = 0; i < running.size(); i++) {
        claims.add(holding("p" + i, running.get(i)));
        movable.add(movable(claims.get(i), running.get(i).cost));
      }
      DeviceInventory inventory = inventory(nodes, claims);

      DefragmentationOutcome outcome =
          SEARCH.plan(
              inventory,
              List.of(claim("wanted", wanted.gpus, wanted.aligned)),
              node -> true,
              movable,
              ALL);

      double[] best = cheapest(nodes, wanted, running);
      if (best == null) {
        assertThat(outcome).as("seed " + seed).isEqualTo(new NoRoom());
        without++;
        continue;
      }
      Room room = (Room) outcome;
      assertThat(room.proven()).isTrue();
      assertThat(List.of(room.cost(), (double) room.moves().size()))
          .as("seed " + seed)
          .isEqualTo(List.of(best[0], best[1]));
      moved += room.moves().isEmpty() ? 0 : 1;
      assertThat(replay(inventory, room)).as("seed " + seed).isInstanceOf(HoldOutcome.Held.class);
    }
    assertThat(moved).isGreaterThan(CLUSTERS / 10);
    assertThat(without).isPositive();
  }

  @Test
  void theCheapestMovesForAGangAreThoseOfBruteForce() {
    int moved = 0;
    int without = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      SplittableRandom random = new SplittableRandom(seed + 1_000);
      int nodes = 1 + random.nextInt(3);
      int[] free = new int[nodes];
      java.util.Arrays.fill(free, 15);
      List<Running> running = new ArrayList<>();
      List<ResourceClaim> claims = new ArrayList<>();
      List<MovablePod> movable = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int node = random.nextInt(nodes);
        int mask = 1 << random.nextInt(4);
        if ((mask & ~free[node]) == 0) {
          free[node] &= ~mask;
          running.add(new Running(1, false, node, mask, random.nextInt(4)));
          claims.add(holding("p" + i, running.get(running.size() - 1)));
          movable.add(movable(claims.get(claims.size() - 1), running.get(running.size() - 1).cost));
        }
      }
      List<Running> wanted = new ArrayList<>();
      List<GangMember> gang = new ArrayList<>();
      int pods = 1 + random.nextInt(3);
      for (int i = 0; i < pods; i++) {
        boolean same = i > 0 && random.nextBoolean();
        wanted.add(same ? wanted.get(i - 1) : new Running(1 + random.nextInt(2), true, 0, 0, 0));
        gang.add(GangMember.anywhere("g" + i, List.of(claim("g" + i, wanted.get(i).gpus, true))));
      }
      DeviceInventory inventory = inventory(nodes, claims);

      DefragmentationOutcome outcome = SEARCH.planForGang(inventory, gang, List.of(), movable, ALL);

      double[] best = cheapest(nodes, wanted, running);
      if (best == null) {
        assertThat(outcome).as("seed " + seed).isEqualTo(new NoRoom());
        without++;
        continue;
      }
      GangRoom room = (GangRoom) outcome;
      assertThat(room.proven()).isTrue();
      assertThat(List.of(room.cost(), (double) room.moves().size()))
          .as("seed " + seed)
          .isEqualTo(List.of(best[0], best[1]));
      moved += room.moves().isEmpty() ? 0 : 1;
      assertThat(room.allocations()).allMatch(allocations -> allocations.size() == 1);
      assertThat(
              replay(
                  inventory,
                  room.moves(),
                  room.allocations().stream().flatMap(List::stream).toList()))
          .as("seed " + seed)
          .isInstanceOf(HoldOutcome.Held.class);
    }
    assertThat(moved).isGreaterThan(CLUSTERS / 20);
    assertThat(without).isPositive();
  }

  @Test
  void allNodesOfAGangHaveTheLabelsThatItWants() {
    List<KubernetesObject> objects = nodes(3);
    for (int node = 0; node < 3; node++) {
      Node plain = (Node) objects.get(1 + 2 * node);
      objects.set(
          1 + 2 * node,
          new Node(
              plain.metadata().toBuilder()
                  .labels(node == 1 ? Map.of() : Map.of("rack", "r" + node))
                  .build(),
              List.of()));
    }
    ResourceClaim held = holding("p", new Running(1, false, 2, 1, 1));
    objects.add(held);
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
    List<GangMember> gang = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gang.add(GangMember.anywhere("g" + i, List.of(claim("g" + i, 4, false))));
    }

    assertThat(SEARCH.planForGang(inventory, gang, List.of("rack"), List.of(), ALL))
        .isEqualTo(new NoRoom()); // no rack has two nodes
    GangRoom room =
        (GangRoom)
            SEARCH.planForGang(
                inventory, gang.subList(0, 1), List.of("rack"), List.of(movable(held, 1)), ALL);
    assertThat(room.nodes()).containsExactly("n0");
    assertThat(room.explanation()).isEqualTo("there is room for 1 pod on node n0");
    GangRoom all =
        (GangRoom) SEARCH.planForGang(inventory, gang, List.of(), List.of(movable(held, 1)), ALL);
    assertThat(all.nodes()).containsExactly("n0", "n1");
    assertThatThrownBy(
            () ->
                SEARCH.planForGang(
                    inventory, List.of(gang.get(0), gang.get(0)), List.of(), List.of(), ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "expected pending claims of one pod each, found default/g0 of pod g0");
  }

  /** Selectors are the names of devices. */
  private static final SelectorCompiler NAMES =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) {
          return (driver, device) -> expression.equals("true") || expression.equals(device.name());
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) throws SelectorException {
          throw new SelectorException("none here");
        }
      };

  private static GangMember on(String node, String name, String device) {
    ResourceClaim claim =
        ResourceClaim.named(name)
            .request("r", request -> request.deviceClass("gpu").selector(device))
            .build();
    return new GangMember(name, List.of(claim), other -> other.name().equals(node));
  }

  @Test
  void podsDoNotTakeDevicesOfSeveralNodesFromEachOther() {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(DeviceClass.named("gpu", "true"));
    objects.add(Node.named("n1"));
    objects.add(Node.named("n2"));
    objects.add(
        ResourceSlice.named("net", DRIVER)
            .pool("net", 1, 1)
            .nodeSelection(NodeSelection.ALL_NODES)
            .devices(List.of(Device.named("gpu-0").build(), Device.named("gpu-1").build()))
            .build());
    DeviceInventory inventory = DeviceInventory.of(ClusterSnapshot.of(objects));
    Defragmentation search = Defragmentation.of(Allocator.builder().selectors(NAMES).build());
    GangMember any = on("n1", "any", "true");
    GangMember first = on("n2", "first", "gpu-0");

    for (List<GangMember> gang : List.of(List.of(any, first), List.of(first, any))) {
      GangRoom room = (GangRoom) search.planForGang(inventory, gang, List.of(), List.of(), ALL);
      assertThat(room.nodes())
          .containsExactlyElementsOf(
              gang.get(0).equals(any) ? List.of("n1", "n2") : List.of("n2", "n1"));
      assertThat(
              room.allocations().get(gang.indexOf(any)).get(0).result().results().get(0).device())
          .isEqualTo("gpu-1");
    }
    assertThat(
            search.planForGang(
                inventory, List.of(any, first, on("n2", "no", "gpu-2")), List.of(), List.of(), ALL))
        .isInstanceOf(Undecided.class)
        .asString()
        .contains("not all ways to give them to pods were tried");
    assertThat(
            search.plan(inventory, on("n2", "no", "gpu-2").claims(), node -> true, List.of(), ALL))
        .isEqualTo(new NoRoom());
  }

  /** Stops all that moves, and lets everybody have what the answer says. */
  private static HoldOutcome replay(DeviceInventory inventory, Room room) {
    return replay(inventory, room.moves(), room.allocations());
  }

  private static HoldOutcome replay(
      DeviceInventory inventory,
      List<DefragmentationOutcome.Move> moves,
      List<ClaimAllocation> wanted) {
    List<ClaimRemoved> stopped = new ArrayList<>();
    List<ClaimAllocation> all = new ArrayList<>(wanted);
    for (DefragmentationOutcome.Move move : moves) {
      move.pod().claims().forEach(claim -> stopped.add(new ClaimRemoved(ClaimKey.of(claim))));
      all.addAll(move.allocations());
    }
    for (ClaimAllocation allocation : all) {
      int mask = 0;
      for (DeviceRequestAllocationResult result : allocation.result().results()) {
        mask |= 1 << Integer.parseInt(result.device().substring("gpu-".length()));
      }
      assertThat(fits(mask, !allocation.claim().spec().constraints().isEmpty())).isTrue();
    }
    return inventory
        .apply(stopped)
        .hold(all.stream().map(ClaimAllocation::allocatedClaim).toList());
  }

  @Test
  void whatFitsOnNoEmptyNodeIsNotLookedForAmongAllSets() {
    List<ResourceClaim> claims = new ArrayList<>();
    List<MovablePod> movable = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      claims.add(holding("p" + i, new Running(1, false, i / 4, 1 << i % 4, 1)));
      movable.add(movable(claims.get(i), 1));
    }

    assertThat(
            SEARCH.plan(
                inventory(6, claims),
                List.of(claim("wanted", 5, false)),
                node -> true,
                movable,
                Budget.of(Duration.ofMinutes(1))))
        .isEqualTo(new NoRoom());
  }

  @Test
  void theCheaperPodMoves() {
    ResourceClaim dear = holding("dear", new Running(1, false, 0, 1, 5));
    ResourceClaim cheap = holding("cheap", new Running(1, false, 0, 4, 1));
    Room room =
        (Room)
            SEARCH.plan(
                inventory(1, List.of(dear, cheap)),
                List.of(claim("wanted", 2, true)),
                node -> true,
                List.of(movable(dear, 5), movable(cheap, 1)),
                ALL);

    assertThat(room.moves()).extracting(move -> move.pod().name()).containsExactly("cheap");
    assertThat(room.cost()).isEqualTo(1);
    assertThat(room.node()).isEqualTo("n0");
  }

  @Test
  void withoutTimeThereIsNoAnswerOrOneThatSaysSo() {
    List<ResourceClaim> claims = new ArrayList<>();
    List<MovablePod> movable = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      claims.add(holding("p" + i, new Running(1, false, i / 2, i % 2 == 0 ? 1 : 4, 1)));
      movable.add(movable(claims.get(i), 1));
    }
    DeviceInventory inventory = inventory(2, claims);
    List<ResourceClaim> wanted = List.of(claim("wanted", 2, true));

    assertThat(SEARCH.plan(inventory, wanted, node -> true, movable, Budget.of(Duration.ZERO)))
        .isInstanceOf(Undecided.class);
    for (int looks = 1; looks < 60; looks++) {
      int[] left = {looks};
      DefragmentationOutcome outcome =
          SEARCH.plan(inventory, wanted, node -> true, movable, ALL.orUntil(() -> left[0]-- <= 0));
      if (outcome instanceof Room room) {
        assertThat(room.moves()).isNotEmpty();
        assertThat(replay(inventory, room)).isInstanceOf(HoldOutcome.Held.class);
      } else {
        assertThat(outcome).isInstanceOf(Undecided.class);
      }
    }
  }

  @Test
  void adviceIsToMoveAndIsRunBeforeAnybodyHearsOfIt() {
    ResourceClaim one = holding("one", new Running(1, false, 0, 1, 1));
    ResourceClaim other = holding("other", new Running(1, false, 0, 4, 1));
    Allocator plain = Allocator.builder().selectors(ANYTHING).build();
    Allocator advised =
        Allocator.builder()
            .selectors(ANYTHING)
            .addAdvisor(
                new MoveAdvisor(
                    plain, List.of(movable(one, 2), movable(other, 1)), Duration.ofMinutes(1)))
            .build();

    Explanation explanation =
        advised
            .explain(inventory(1, List.of(one, other)), "n0", List.of(claim("wanted", 2, true)))
            .orElseThrow();

    assertThat(explanation.suggestions())
        .extracting(Suggestion::text)
        .contains("move other to gpu-1 of node n0");
  }

  @Test
  void whatIsNotRunningOrCostsNothingSensibleIsRefused() {
    assertThatThrownBy(() -> movable(claim("pending", 1, false), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default/pending");
    ResourceClaim running = holding("p", new Running(1, false, 0, 1, 1));
    for (double cost : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> movable(running, cost))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected 0 or more");
    }
    assertThat(Objects.requireNonNull(running.allocation()).results()).hasSize(1);
  }

  /** Whether there is room for four GPUs on a node of three. */
  private static DefragmentationOutcome roomForFour(
      String node, List<ResourceClaim> held, List<MovablePod> movable) {
    List<KubernetesObject> objects = new ArrayList<>(nodes(3));
    objects.addAll(held);
    ResourceClaim all =
        ResourceClaim.named("all").request("r", r -> r.deviceClass("gpu").count(4)).build();
    return SEARCH.plan(
        DeviceInventory.of(ClusterSnapshot.of(objects)),
        List.of(all),
        each -> each.name().equals(node),
        movable,
        ALL);
  }

  @Test
  void aClaimOfTwoPodsThatMoveIsThereTwice() {
    ResourceClaim shared = holding("a", new Running(1, false, 0, 1, 1));
    ResourceClaim first = holding("x", new Running(1, false, 0, 2, 1));
    ResourceClaim second = holding("y", new Running(1, false, 0, 4, 1));

    DefragmentationOutcome outcome =
        roomForFour(
            "n0",
            List.of(shared, first, second),
            List.of(
                new MovablePod("p", List.of(shared, first), node -> node.name().equals("n1"), 1),
                new MovablePod("q", List.of(shared, second), node -> node.name().equals("n2"), 1)));

    assertThat(outcome).isInstanceOf(DefragmentationOutcome.Rejected.class);
    assertThat(outcome.toString())
        .contains("claim default/a: is there twice among the claims to allocate");
  }

  @Test
  void aClaimOfTwoPodsIsNoFaultWhereNeitherHasToMove() {
    ResourceClaim shared = holding("a", new Running(1, false, 0, 1, 1));
    ResourceClaim other = holding("x", new Running(1, false, 1, 1, 1));

    DefragmentationOutcome outcome =
        roomForFour(
            "n1",
            List.of(shared, other),
            List.of(
                new MovablePod("p", List.of(shared), node -> true, 1),
                new MovablePod("q", List.of(shared), node -> true, 1),
                new MovablePod("c", List.of(other), node -> node.name().equals("n2"), 1)));

    assertThat(outcome).isInstanceOf(DefragmentationOutcome.Room.class);
    assertThat(outcome.toString()).contains("moving c to gpu-0 of node n2");
  }
}
