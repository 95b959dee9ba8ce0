package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Rejected;
import io.dra4j.scheduling.PodOutcome.Undecided;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClusterRunTest {

  /** Knows one expression, {@code any}, and counts what is compiled. */
  private static final class AnySelector implements SelectorCompiler {

    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      if (!expression.equals("any")) {
        throw new SelectorException("syntax error");
      }
      return (driver, device) -> true;
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("no derived attributes");
    }
  }

  private static final Allocator ALLOCATOR =
      Allocator.builder().selectors(new AnySelector()).build();

  private final List<KubernetesObject> objects = new ArrayList<>();

  private ClusterRunTest() {
    objects.add(DeviceClass.named("any"));
  }

  private void node(String name, int devices, String... labels) {
    Map<String, String> all = labels.length == 0 ? Map.of() : Map.of(labels[0], labels[1]);
    objects.add(new Node(new ObjectMeta(name, null, null, all, Map.of()), List.of()));
    List<Device> list = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      list.add(Device.named("d" + i).build());
    }
    objects.add(ResourceSlice.onNode("slice-" + name, "gpu", name, list));
  }

  private void claims(int count, String... names) {
    for (String name : names) {
      objects.add(
          ResourceClaim.named(name).request("r", r -> r.deviceClass("any").count(count)).build());
    }
  }

  private void pod(String name, PodSpec spec) {
    objects.add(new Pod(ObjectMeta.named(name), spec, Map.of(), PodPhase.UNSET));
  }

  private static PodSpec on(String node, Map<String, String> selector, String... claims) {
    return new PodSpec(
        node,
        selector,
        Arrays.stream(claims).map(claim -> new PodResourceClaim(claim, claim, null)).toList());
  }

  private static PodSpec inGroup(PodResourceClaim claim) {
    return PodSpec.builder().resourceClaims(List.of(claim)).podGroupName("g").build();
  }

  private ClusterOutcome place(ClusterRun run) {
    return TestCluster.place(run, objects);
  }

  private static List<String> text(ClusterOutcome outcome) {
    return outcome.pods().stream()
        .map(
            pod ->
                pod.pod().name()
                    + (pod instanceof Placed placed ? " on " + placed.node() : " nowhere"))
        .toList();
  }

  @Test
  void eachPodGoesToTheFirstNodeThatHasDevicesLeft() {
    node("a", 1);
    node("b", 2);
    claims(1, "x", "y", "z", "w");
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(text(outcome))
        .containsExactly("default/x on a", "default/y on b", "default/z on b", "default/w nowhere");
    assertThat(outcome.claims().values())
        .filteredOn(claim -> claim.allocation() != null)
        .extracting(claim -> claim.metadata().name())
        .containsExactly("x", "y", "z");
  }

  @Test
  void aRefusalSaysWhyOfEachNodeAsItWasWhenThePodWasTried() {
    node("a", 2);
    node("b", 1, "zone", "b");
    claims(2, "big", "late");
    claims(1, "small");
    pod("picky", on("", Map.of("zone", "b"), "big"));
    pod("first", on("", Map.of(), "small"));
    pod("last", on("", Map.of(), "late"));
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(text(outcome))
        .containsExactly("default/picky nowhere", "default/first on a", "default/last nowhere");
    NodeRefusals picky = ((Unplaceable) outcome.pods().get(0)).refusals();
    NodeRefusals last = ((Unplaceable) outcome.pods().get(2)).refusals();
    assertThat(picky.counts())
        .containsOnly(Map.entry(Cause.NODE_SELECTOR, 1), Map.entry(Cause.DEVICES, 1));
    assertThat(last.counts()).containsOnly(Map.entry(Cause.DEVICES, 2));
    assertThat(last.withoutDevices()).isEqualTo(2);
    assertThat(last.first(1))
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.node()).isEqualTo("a");
              assertThat(refusal.lines().get(0)).contains("late").contains("in use");
            });
    // Back to the pod before it, when nothing was in use.
    assertThat(picky.on("a").cause()).isEqualTo(Cause.NODE_SELECTOR);
    assertThat(picky.on("b").lines().get(0)).contains("big").doesNotContain("in use");
    assertThat(last.first(10)).hasSize(2);
    assertThatThrownBy(() -> last.on("c")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nodeNamesSelectorsAndAllocatedClaimsDecideWhereAPodMayRun() {
    node("a", 1, "zone", "a");
    node("b", 1, "zone", "b");
    NodeSelector inB =
        new NodeSelector(
            List.of(
                new NodeSelectorTerm(
                    List.of(
                        new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of("b"))),
                    List.of())));
    objects.add(
        ResourceClaim.named("held")
            .build()
            .withAllocation(new AllocationResult(List.of(), List.of(), inB, null)));
    pod("with", on("", Map.of(), "held"));
    pod("bound", on("a", Map.of(), "held"));
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(text(outcome)).containsExactly("default/with on b", "default/bound nowhere");
    NodeRefusals bound = ((Unplaceable) outcome.pods().get(1)).refusals();
    assertThat(bound.counts())
        .containsOnly(Map.entry(Cause.NODE_NAME, 1), Map.entry(Cause.ALLOCATED_CLAIMS, 1));
    assertThat(bound.first(5)).isEmpty();
    assertThat(bound.on("b").cause()).isEqualTo(Cause.NODE_NAME);
  }

  @Test
  void faultsAndTimeEndTheSearchForTheirPodOnly() {
    node("a", 1);
    objects.add(DeviceClass.named("broken", "?"));
    objects.add(ResourceClaim.named("x").request("r", r -> r.deviceClass("broken")).build());
    claims(1, "y");
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(outcome.pods().get(0))
        .isInstanceOfSatisfying(
            Rejected.class, pod -> assertThat(pod.fault().error()).contains("broken"));
    assertThat(outcome.pods().get(1)).isInstanceOf(Placed.class);
    Allocator hasty =
        Allocator.builder().selectors(new AnySelector()).timeout(Duration.ZERO).build();
    assertThat(place(ClusterRun.builder(hasty).build()).pods().get(1))
        .isInstanceOf(Undecided.class);
  }

  private void group(int minCount, int pods, String... topologyKeys) {
    objects.add(
        PodGroup.named("default", "g")
            .minCount(minCount)
            .topologyKeys(List.of(topologyKeys))
            .build());
    for (int i = 0; i < pods; i++) {
      claims(1, "c" + i);
      PodResourceClaim claim = new PodResourceClaim("c", "c" + i, null);
      pod("p" + i, inGroup(claim));
    }
  }

  private static ClusterRun withGangs() {
    GangPlacement firstFit =
        GangPlacement.builder(ALLOCATOR).policy(PlacementPolicy.firstFit()).build();
    return ClusterRun.builder(ALLOCATOR).gangs(firstFit, Duration.ofMinutes(1)).build();
  }

  private static ClusterRun withPodGroups() {
    GangPlacement firstFit =
        GangPlacement.builder(ALLOCATOR).policy(PlacementPolicy.firstFit()).build();
    return ClusterRun.builder(ALLOCATOR).podGroups(firstFit, Duration.ofMinutes(1)).build();
  }

  @Test
  void aPodGroupIsPlacedWholeOrNotAtAllWhereOtherGangsAreNot() {
    node("a", 2);
    group(3, 3);
    assertThat(text(place(withPodGroups())))
        .containsExactly("default/p0 nowhere", "default/p1 nowhere", "default/p2 nowhere");
    node("b", 1);
    ClusterOutcome outcome = place(withPodGroups());
    assertThat(text(outcome))
        .containsExactly("default/p0 on a", "default/p1 on a", "default/p2 on b");
    assertThat(outcome.gangs()).isEmpty();
  }

  @Test
  void podsOfAStatefulSetArePlacedOneByOneBesidePodGroups() {
    node("a", 2);
    objects.add(
        ResourceClaimTemplate.named("default", "t")
            .spec(ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build().spec())
            .build());
    objects.add(
        StatefulSet.named("default", "s")
            .replicas(3)
            .template(PodSpec.builder().resourceClaimTemplate("c", "t").build())
            .build());
    assertThat(text(place(withPodGroups())))
        .containsExactly("default/s-0 on a", "default/s-1 on a", "default/s-2 nowhere");
    assertThat(text(place(withGangs())))
        .containsExactly("default/s-0 nowhere", "default/s-1 nowhere", "default/s-2 nowhere");
  }

  /** A pod of the group has ended, for example: those that run are no fewer for that. */
  @Test
  void podsOfAPodGroupThatAreOnNodesStayThere() {
    node("a", 3);
    group(3, 0);
    claims(1, "c0", "c1");
    for (String name : List.of("c0", "c1")) {
      PodSpec spec =
          inGroup(new PodResourceClaim("c", name, null)).toBuilder().nodeName("a").build();
      pod("on-" + name, spec);
    }
    allocate("c0", "a", "d0");
    allocate("c1", "a", "d1");
    assertThat(text(place(withPodGroups())))
        .containsExactly("default/on-c0 on a", "default/on-c1 on a");
    claims(1, "c2");
    pod("waits", inGroup(new PodResourceClaim("c", "c2", null)));
    assertThat(text(place(withPodGroups()))).contains("default/waits on a");
  }

  private void allocate(String name, String node, String device) {
    objects.replaceAll(
        object ->
            object instanceof ResourceClaim claim && claim.metadata().name().equals(name)
                ? claim.toBuilder()
                    .allocation(
                        AllocationResult.builder()
                            .result(
                                DeviceRequestAllocationResult.of(
                                        "r", new DeviceId("gpu", node, device))
                                    .build())
                            .build())
                    .build()
                : object);
  }

  @Test
  void podsForWhichTheirGangHasNoRoomStayWhereItIs() {
    node("a", 3, "zone", "za");
    node("b", 2, "zone", "zb");
    group(2, 4, "zone");
    ClusterOutcome outcome = place(withGangs());
    assertThat(text(outcome))
        .containsExactly(
            "default/p0 on a", "default/p1 on a", "default/p2 on a", "default/p3 nowhere");
    NodeRefusals last = ((Unplaceable) outcome.pods().get(3)).refusals();
    assertThat(last.counts())
        .containsOnly(Map.entry(Cause.GANG_TOPOLOGY, 1), Map.entry(Cause.DEVICES, 1));
    assertThat(last.allows(Node.named("b"))).isFalse();
    assertThat(last.toString())
        .contains("; node b has other values of the topology keys than the nodes");
    assertThat(outcome.gangs()).containsOnlyKeys("PodGroup default/g");
  }

  @Test
  void aPodThatFitsWhereItsGangIsIsPlacedThereAlthoughOneBeforeItIsNot() {
    node("b", 1, "zone", "zb");
    node("a", 3, "zone", "za");
    group(2, 2, "zone");
    claims(3, "large");
    claims(1, "small");
    for (String claim : List.of("large", "small")) {
      PodResourceClaim entry = new PodResourceClaim("c", claim, null);
      pod(claim, inGroup(entry));
    }
    assertThat(text(place(withGangs())))
        .containsExactly(
            "default/p0 on a", "default/p1 on a", "default/large nowhere", "default/small on a");
  }

  /** So many ways to place 13 pods on 12 devices cannot all be tried. */
  @Test
  void asManyPodsOfAGangArePlacedAsFitAlthoughNobodyKnowsThatMoreDoNot() {
    node("a", 4);
    node("b", 4);
    node("c", 4);
    group(2, 13);
    ClusterOutcome outcome = place(withGangs());
    assertThat(outcome.pods().subList(0, 12)).allMatch(Placed.class::isInstance);
    assertThat(outcome.pods().get(12)).isInstanceOf(Unplaceable.class);
  }

  /** As in kube-scheduler, where an error of one pod ends the attempt for its group. */
  @Test
  void aFaultOfAPodThatItsGangCanDoWithoutKeepsItAway() {
    node("a", 4);
    group(2, 3);
    objects.add(DeviceClass.named("broken", "?"));
    objects.add(ResourceClaim.named("x").request("r", r -> r.deviceClass("broken")).build());
    PodResourceClaim claim = new PodResourceClaim("c", "x", null);
    pod("bad", inGroup(claim));
    for (ClusterRun run : List.of(withGangs(), withPodGroups())) {
      assertThat(place(run).pods())
          .hasSize(4)
          .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Rejected.class));
    }
  }

  @Test
  void aRunOverOneNodeLeavesTheOthersAloneAndTellsOfEachPod() {
    node("a", 5);
    node("b", 1);
    claims(1, "x", "y");
    AtomicInteger seen = new AtomicInteger();
    ClusterRun run =
        ClusterRun.builder(ALLOCATOR).node("b").observer(pod -> seen.incrementAndGet()).build();
    assertThat(text(place(run))).containsExactly("default/x on b", "default/y nowhere");
    assertThat(seen).hasValue(2);
  }

  @Test
  void aPodOfHigherPriorityGetsTheDeviceThatAnEarlierOneWants() {
    node("n0", 1);
    claims(1, "a", "b");
    pod("low", on("", Map.of(), "a"));
    pod("high", on("", Map.of(), "b").toBuilder().priority(1000).build());
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(outcome.pods())
        .extracting(pod -> pod.pod().name())
        .containsExactly("default/high", "default/low");
    assertThat(outcome.pods().get(0)).isInstanceOf(PodOutcome.Placed.class);
    assertThat(outcome.pods().get(1)).isInstanceOf(PodOutcome.Unplaceable.class);
  }

  private void change(String node, UnaryOperator<Node.Builder> change) {
    objects.replaceAll(
        object ->
            object instanceof Node one && one.name().equals(node)
                ? change.apply(one.toBuilder()).build()
                : object);
  }

  private static final Taint GPU = Taint.of("nvidia.com/gpu", "", TaintEffect.NO_SCHEDULE);

  @Test
  void taintsAndAffinityDecideWhereAPodMayRun() {
    node("a", 1, "zone", "a");
    node("b", 1, "zone", "b");
    node("c", 1, "zone", "c");
    change("a", node -> node.taint(GPU));
    change("c", node -> node.unschedulable(true));
    claims(1, "x", "y", "z");
    var in = new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of("b", "c"));
    NodeSelector required = new NodeSelector(List.of(new NodeSelectorTerm(List.of(in), List.of())));
    PodSpec plain = on("", Map.of(), "x");
    PodSpec near =
        on("", Map.of(), "y").toBuilder()
            .toleration(Toleration.exists("nvidia.com/gpu"))
            .requiredNodeAffinity(required)
            .build();
    pod("plain", plain);
    pod("near", near);
    pod(
        "gpu",
        on("", Map.of(), "z").toBuilder().toleration(Toleration.exists("nvidia.com/gpu")).build());
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(text(outcome))
        .containsExactly("default/plain on b", "default/near nowhere", "default/gpu on a");
    NodeRefusals refused = ((Unplaceable) outcome.pods().get(1)).refusals();
    assertThat(refused.counts())
        .containsOnly(
            Map.entry(Cause.TAINT, 1),
            Map.entry(Cause.NODE_AFFINITY, 1),
            Map.entry(Cause.DEVICES, 1));
    assertThat(refused.toString())
        .isEqualTo(
            "1 node: the node has no devices for the pod's claims; node c is cordoned"
                + " (spec.unschedulable), and the pod does not tolerate"
                + " node.kubernetes.io/unschedulable:NoSchedule; node a is not what the pod's node"
                + " affinity requires (zone In [b, c]): it has zone=a");
    assertThat(refused.reasons())
        .extracting(reason -> reason.cause() + " " + reason.nodes())
        .containsExactly("TAINT [c]", "NODE_AFFINITY [a]");
    assertThat(refused.on("c").lines().get(0)).startsWith("node c is cordoned");
  }

  @Test
  void aBoundPodStaysOnATaintedNode() {
    node("a", 1);
    change("a", node -> node.taint(GPU).unschedulable(true));
    objects.add(
        ResourceClaim.named("x")
            .build()
            .withAllocation(new AllocationResult(List.of(), List.of(), null, null)));
    pod("bound", on("a", Map.of(), "x"));
    assertThat(text(place(ClusterRun.builder(ALLOCATOR).build())))
        .containsExactly("default/bound on a");
  }

  @Test
  void aNodeNameThatNoNodeHasIsTold() {
    node("a", 1);
    node("b", 1);
    claims(1, "x");
    pod("bound", on("n7", Map.of(), "x"));
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(((Unplaceable) outcome.pods().get(0)).refusals().toString())
        .isEqualTo("the pod names node n7 (spec.nodeName), and there is no Node of that name");
  }

  /** Nobody knows what its pod tolerates, but hardly that the node is out of order. */
  @Test
  void aClaimThatNoPodUsesToleratesWhatDoesNotTellOfStates() {
    node("a", 1);
    node("b", 1);
    change("a", node -> node.taint(Taint.of("node.kubernetes.io/not-ready", "", GPU.effect())));
    change("b", node -> node.taint(GPU));
    claims(1, "x", "y");
    assertThat(text(place(ClusterRun.builder(ALLOCATOR).build())))
        .containsExactly("default/x on b", "default/y nowhere");
  }

  @Test
  void aGangRunsOnlyWhereItsPodsTolerateTheNodes() {
    node("a", 4);
    node("b", 2);
    node("c", 4);
    change("a", node -> node.taint(GPU));
    group(2, 2);
    assertThat(text(place(withGangs()))).doesNotContain("default/p0 on a", "default/p1 on a");
    change("b", node -> node.unschedulable(true));
    change("c", node -> node.taint(GPU));
    assertThat(text(place(withGangs())))
        .containsExactly("default/p0 nowhere", "default/p1 nowhere");
  }

  /** What the template decides is asked of each node once, not once for each pod. */
  @Test
  @Timeout(60)
  void manyPodsOfATemplateAndManyNodesTakeNoLongerThanTheyAreMany() {
    for (int i = 0; i < 10_000; i++) {
      objects.add(Node.named("n" + i).toBuilder().label("host", "n" + i).taint(GPU).build());
    }
    List<String> hosts = objects.stream().map(node -> "x" + node.metadata().name()).toList();
    var in = new NodeSelectorRequirement("host", NodeSelectorOperator.IN, hosts);
    objects.add(
        ResourceClaimTemplate.named("default", "t")
            .spec(ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build().spec())
            .build());
    objects.add(
        StatefulSet.named("default", "s")
            .replicas(10_000)
            .template(
                PodSpec.builder()
                    .resourceClaimTemplate("c", "t")
                    .toleration(Toleration.exists("nvidia.com/gpu"))
                    .requiredNodeAffinity(
                        new NodeSelector(List.of(new NodeSelectorTerm(List.of(in), List.of()))))
                    .build())
            .build());
    ClusterOutcome outcome = place(ClusterRun.builder(ALLOCATOR).build());
    assertThat(outcome.pods())
        .hasSize(10_000)
        .allMatch(
            pod ->
                ((Unplaceable) pod)
                    .refusals()
                    .toString()
                    .startsWith("10000 nodes are not what the pod's node affinity requires"));
  }

  @Test
  void theOnlyNodeThatIsNotThereIsNamed() {
    node("a", 1);
    claims(1, "x");
    assertThat(place(ClusterRun.builder(ALLOCATOR).node("zz").build()).pods())
        .singleElement()
        .asString()
        .contains("no node \"zz\" in the inventory");
  }

  @Test
  void aRunThatIsCancelledLeavesWhatIsPlacedAndDecidesNothingMore() {
    node("a", 4);
    claims(1, "x", "y", "z");
    List<String> seen = new ArrayList<>();
    ClusterRun run =
        ClusterRun.builder(ALLOCATOR)
            .budget(Budget.unlimited().orUntil(() -> seen.size() == 2))
            .observer(pod -> seen.add(pod.pod().name()))
            .build();
    ClusterOutcome outcome = place(run.toBuilder().node("a").build());
    assertThat(text(outcome))
        .containsExactly("default/x on a", "default/y on a", "default/z nowhere");
    assertThat(outcome.pods().get(2)).isInstanceOf(Undecided.class);
    assertThat(outcome.pods().get(2).toString()).contains("the time of the run is over: cancelled");
    assertThat(seen).hasSize(3);
  }

  @Test
  void aGangForWhichNoTimeIsLeftIsUndecided() {
    node("a", 4);
    group(2, 3);
    ClusterOutcome outcome =
        place(withGangs().toBuilder().budget(Budget.of(Duration.ZERO)).build());
    assertThat(outcome.pods())
        .hasSize(3)
        .allSatisfy(
            pod ->
                assertThat(pod)
                    .isInstanceOfSatisfying(
                        Undecided.class,
                        undecided ->
                            assertThat(undecided.reason())
                                .isEqualTo("the time of the run is over: no answer within 0 ms")));
    assertThat(outcome.gangs()).isEmpty();
  }

  @Test
  void whatAClaimGetsTakesNothingFromAnotherOfItsName() {
    node("n", 3);
    claims(1, "a", "b");
    pod("p", on("", Map.of(), "a"));
    pod("q", on("", Map.of(), "b"));
    objects.replaceAll(
        object -> object instanceof ResourceClaim claim ? ofUid("new", claim) : object);
    List<KubernetesObject> with = new ArrayList<>(objects);
    ResourceClaim old =
        ResourceClaim.named("a")
            .allocation(
                AllocationResult.builder()
                    .result(
                        DeviceRequestAllocationResult.of("r", new DeviceId("gpu", "n", "d0"))
                            .build())
                    .build())
            .build();
    with.add(ofUid("old", old));
    ClusterOutcome outcome =
        ClusterRun.builder(ALLOCATOR)
            .build()
            .place(PodQueue.of(objects), DeviceInventory.of(ClusterSnapshot.of(with)));
    assertThat(text(outcome)).containsExactly("default/p on n", "default/q on n");
    assertThat(outcome.claims().values())
        .extracting(claim -> Objects.requireNonNull(claim.allocation()).results().get(0).device())
        .containsExactly("d1", "d2");
  }

  private static ResourceClaim ofUid(String uid, ResourceClaim claim) {
    return claim.toBuilder().metadata(claim.metadata().toBuilder().uid(uid).build()).build();
  }
}
