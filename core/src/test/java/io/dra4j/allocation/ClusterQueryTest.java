package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.ClusterQuery.OnNode;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClaimPut;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.HeldDevices;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClusterQueryTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";

  /** Selects by driver, says so, and counts how often it is compiled: once for each search. */
  private static final class ByDriver implements SelectorCompiler {
    final AtomicInteger compiled = new AtomicInteger();

    @Override
    public CompiledSelector compileSelector(String expression) {
      compiled.incrementAndGet();
      return new CompiledSelector() {
        @Override
        public boolean matches(String driver, Device device) {
          return expression.endsWith("=" + driver);
        }

        @Override
        public SelectorReads reads() {
          return new SelectorReads(Set.of(), Set.of(), false, false);
        }
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("none here");
    }
  }

  private final List<KubernetesObject> objects = new ArrayList<>();
  private final ByDriver selectors = new ByDriver();
  private final Allocator allocator = Allocator.builder().selectors(selectors).build();

  ClusterQueryTest() {
    objects.add(DeviceClass.named("gpu", "driver=gpu"));
    objects.add(DeviceClass.named("nic", "driver=nic"));
  }

  /** A server of pairs, whose devices have numbers that no others have. */
  private void addServer(String name, int pairs, int... inUse) {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      String serial = name + "-" + i;
      gpus.add(Device.named("g" + i).attribute(ROOT, "r" + i).attribute("serial", serial).build());
      nics.add(Device.named("n" + i).attribute(ROOT, "r" + i).attribute("serial", serial).build());
    }
    objects.add(Node.named(name));
    objects.add(ResourceSlice.onNode("gpus-" + name, "gpu", name, gpus));
    objects.add(ResourceSlice.onNode("nics-" + name, "nic", name, nics));
    for (int device : inUse) {
      objects.add(
          HeldDevices.holding(
              "of-" + name + "-" + device, new DeviceId("nic", name, "n" + device)));
    }
  }

  private DeviceInventory inventory() {
    return DeviceInventory.of(ClusterSnapshot.of(objects));
  }

  private static ResourceClaim pairs(int pairs) {
    ResourceClaim.Builder claim = ResourceClaim.named("c");
    for (int i = 0; i < pairs; i++) {
      claim.request("g" + i, r -> r.deviceClass("gpu"));
      claim.request("n" + i, r -> r.deviceClass("nic"));
      claim.constraint(DeviceConstraint.matchAttribute(ROOT, "g" + i, "n" + i));
    }
    return claim.build();
  }

  private List<String> fitting(ClusterQuery fit) {
    return fit.fitting().map(OnNode::node).toList();
  }

  @Test
  void theFirstNodeWithDevicesIsFound() {
    addServer("full", 2, 0, 1);
    addServer("half", 2, 0);
    addServer("free", 2);
    addServer("also-free", 2);
    ClusterQuery fit = allocator.query(inventory(), List.of(pairs(2)));
    assertThat(fit.first().orElseThrow().node()).isEqualTo("free");
    assertThat(fit.first().orElseThrow().outcome()).isInstanceOf(Allocated.class);
    assertThat(fitting(fit)).containsExactly("free", "also-free");
    assertThat(fitting(fit.parallel())).containsExactly("free", "also-free");
    assertThat(fitting(fit.among(node -> node.name().startsWith("also"))))
        .containsExactly("also-free");
    assertThat(fit.among(node -> false).first()).isEmpty();
  }

  @Test
  void nodesThatLookTheSameToTheClaimsAreSearchedOnce() {
    for (int i = 0; i < 50; i++) {
      addServer("server-" + i, 2, 0);
    }
    ClusterQuery fit = allocator.query(inventory(), List.of(pairs(2)));
    fit.sight("server-0"); // learns what the claims look at
    int before = selectors.compiled.get();
    assertThat(fit.first()).isEmpty();
    // Two selectors for one node.
    assertThat(selectors.compiled.get() - before).isEqualTo(2);
    assertThat(fit.on("server-7")).isInstanceOf(Unallocatable.class);
    assertThat(((Unallocatable) fit.on("server-7")).explanation().summary()).isNotEmpty();
  }

  @Test
  void aFaultIsFoundOnTheFirstNodeThatShowsIt() {
    addServer("a", 1);
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("no-such-class")).build();
    ClusterQuery fit = allocator.query(inventory(), List.of(claim));
    assertThat(fit.first().orElseThrow().outcome()).isInstanceOf(Rejected.class);
    assertThat(fit.on("no-such-node")).isInstanceOf(Rejected.class);
  }

  @Test
  void whatIsSharedIsWhatEachNodeSays() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      objects.removeIf(each -> !(each instanceof DeviceClass));
      for (int i = 0; i < 8; i++) {
        int pairs = random.nextInt(1, 4);
        int[] inUse = random.ints(random.nextInt(3), 0, pairs).distinct().toArray();
        addServer("s" + i, pairs, inUse);
      }
      if (random.nextInt(3) == 0) {
        objects.add(
            ResourceSlice.named("shared", "nic")
                .pool("shared", 1, 1)
                .nodeSelection(NodeSelection.ALL_NODES)
                .device(Device.named("x").attribute(ROOT, "r0").build())
                .build());
      }
      DeviceInventory inventory = inventory();
      List<ResourceClaim> claims = List.of(pairs(random.nextInt(1, 4)));
      List<OnNode> each = new ArrayList<>();
      for (Node node : inventory.nodes()) {
        AllocationOutcome outcome = allocator.allocate(inventory, node.name(), claims);
        if (outcome instanceof Allocated) {
          each.add(new OnNode(node.name(), outcome));
        }
      }
      ClusterQuery fit = allocator.query(inventory, claims);
      assertThat(fit.fitting()).as("seed " + seed).isEqualTo(each);
      each.forEach(there -> assertThat(fit.on(there.node())).isEqualTo(there.outcome()));
    }
  }

  @Test
  void aQueryThatIsAskedNodeByNodeSearchesNodesOfOneShapeOnce() {
    for (int i = 0; i < 50; i++) {
      addServer("server-" + i, 2, 0);
    }
    DeviceInventory inventory = inventory();
    ResourceClaim claim = pairs(2);
    ClusterQuery query = allocator.query(inventory, List.of(claim));
    query.on("server-0"); // learns what the claims look at
    int before = selectors.compiled.get();
    for (int i = 1; i < 50; i++) {
      assertThat(query.on("server-" + i)).isInstanceOf(Unallocatable.class);
    }
    assertThat(selectors.compiled.get()).isEqualTo(before);
    assertThat(allocator.allocate(inventory, "server-7", List.of(claim)))
        .isInstanceOf(Unallocatable.class);
    assertThat(selectors.compiled.get()).isGreaterThan(before);
  }

  /** Wants devices whose serial number ends in 1, which the claims do not ask for. */
  private static final class BySerial implements AllocationPolicy {
    @Override
    public Choice choose(PolicyContext question) {
      boolean wanted =
          question.requests().stream()
              .flatMap(request -> request.firstFit().stream())
              .allMatch(device -> WANTED.equals(device.device().attributes().get("serial")));
      return wanted ? new Choice.AsFound() : new Choice.Refused("another serial number");
    }

    private static final DeviceAttribute WANTED = new DeviceAttribute.StringValue("b-0");

    @Override
    public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices) {
      return Optional.empty();
    }
  }

  @Test
  void whatAPolicyRefusesOnOneNodeItMayTakeOnAnother() {
    addServer("a", 1);
    addServer("b", 1);
    Allocator choosing = allocator.withPolicy(new BySerial());
    ClusterQuery fit = choosing.query(inventory(), List.of(pairs(1)));
    assertThat(fitting(fit)).containsExactly("b");
    assertThat(fit.on("a")).isInstanceOf(Unallocatable.class);
    assertThat(choosing.headroom(inventory(), pairs(1), 9).byNode().toString())
        .isEqualTo("{a=0, b=1}");
  }

  @Test
  void headroomIsWhatFitsUntilNothingFits() {
    addServer("a", 4);
    addServer("b", 4, 1);
    addServer("c", 4);
    Headroom headroom = allocator.headroom(inventory(), pairs(2), 100);
    assertThat(headroom.byNode().toString()).isEqualTo("{a=2, b=1, c=2}");
    assertThat(headroom.total()).isEqualTo(5);
    assertThat(headroom.stopped()).isEmpty();
    assertThat(allocator.headroom(inventory(), pairs(1), 3).total()).isEqualTo(9);
  }

  @Test
  void whatStopsAHeadroomNamesTheClaimThatWasAskedFor() {
    addServer("a", 1);
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nope")).build();
    assertThat(allocator.headroom(inventory(), claim, 5).stopped())
        .hasValueSatisfying(
            why -> assertThat(why).startsWith("node a: claim default/c, ").doesNotContain("~"));
  }

  @Test
  void aClaimThatHasDevicesCountsBesideWhatItHas() {
    addServer("a", 3);
    ResourceClaim claim = pairs(1);
    DeviceInventory before = inventory();
    ResourceClaim allocated =
        ((Allocated) allocator.allocate(before, "a", List.of(claim)))
            .allocations()
            .get(0)
            .allocatedClaim();
    DeviceInventory held = before.apply(List.of(new ClaimPut(allocated)));
    assertThat(allocator.headroom(held, allocated, 9).total()).isEqualTo(2);
  }

  @Test
  @Timeout(60) // minutes, were all shares looked at for each
  void manySharesOfOneDeviceAreCountedInTime() {
    objects.add(Node.named("a"));
    objects.add(
        ResourceSlice.onNode(
            "shared",
            "nic",
            "a",
            List.of(
                Device.named("s").allowMultipleAllocations().capacity("m", "1000000").build())));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("nic").capacity("m", "20"))
            .build();
    Headroom headroom = allocator.headroom(inventory(), claim, 100_000);
    assertThat(headroom.byNode().toString()).isEqualTo("{a=50000}");
  }

  /** Two devices that all nodes may use. */
  private void addSharedDevices() {
    objects.add(
        ResourceSlice.named("fabric", "nic")
            .pool("fabric", 1, 1)
            .nodeSelection(NodeSelection.ALL_NODES)
            .devices(List.of(Device.named("x").build(), Device.named("y").build()))
            .build());
  }

  @Test
  void devicesThatNodesShareCountOnceInAll() {
    objects.add(Node.named("a"));
    objects.add(Node.named("b"));
    addSharedDevices();
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    Headroom headroom = allocator.headroom(inventory(), claim, 100);
    assertThat(headroom.byNode().toString()).isEqualTo("{a=2, b=2}");
    assertThat(headroom.total()).isEqualTo(2);
  }

  @Test
  void reasonsOfMostNodesComeFirst() {
    addServer("small", 1);
    for (String name : List.of("used-0", "used-1", "used-2")) {
      addServer(name, 2, 0, 1);
    }
    assertThat(summary(pairs(2)))
        .startsWith("3 nodes: ")
        .contains("; 1 node: ")
        .doesNotContain("fits on");
    addServer("large", 4);
    assertThat(summary(pairs(2))).startsWith("fits on large; 3 nodes: ").contains("; 1 node: ");
    objects.clear();
    objects.add(DeviceClass.named("gpu", "driver=gpu"));
    objects.add(DeviceClass.named("nic", "driver=nic"));
    assertThat(summary(pairs(1))).isEqualTo("there are no nodes");
    addServer("one", 1);
    assertThat(summary(pairs(1))).isEqualTo("fits on one");
  }

  private String summary(ResourceClaim claim) {
    return explain(claim).summary();
  }

  private ClusterExplanation explain(ResourceClaim claim) {
    return allocator.query(inventory(), List.of(claim)).explain(Budget.unlimited());
  }

  @Test
  void aStatementHasNoNamesOfClaims() {
    assertThat(explain(pairs(2)).statement()).isEqualTo("there are no nodes");
    addServer("small", 1);
    ClusterExplanation one = explain(pairs(2));
    assertThat(one.summary())
        .isEqualTo("claim default/" + pairs(2).metadata().name() + ", " + one.statement());
    assertThat(one.statement()).doesNotContain("claim default/").contains("request ");
    addServer("used", 2, 0, 1);
    assertThat(explain(pairs(2)).statement())
        .as("of several reasons")
        .isEqualTo(explain(pairs(2)).summary());
    objects.clear();
    objects.add(DeviceClass.named("gpu", "driver=gpu"));
    objects.add(DeviceClass.named("nic", "driver=nic"));
    addServer("small", 1);
    addServer("large", 4);
    assertThat(explain(pairs(2)).statement()).isEqualTo(explain(pairs(2)).summary());
    assertThat(explain(pairs(2)).statement()).startsWith("fits on large; 1 node: ");
  }

  @Test
  void whatNodesHaveOfTheirOwnCountsBesideWhatTheyShare() {
    for (String node : List.of("a", "b")) {
      objects.add(Node.named(node));
      objects.add(
          ResourceSlice.onNode("own-" + node, "nic", node, List.of(Device.named("o").build())));
    }
    addSharedDevices();
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    Headroom headroom = allocator.headroom(inventory(), claim, 100);
    assertThat(headroom.byNode().toString()).isEqualTo("{a=3, b=3}");
    assertThat(headroom.total()).isEqualTo(4);
  }

  @Test
  void aHeadroomThatStopsWhileAllIsCountedSaysSo() {
    devicesThatNodesShareCountOnceInAll();
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    boolean stoppedAtTheEnd = false;
    for (int after = 1; after < 200; after++) {
      AtomicInteger looks = new AtomicInteger();
      int last = after;
      Budget few = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > last);
      Headroom headroom = allocator.headroom(inventory(), claim, 100, few);
      assertThat(headroom.total()).isLessThanOrEqualTo(2);
      if (headroom.stopped().isPresent()) {
        assertThat(headroom.stopped().get()).matches("node [ab]: .*cancelled.*");
        stoppedAtTheEnd |= headroom.unfinished().isEmpty();
      } else {
        assertThat(headroom.total()).isEqualTo(2);
      }
    }
    assertThat(stoppedAtTheEnd).isTrue();
  }

  @Test
  void whatWasCountedBeforeAHeadroomStopsCounts() {
    for (String node : List.of("a", "b", "c")) {
      objects.add(Node.named(node));
      objects.add(
          ResourceSlice.onNode("own-" + node, "nic", node, List.of(Device.named("o").build())));
    }
    addSharedDevices();
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    List<Long> stopped = new ArrayList<>();
    Headroom headroom;
    int after = 0;
    do {
      AtomicInteger looks = new AtomicInteger();
      int last = ++after;
      Budget few = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > last);
      headroom = allocator.headroom(inventory(), claim, 100, few);
      if (headroom.stopped().isPresent()) {
        assertThat(headroom.stopped().get()).matches("node [abc]: .*cancelled.*");
        stopped.add(headroom.total());
        if (headroom.unfinished().isEmpty() && headroom.stopped().get().startsWith("node c")) {
          assertThat(headroom.total()).as("what is on a and b").isBetween(4L, 5L);
        }
      }
    } while (headroom.stopped().isPresent());
    assertThat(headroom.total()).isEqualTo(5);
    assertThat(stopped).isSorted().contains(3L, 4L).doesNotContain(6L);
  }

  @Test
  void headroomOfAFaultyClaimSaysWhatStoppedIt() {
    addServer("a", 1);
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("no-such-class")).build();
    Headroom headroom = allocator.headroom(inventory(), claim, 100);
    assertThat(headroom.total()).isZero();
    assertThat(headroom.stopped().orElseThrow()).contains("no-such-class");
  }

  @Test
  void headroomKeepsToTheTimeAndNamesTheNodesThatWereNotCounted() {
    addServer("a", 4);
    addServer("b", 4, 1);
    AtomicInteger looks = new AtomicInteger();
    Budget few = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > 12);
    Headroom headroom = allocator.headroom(inventory(), pairs(1), 100, few);
    assertThat(headroom.stopped().orElseThrow()).contains("cancelled");
    assertThat(headroom.unfinished()).endsWith("b");
    assertThat(headroom.byNode().keySet()).containsExactly("a", "b");
    assertThat(headroom.total()).isLessThan(7);
    Budget none = Budget.of(Duration.ZERO);
    assertThat(allocator.headroom(inventory(), pairs(1), 100, none).unfinished())
        .containsExactly("a", "b");
  }

  @Test
  void nodesThatLookTheSameAreNotCountedByOneThatWasCutShort() {
    addServer("a", 2);
    addServer("b", 2);
    AtomicInteger asked = new AtomicInteger();
    Allocator slow =
        Allocator.builder()
            .selectors(selectors)
            .shareIds(() -> "x" + asked.incrementAndGet())
            .build();
    AtomicInteger looks = new AtomicInteger();
    Budget once = Budget.unlimited().orUntil(() -> looks.incrementAndGet() == 5);
    Headroom headroom = slow.headroom(inventory(), pairs(1), 100, once);
    assertThat(headroom.unfinished()).containsExactly("a");
    assertThat(headroom.byNode()).containsEntry("b", 2);
  }

  @Test
  void headroomFreesNobodysDevicesWhateverTheNames() {
    addServer("a", 2, 0);
    objects.add(HeldDevices.holding("c~0", new DeviceId("gpu", "a", "g0")));
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu")).build();
    assertThat(allocator.headroom(inventory(), claim, 100).total()).isEqualTo(1);
  }

  @Test
  void sharedDevicesWithinATimeAreAtLeastWhatOneNodeCounts() {
    objects.add(Node.named("a"));
    objects.add(Node.named("b"));
    addSharedDevices();
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    for (int most = 1; most < 60; most++) {
      int limit = most;
      AtomicInteger looks = new AtomicInteger();
      Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > limit);
      Headroom headroom = allocator.headroom(inventory(), claim, 100, budget);
      int best = headroom.byNode().values().stream().mapToInt(Integer::intValue).max().orElse(0);
      assertThat(headroom.total()).isBetween((long) best, 2L);
      assertThat(headroom.total() == 2 || headroom.stopped().isPresent()).isTrue();
    }
  }

  @Test
  void allNodesTogetherKeepToOneTime() {
    addServer("a", 1, 0);
    addServer("b", 2);
    Budget none = Budget.of(Duration.ZERO);
    ClusterQuery over = allocator.query(inventory(), List.of(pairs(1))).withBudget(none);
    assertThat(over.first().orElseThrow().outcome()).isInstanceOf(Undecided.class);
    assertThat(over.on("b")).isInstanceOf(Undecided.class);
    assertThat(over.among(node -> true).parallel().fitting().toList()).hasSize(2);
    ClusterQuery inTime = over.withBudget(Budget.unlimited());
    assertThat(inTime.first().orElseThrow().node()).isEqualTo("b");
    assertThat(inTime.on("a")).isInstanceOf(Unallocatable.class);
    assertThat(inTime.withBudget(none).on("a")).isInstanceOf(Undecided.class);
    assertThat(inTime.withBudget(none).on("b")).isInstanceOf(Undecided.class);
  }

  @Test
  void timeHoldsForTheSecondNodeToo() {
    addServer("a", 1, 0);
    addServer("b", 1, 0);
    DeviceInventory inventory = inventory();
    List<ResourceClaim> claims = List.of(pairs(1));
    assertThat(allocator.allocate(inventory, "a", claims)).isInstanceOf(Unallocatable.class);
    int before = selectors.compiled.get();
    assertThat(allocator.allocate(inventory, "b", claims, () -> true))
        .isInstanceOf(Undecided.class);
    assertThat(allocator.headroom(inventory, claims.get(0), 9, Budget.of(Duration.ZERO)).total())
        .isZero();
    assertThat(selectors.compiled.get()).isEqualTo(before);
    assertThat(allocator.allocate(inventory, "b", claims)).isInstanceOf(Unallocatable.class);
  }

  @Test
  void aPoolOfTheSameNameOnTwoNodesIsOnePool() {
    for (String node : List.of("a", "b")) {
      objects.add(Node.named(node));
      objects.add(
          ResourceSlice.named(node + "-nics", "nic")
              .pool("p", 1, 1)
              .nodeSelection(NodeSelection.ofNode(node))
              .device(Device.named("n0").build())
              .build());
    }
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("nic")).build();
    Headroom headroom = allocator.headroom(inventory(), claim, 9);
    assertThat(headroom.byNode().toString()).isEqualTo("{a=1, b=1}");
    assertThat(headroom.total()).isEqualTo(1);
  }

  @Test
  void aNodeThatRejectsTheClaimsIsNotOneOnWhichTheyFit() {
    ResourceClaim broken = ResourceClaim.named("c").request("r", r -> r.deviceClass("zz")).build();
    ResourceClaim good = ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();
    Allocator allocator = Allocator.builder().selectors(new Cluster.Words()).build();
    DeviceInventory inventory = Cluster.withDevices(1).inventory();

    assertThat(allocator.query(inventory, List.of(broken)).first()).isPresent();
    assertThat(allocator.query(inventory, List.of(broken)).firstAllocated()).isEmpty();
    assertThat(allocator.query(inventory, List.of(good)).firstAllocated())
        .map(OnNode::node)
        .contains("n");
  }

  @Test
  void lookingAtANodeAndSearchingItHaveOneTimeTogether() {
    addServer("a", 300);
    DeviceInventory inventory = inventory();
    Allocator hasty =
        Allocator.builder().selectors(selectors).timeout(Duration.ofMillis(1)).build();
    AtomicInteger looks = new AtomicInteger();
    Budget slow =
        Budget.unlimited()
            .orUntil(
                () -> {
                  long from = System.nanoTime();
                  while (System.nanoTime() - from < 3_000_000) {
                    Thread.onSpinWait();
                  }
                  return looks.incrementAndGet() < 0;
                });
    ClusterQuery fit = hasty.query(inventory, List.of(pairs(1))).withBudget(slow);
    assertThat(fit.on("a")).isInstanceOf(Undecided.class);
    assertThat(looks.get()).isEqualTo(2); // each found the time over
  }
}
