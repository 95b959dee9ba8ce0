package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.Workload;
import io.dra4j.model.Workload.CompositeTemplate;
import io.dra4j.model.Workload.PodGroupTemplate;
import io.dra4j.model.WorkloadReference;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Rejected;
import io.dra4j.scheduling.PodOutcome.Undecided;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of PodGroups: all of those that have to be placed, or none; Workloads of missing ones. */
class CompositePodGroupTest {

  private static final Allocator ALLOCATOR = Allocator.builder().selectors(NO_SELECTORS).build();
  private static final GangPlacement FIRST_FIT =
      GangPlacement.builder(ALLOCATOR).policy(PlacementPolicy.firstFit()).build();
  private static final ClusterRun POD_GROUPS =
      ClusterRun.builder(ALLOCATOR).podGroups(FIRST_FIT, Duration.ofMinutes(1)).build();
  private static final ClusterRun GANGS =
      ClusterRun.builder(ALLOCATOR).gangs(FIRST_FIT, Duration.ofMinutes(1)).build();

  private final List<KubernetesObject> objects = new ArrayList<>();

  private CompositePodGroupTest() {
    objects.add(DeviceClass.named("any"));
  }

  /** A node with devices; labels are name, value, name, value. */
  private void node(String name, int devices, String... labels) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      all.put(labels[i], labels[i + 1]);
    }
    objects.add(new Node(new ObjectMeta(name, null, null, all, Map.of()), List.of()));
    List<Device> list = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      list.add(Device.named("d" + i).build());
    }
    objects.add(ResourceSlice.onNode("slice-" + name, "gpu", name, list));
  }

  private void composite(String name, UnaryOperator<CompositePodGroup.Builder> more) {
    objects.add(more.apply(CompositePodGroup.named("default", name)).build());
  }

  /** A PodGroup of a parent with pods that want one device each. */
  private void group(
      String name, @Nullable String parent, int pods, UnaryOperator<PodGroup.Builder> more) {
    objects.add(
        more.apply(PodGroup.named("default", name).minCount(Math.max(1, pods)).parentName(parent))
            .build());
    pods(name, 0, pods);
  }

  private void group(String name, @Nullable String parent, int pods) {
    group(name, parent, pods, group -> group);
  }

  private void pods(String group, int first, int count) {
    for (int i = first; i < first + count; i++) {
      pod(group, group + i, PodSpec.builder());
    }
  }

  private void pod(String group, String name, PodSpec.Builder spec) {
    objects.add(ResourceClaim.named("c-" + name).request("r", r -> r.deviceClass("any")).build());
    objects.add(
        Pod.named("default", name)
            .spec(
                spec.podGroupName(group)
                    .resourceClaims(List.of(new PodResourceClaim("c", "c-" + name, null)))
                    .build())
            .build());
  }

  private ClusterOutcome place(ClusterRun run) {
    return TestCluster.place(run, objects);
  }

  private static List<String> text(ClusterOutcome outcome) {
    return outcome.pods().stream()
        .map(
            pod ->
                pod.pod().name().substring("default/".length())
                    + (pod instanceof Placed placed ? " on " + placed.node() : " nowhere"))
        .toList();
  }

  private List<String> notes() {
    return PodQueue.of(objects).notes();
  }

  private static String reason(ClusterOutcome outcome) {
    return outcome.pods().get(0) instanceof GangUnplaceable gang
        ? gang.gang() + ": " + gang.reason()
        : outcome.pods().get(0).toString();
  }

  @Test
  void groupsOfAGangArePlacedIfBothFit() {
    node("a", 3);
    node("b", 2);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 2);
    group("y", "all", 3);
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(outcome.pods()).allSatisfy(pod -> assertThat(pod).isInstanceOf(Placed.class));
    assertThat(outcome.gangs()).isEmpty();
    assertThat(place(GANGS).gangs()).containsOnlyKeys("CompositePodGroup default/all");
    assertThat(notes()).isEmpty();
  }

  @Test
  void noneIsPlacedIfOneDoesNotFit() {
    node("a", 2);
    node("b", 2);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 2);
    group("y", "all", 3);
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome))
        .containsExactly("x0 nowhere", "x1 nowhere", "y0 nowhere", "y1 nowhere", "y2 nowhere");
    assertThat(reason(outcome))
        .startsWith("CompositePodGroup default/all: 5 pods do not fit together");
    assertThat(text(place(GANGS))).isEqualTo(text(outcome));
  }

  @Test
  void soManyGroupsAsHaveToBeArePlacedAndTheOthersWhereTheyFit() {
    node("a", 3);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 1);
    group("y", "all", 4);
    group("z", "all", 2);
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome))
        .containsExactly(
            "x0 on a",
            "y0 nowhere",
            "y1 nowhere",
            "y2 nowhere",
            "y3 nowhere",
            "z0 on a",
            "z1 on a");
    assertThat(outcome.pods().get(1))
        .isInstanceOfSatisfying(
            GangUnplaceable.class, pod -> assertThat(pod.gang()).isEqualTo("PodGroup default/y"));
    composite("all", all -> all.minGroupCount(3));
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.endsWith(" nowhere"));
  }

  @Test
  void groupsThatAreMissingKeepTheOthersAway() {
    node("a", 3);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 1);
    group("empty", "all", 0, group -> group.minCount(1));
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo(
            "CompositePodGroup default/all: it has 1 child group with pods to place and needs 2"
                + " together");
  }

  @Test
  void aGroupWithFewerPodsThanItNeedsKeepsTheOthersAway() {
    node("a", 5);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 2);
    group("y", "all", 2, group -> group.minCount(3));
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo(
            "CompositePodGroup default/all: 1 of its 2 child groups fits, and it needs 2;"
                + " PodGroup default/y: it has 2 pods with claims and needs 3 together");
  }

  @Test
  void podsBeyondThoseThatEachGroupNeedsComeAfterAllThatAreNeeded() {
    node("a", 4);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 3, group -> group.minCount(1));
    group("y", "all", 2);
    assertThat(text(place(POD_GROUPS)))
        .containsExactly("x0 on a", "x1 on a", "x2 nowhere", "y0 on a", "y1 on a");
  }

  @Test
  void topologyOfTheCompositeHoldsForAllOfItsGroups() {
    node("a", 3, "rack", "r1");
    node("b", 2, "rack", "r2");
    node("c", 2, "rack", "r2");
    node("far", 9);
    composite("all", all -> all.minGroupCount(2).topologyKeys(List.of("rack")));
    group("x", "all", 2);
    group("y", "all", 2);
    assertThat(text(place(POD_GROUPS)))
        .allMatch(pod -> pod.endsWith(" on b") || pod.endsWith(" on c"))
        .hasSize(4);
    pods("y", 2, 1); // and one beyond the gang: it stays in the rack, which is full
    assertThat(text(place(POD_GROUPS))).contains("y2 nowhere");
    composite("all", all -> all.minGroupCount(2).topologyKeys(List.of("zone")));
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo("CompositePodGroup default/all: no node has the labels zone");
  }

  /** As of a LeaderWorkerSet: each group in a rack, all of them in a block. */
  @Test
  void groupsHaveATopologyOfTheirOwnWithinThatOfTheComposite() {
    node("a", 2, "block", "b1", "rack", "r1");
    node("b", 1, "block", "b1", "rack", "r2");
    node("c", 1, "block", "b2", "rack", "r3");
    node("d", 2, "block", "b2", "rack", "r4");
    node("e", 2, "block", "b2", "rack", "r5");
    composite("all", all -> all.minGroupCount(2).topologyKeys(List.of("block")));
    group("x", "all", 2, group -> group.topologyKeys(List.of("rack")));
    group("y", "all", 2, group -> group.topologyKeys(List.of("rack")));
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on d", "x1 on d", "y0 on e", "y1 on e");
    pods("y", 2, 1);
    assertThat(text(place(POD_GROUPS))).contains("y2 nowhere");
    objects.removeIf(object -> object.metadata().name().endsWith("y2"));
    group("z", "all", 2, group -> group.topologyKeys(List.of("rack")));
    composite("all", all -> all.minGroupCount(3).topologyKeys(List.of("block")));
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome)).allMatch(pod -> pod.endsWith(" nowhere"));
    assertThat(reason(outcome))
        .startsWith(
            "CompositePodGroup default/all: 2 of its 3 child groups fit together, and it needs 3;"
                + " PodGroup default/z: ");
  }

  @Test
  void ofSeveralDomainsTheOneWithMostPodsCounts() {
    node("a", 2, "rack", "r1");
    node("b", 3, "rack", "r2");
    composite("all", all -> all.minGroupCount(1).topologyKeys(List.of("rack")));
    group("x", "all", 2);
    group("y", "all", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on b", "x1 on b", "y0 on b");
  }

  @Test
  void aGroupThatTakesAllRoomInItsTurnIsTriedInAnotherOrder() {
    node("a", 2, "rack", "r1");
    node("b", 1, "rack", "r2");
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 1, group -> group.topologyKeys(List.of("rack")));
    group("y", "all", 2, group -> group.topologyKeys(List.of("rack")));
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on b", "y0 on a", "y1 on a");
  }

  /** "No room" is said where groups or pods have none for certain, not where no order finds it. */
  @Test
  void whatNoOrderFindsIsUndecidedUnlessItIsImpossible() {
    node("a", 3, "rack", "r1");
    node("b", 2, "rack", "r2");
    node("c", 2, "rack", "r3");
    composite("all", all -> all.minGroupCount(3));
    for (String name : List.of("x", "y", "z")) {
      group(name, "all", 2, group -> group.topologyKeys(List.of("rack")));
    }
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.contains(" on "));
    group("w", "all", 1, group -> group.topologyKeys(List.of("rack")));
    composite("all", all -> all.minGroupCount(4));
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.contains(" on "));
    node("d", 1, "rack", "r4");
    group("v", "all", 2, group -> group.topologyKeys(List.of("rack")));
    composite("all", all -> all.minGroupCount(5));
    assertThat(place(POD_GROUPS).pods())
        .allSatisfy(pod -> assertThat(pod).isInstanceOf(GangUnplaceable.class));
    node("e", 1, "rack", "r5");
    ClusterOutcome open = place(POD_GROUPS);
    assertThat(open.pods()).allSatisfy(pod -> assertThat(pod).isInstanceOf(Undecided.class));
    assertThat(open.pods().get(0).toString())
        .contains("other ways to place them together were not tried");
  }

  @Test
  void compositesOfCompositesArePlacedWholeOrNotAtAll() {
    node("a", 2, "rack", "r1");
    node("b", 2, "rack", "r2");
    node("c", 1, "rack", "r3");
    composite("top", top -> top.minGroupCount(2));
    for (String name : List.of("left", "right")) {
      composite(
          name, half -> half.minGroupCount(2).parentName("top").topologyKeys(List.of("rack")));
      group(name + "-x", name, 1);
      group(name + "-y", name, 1);
    }
    assertThat(text(place(POD_GROUPS)))
        .containsExactly("left-x0 on a", "left-y0 on a", "right-x0 on b", "right-y0 on b");
    assertThat(PodQueue.of(objects).gangs())
        .singleElement()
        .satisfies(
            gang -> {
              assertThat(gang.name()).isEqualTo("CompositePodGroup default/top");
              assertThat(gang.minCount()).isEqualTo(4);
              assertThat(gang.pods()).hasSize(4);
            });
    objects.removeIf(object -> object.metadata().name().equals("b"));
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome)).allMatch(pod -> pod.endsWith(" nowhere"));
    assertThat(reason(outcome))
        .startsWith(
            "CompositePodGroup default/top: 1 of its 2 child groups fits, and it needs 2;"
                + " CompositePodGroup default/right: ");
  }

  @Test
  void childrenOfACompositeThatIsNoGangArePlacedByThemselves() {
    node("a", 2);
    composite("all", all -> all);
    group("x", "all", 2);
    group("y", "all", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on a", "x1 on a", "y0 nowhere");
    assertThat(PodQueue.of(objects).gangs())
        .extracting(Gang::name)
        .containsExactly("PodGroup default/x", "PodGroup default/y");
  }

  @Test
  void childrenOfACompositeThatIsNoGangShareItsTopology() {
    node("a", 2, "rack", "r1");
    node("b", 1, "rack", "r2");
    composite("all", all -> all.topologyKeys(List.of("rack")));
    group("x", "all", 2);
    group("y", "all", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on a", "x1 on a", "y0 nowhere");
  }

  @Test
  void podsOnNodesCountForTheirGroupAndDecideTheDomain() {
    node("a", 3, "rack", "r1");
    node("b", 2, "rack", "r2");
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 0, group -> group.minCount(1));
    pod("x", "runs", PodSpec.builder().nodeName("b"));
    allocated("c-runs", "b");
    group("y", "all", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("runs on b", "y0 on a");
    composite("all", all -> all.minGroupCount(2).topologyKeys(List.of("rack")));
    assertThat(text(place(POD_GROUPS))).containsExactly("runs on b", "y0 on b");
  }

  /** A pod of a group that is on a node, with a device or without claims. */
  private void runs(String group, String name, String node, boolean hasDevice) {
    PodSpec.Builder spec = PodSpec.builder().nodeName(node);
    if (hasDevice) {
      pod(group, name, spec);
      allocated("c-" + name, node);
    } else {
      objects.add(Pod.named("default", name).spec(spec.podGroupName(group).build()).build());
    }
  }

  @Test
  void aPodOnANodeRunsWhateverRoomItsGangHas() {
    node("a", 2, "rack", "r1");
    node("b", 1, "rack", "r2");
    group("x", null, 2, group -> group.minCount(2).topologyKeys(List.of("rack")));
    runs("x", "old", "b", true);
    for (ClusterRun run : List.of(POD_GROUPS, GANGS)) {
      assertThat(text(place(run))).containsExactly("x0 nowhere", "x1 nowhere", "old on b");
    }
    assertThat(PodQueue.of(objects).gangs())
        .singleElement()
        .satisfies(gang -> assertThat(gang.pods()).hasSize(3));
  }

  @Test
  void podsOnNodesCountForTheirGang() {
    node("a", 1, "rack", "r1");
    node("b", 2, "rack", "r2");
    group("x", null, 2, group -> group.minCount(2).topologyKeys(List.of("rack")));
    runs("x", "old", "b", true);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on b", "x1 nowhere", "old on b");
    assertThat(text(place(GANGS))).containsExactly("x0 on b", "x1 nowhere", "old on b");
  }

  @Test
  void podsOnNodesOfSeveralDomainsLeaveNoneForTheOthers() {
    node("a", 3, "rack", "r1");
    node("b", 3, "rack", "r2");
    node("c", 3);
    group("x", null, 1, group -> group.topologyKeys(List.of("rack")));
    runs("x", "old", "b", true);
    runs("x", "older", "a", true);
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome)).containsExactly("x0 nowhere", "old on b", "older on a");
    assertThat(reason(outcome))
        .isEqualTo(
            "PodGroup default/x: its pods on nodes have more than one value of the label rack: r1,"
                + " r2");
    objects.removeIf(object -> object.metadata().name().endsWith("older"));
    runs("x", "far", "c", true);
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo("PodGroup default/x: one of its pods is on node c, which has no label rack");
    objects.removeIf(object -> object.metadata().name().endsWith("far"));
    runs("x", "gone", "d", false);
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo("PodGroup default/x: one of its pods is on node d, which is unknown");
  }

  @Test
  void podsWithoutClaimsDecideTheDomainToo() {
    node("a", 2, "rack", "r1", "block", "b1");
    node("b", 2, "rack", "r2", "block", "b2");
    node("c", 2, "rack", "r3", "block", "b2");
    group("x", null, 1, group -> group.minCount(2).topologyKeys(List.of("rack")));
    runs("x", "leader", "c", false);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on c");
    composite("all", all -> all.minGroupCount(2).topologyKeys(List.of("block")));
    group("lead", "all", 0, group -> group.minCount(1));
    runs("lead", "first", "c", false);
    group("y", "all", 2, group -> group.topologyKeys(List.of("rack")));
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on c", "y0 on b", "y1 on b");
  }

  private void allocated(String name, String node) {
    objects.replaceAll(
        object ->
            object instanceof ResourceClaim claim && claim.metadata().name().equals(name)
                ? claim.toBuilder()
                    .allocation(
                        AllocationResult.builder()
                            .result(
                                DeviceRequestAllocationResult.of(
                                        "r", new DeviceId("gpu", node, "d0"))
                                    .build())
                            .build())
                    .build()
                : object);
  }

  @Test
  void podsWithoutClaimsCountForTheirGroup() {
    node("a", 1);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 0, group -> group.minCount(1));
    objects.add(
        Pod.named("default", "plain").spec(PodSpec.builder().podGroupName("x").build()).build());
    group("y", "all", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("y0 on a");
  }

  @Test
  void aParentThatIsNotThereIsNotedAndTheGroupPlacedByItself() {
    node("a", 3);
    group("x", "al", 2);
    group("y", "al", 2);
    assertThat(text(place(POD_GROUPS)))
        .containsExactly("x0 on a", "x1 on a", "y0 nowhere", "y1 nowhere");
    composite("all", all -> all.minGroupCount(2));
    assertThat(notes())
        .containsExactly(
            "PodGroup default/x: spec.parentCompositePodGroupName: no CompositePodGroup default/al"
                + " in the input: kube-scheduler waits for it; here the group is placed by itself;"
                + " did you mean all?");
    composite("al", al -> al.minGroupCount(2).parentName("none"));
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.endsWith(" nowhere"));
    assertThat(notes())
        .containsExactly(
            "CompositePodGroup default/al: spec.parentCompositePodGroupName: no CompositePodGroup"
                + " default/none in the input: kube-scheduler waits for it; here the group is"
                + " placed by itself");
  }

  @Test
  void whatKubeSchedulerNeverPlacesIsNotPlaced() {
    node("a", 9);
    composite("all", all -> all.minGroupCount(1));
    group("x", "all", 1);
    objects.add(PodGroup.named("default", "loose").parentName("all").build());
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo(
            "CompositePodGroup default/all: CompositePodGroup default/all is a gang, and its child"
                + " PodGroup default/loose is none");
    objects.remove(objects.size() - 1);
    group("y", "all", 1, group -> group.workloadRef(new WorkloadReference("w", "t")));
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo(
            "CompositePodGroup default/all: PodGroup default/y is of Workload w, and"
                + " CompositePodGroup default/all of none");
    objects.removeIf(object -> object.metadata().name().equals("y"));
    group("y", "all", 1);
    pod("y", "urgent", PodSpec.builder().priority(7));
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.endsWith(" nowhere"));
    assertThat(reason(place(POD_GROUPS)))
        .contains("its pods have the priorities [0, 7], and have to have one");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 9})
  void parentsInACircleArePlacedNowhere(int length) {
    node("a", 9);
    for (int i = 0; i < length; i++) {
      String next = "c" + (i + 1) % length;
      composite("c" + i, one -> one.minGroupCount(1).parentName(next));
    }
    group("x", "c0", 1);
    assertThat(reason(place(POD_GROUPS)))
        .startsWith(
            "CompositePodGroup default/c0: PodGroup default/x has 4 or more CompositePodGroups"
                + " above it, or they are parents of each other: c0, ");
  }

  @Test
  void groupsAreOnFourLevelsAtMost() {
    node("a", 9);
    composite("c1", one -> one.minGroupCount(1));
    composite("c2", one -> one.minGroupCount(1).parentName("c1"));
    composite("c3", one -> one.minGroupCount(1).parentName("c2"));
    group("x", "c3", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on a");
    composite("c4", one -> one.minGroupCount(1).parentName("c3"));
    group("y", "c4", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 nowhere", "y0 nowhere");
    assertThat(reason(place(POD_GROUPS)))
        .isEqualTo(
            "CompositePodGroup default/c1: CompositePodGroup default/c4 is at level 4, and"
                + " PodGroups cannot be below that");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGroupThatIsNoGangHasATopology(boolean hasParent) {
    node("a", 1, "rack", "r1");
    node("b", 2, "rack", "r2");
    node("far", 9);
    composite("all", all -> all);
    objects.add(
        PodGroup.named("default", "x")
            .topologyKeys(List.of("rack"))
            .parentName(hasParent ? "all" : null)
            .build());
    pods("x", 0, 3);
    assertThat(text(place(POD_GROUPS))).containsExactly("x0 on b", "x1 on b", "x2 nowhere");
    assertThat(text(place(GANGS))).containsExactly("x0 on b", "x1 on b", "x2 nowhere");
  }

  /** A pod of a group whose claim asks for some devices. */
  private void wants(String group, String name, int devices) {
    objects.add(
        ResourceClaim.named("c-" + name)
            .request("r", r -> r.deviceClass("any").count(devices))
            .build());
    objects.add(
        Pod.named("default", name)
            .spec(
                PodSpec.builder()
                    .podGroupName(group)
                    .resourceClaims(List.of(new PodResourceClaim("c", "c-" + name, null)))
                    .build())
            .build());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aPodThatDoesNotFitIsPassedOver(int large) {
    node("a", 1);
    node("b", 1);
    group("x", null, 0, group -> group.minCount(2));
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      wants("x", "x" + i, i == large ? 9 : 1);
      expected.add(
          "x" + i + (i == large ? " nowhere" : i == (large == 0 ? 1 : 0) ? " on a" : " on b"));
    }
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome)).isEqualTo(expected);
    assertThat(outcome.pods().get(large)).isInstanceOf(Unplaceable.class);
    assertThat(text(place(GANGS))).isEqualTo(expected);
    wants("x", "x3", 1);
    expected.add("x3 nowhere");
    assertThat(text(place(POD_GROUPS))).isEqualTo(expected);
  }

  @Test
  void ofMixedPodsTheDomainWithMostCounts() {
    node("a", 4, "rack", "r1");
    node("b", 3, "rack", "r2");
    group("x", null, 0, group -> group.minCount(1).topologyKeys(List.of("rack")));
    wants("x", "large", 4);
    pods("x", 0, 4);
    assertThat(text(place(POD_GROUPS)))
        .containsExactly("large nowhere", "x0 on b", "x1 on b", "x2 on b", "x3 nowhere");
  }

  /** The first pod takes all room, as in kube-scheduler; without it there would be enough. */
  @Test
  void noRoomForMixedPodsIsSaidOnlyIfItIsCertain() {
    node("a", 2);
    group("x", null, 0, group -> group.minCount(2));
    wants("x", "large", 2);
    pods("x", 0, 2);
    assertThat(place(POD_GROUPS).pods())
        .allSatisfy(pod -> assertThat(pod).isInstanceOf(Undecided.class))
        .first()
        .asString()
        .contains(
            "it needs 2 pods together, and 1 fit one after the other; other choices of its pods"
                + " were not tried");
    objects.removeIf(object -> object.metadata().name().endsWith("x1"));
    wants("x", "larger", 3);
    wants("x", "largest", 4);
    objects.removeIf(object -> object.metadata().name().endsWith("large"));
    assertThat(place(POD_GROUPS).pods())
        .allSatisfy(pod -> assertThat(pod).isInstanceOf(GangUnplaceable.class));
  }

  @Test
  void mixedPodsOfAChildArePassedOver() {
    node("a", 2);
    node("b", 2);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 0, group -> group.minCount(1));
    wants("x", "large", 9);
    pods("x", 0, 1);
    group("y", "all", 1);
    assertThat(text(place(POD_GROUPS))).containsExactly("large nowhere", "x0 on a", "y0 on a");
    objects.removeIf(object -> object instanceof CompositePodGroup);
    composite("all", all -> all.topologyKeys(List.of("rack")));
    objects.removeIf(object -> object instanceof Node);
    objects.removeIf(object -> object instanceof ResourceSlice);
    node("c", 1, "rack", "r1");
    node("d", 2, "rack", "r2");
    assertThat(text(place(POD_GROUPS))).containsExactly("large nowhere", "x0 on d", "y0 on d");
  }

  /** Pods of one child do not stand in for those of another one. */
  @Test
  void childrenThatAreOneGangNeedTheirOwnPods() {
    node("a", 4);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 4, group -> group.minCount(1));
    group("y", "all", 0, group -> group.minCount(1));
    wants("y", "large", 9);
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.endsWith(" nowhere"));
  }

  /** A pod of a group whose claim has a selector, which nothing compiles. */
  private void broken(String group, String name) {
    objects.add(
        ResourceClaim.named("c-" + name)
            .request("r", r -> r.deviceClass("any").selector("broken"))
            .build());
    objects.add(
        Pod.named("default", name)
            .spec(
                PodSpec.builder()
                    .podGroupName(group)
                    .resourceClaims(List.of(new PodResourceClaim("c", "c-" + name, null)))
                    .build())
            .build());
  }

  private static List<PodOutcome> faults(ClusterOutcome outcome) {
    return outcome.pods().stream().filter(Rejected.class::isInstance).toList();
  }

  @Test
  void aFaultOfOnePodKeepsItsGangAway() {
    node("a", 1);
    group("x", null, 1, group -> group.minCount(1));
    broken("x", "bad");
    pods("x", 2, 1);
    for (ClusterRun run : List.of(POD_GROUPS, GANGS)) {
      ClusterOutcome outcome = place(run);
      assertThat(text(outcome)).containsExactly("x0 nowhere", "bad nowhere", "x2 nowhere");
      assertThat(faults(outcome)).isNotEmpty();
    }
    group("y", null, 1);
    assertThat(text(place(POD_GROUPS))).contains("y0 on a");
  }

  /** The first pods fill the node, and the one at fault is beyond those that fit. */
  @Test
  void aFaultBeyondThePodsThatFitKeepsThemAway() {
    node("a", 1);
    composite("all", all -> all.minGroupCount(2));
    group("x", "all", 1, group -> group.minCount(1));
    group("y", "all", 1);
    wants("x", "large", 9);
    broken("x", "bad");
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.endsWith(" nowhere"));
    assertThat(faults(place(POD_GROUPS))).isNotEmpty();
    objects.removeIf(object -> object instanceof CompositePodGroup);
    assertThat(text(place(POD_GROUPS)))
        .containsExactly("x0 nowhere", "y0 on a", "large nowhere", "bad nowhere");
  }

  @Test
  void aFaultInAChildKeepsAllGroupsAway() {
    node("a", 2);
    composite("top", top -> top.minGroupCount(1));
    composite("all", all -> all.minGroupCount(1).parentName("top"));
    group("x", "all", 1);
    group("y", "all", 0, group -> group.minCount(1));
    group("z", "top", 1);
    broken("y", "bad");
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome)).containsExactly("x0 nowhere", "z0 nowhere", "bad nowhere");
    assertThat(faults(outcome)).singleElement().isEqualTo(outcome.pods().get(2));
    assertThat(reason(outcome))
        .startsWith("CompositePodGroup default/top: one of its child groups is at fault; ")
        .contains("bad");
  }

  @Test
  void podsOnNodesOfSeveralDomainsKeepAllGroupsAway() {
    node("a", 3, "rack", "r1");
    node("b", 3, "rack", "r2");
    composite("all", all -> all.minGroupCount(1));
    group("x", "all", 1, group -> group.topologyKeys(List.of("rack")));
    group("y", "all", 1);
    runs("x", "old", "b", true);
    runs("x", "older", "a", true);
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome)).containsExactly("x0 nowhere", "y0 nowhere", "old on b", "older on a");
    assertThat(reason(outcome))
        .isEqualTo(
            "CompositePodGroup default/all: one of its child groups is at fault; PodGroup"
                + " default/x: its pods on nodes have more than one value of the label rack: r1,"
                + " r2");
  }

  /** The share of a group on the lowest level is a few microseconds of the minute. */
  @Test
  void sharesOfTheTimeThatAreTooShortDoNotDecide() {
    node("a", 2);
    int groups = 100;
    List<String> levels = List.of("top", "middle", "low");
    for (int level = 0; level < levels.size(); level++) {
      String name = levels.get(level);
      String parent = level == 0 ? null : levels.get(level - 1);
      composite(name, one -> one.minGroupCount(groups - 1).parentName(parent));
    }
    for (String name : levels) {
      for (int i = 0; i < groups; i++) {
        group(name + i, name, 0, group -> group.minCount(1));
        wants(name + i, name + i + "-x", 9);
      }
    }
    assertThat(place(POD_GROUPS).pods())
        .hasSize(3 * groups)
        .allSatisfy(pod -> assertThat(pod).isInstanceOf(GangUnplaceable.class));
  }

  private static PodGroupTemplate template(String name, int minCount) {
    return new PodGroupTemplate(name, minCount, List.of(), List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"train-workers", "train-workers-0", "train-workers-7dfc9b8b4"})
  void aPodGroupThatIsNotThereIsTakenFromItsTemplate(String name) {
    node("a", 2);
    objects.add(
        new Workload(
            ObjectMeta.named("default", "train"),
            List.of(template("workers", 2), template("work", 9)),
            List.of()));
    pods(name, 0, 3);
    assertThat(notes())
        .containsExactly(
            "pod default/%s0: spec.schedulingGroup.podGroupName: no PodGroup default/%s in the"
                    .formatted(name, name)
                + " input: taken as one of the template workers of Workload default/train, by its"
                + " name");
    assertThat(PodQueue.of(objects).gangs())
        .singleElement()
        .satisfies(gang -> assertThat(gang.minCount()).isEqualTo(2));
    ClusterOutcome outcome = place(POD_GROUPS);
    assertThat(text(outcome).stream().filter(pod -> pod.endsWith(" on a"))).hasSize(2);
    assertThat(outcome.pods().get(2)).isInstanceOf(Unplaceable.class);
  }

  @Test
  void templatesOfCompositesAreTakenWithoutTheComposite() {
    node("a", 1);
    objects.add(
        new Workload(
            ObjectMeta.named("default", "train"),
            List.of(),
            List.of(
                new CompositeTemplate(
                    "replicas", 2, List.of(), List.of(template("workers", 2)), List.of()))));
    pods("train-workers-0", 0, 2);
    assertThat(text(place(POD_GROUPS))).allMatch(pod -> pod.endsWith(" nowhere"));
    assertThat(notes())
        .singleElement()
        .asString()
        .endsWith("by its name; its CompositePodGroup is unknown");
  }

  @Test
  void templatesThatMayBeMeantEquallyAreNotTaken() {
    objects.add(
        new Workload(ObjectMeta.named("default", "a"), List.of(template("b-c", 1)), List.of()));
    objects.add(
        new Workload(ObjectMeta.named("default", "a-b"), List.of(template("c", 1)), List.of()));
    objects.add(
        new Workload(ObjectMeta.named("other", "a-b-c"), List.of(template("0", 1)), List.of()));
    pods("a-b-c-0", 0, 2);
    assertThat(notes()).singleElement().asString().contains("its minCount and claims are unknown");
  }

  @Test
  void aTemplateThatIsNoGangLeavesPodsOneByOne() {
    node("a", 1);
    objects.add(
        new Workload(
            ObjectMeta.named("default", "w"),
            List.of(new PodGroupTemplate("t", null, List.of(), List.of())),
            List.of()));
    pods("w-t-0", 0, 2);
    assertThat(text(place(GANGS))).containsExactly("w-t-00 on a", "w-t-01 nowhere");
  }

  @Test
  void podsWaitForThoseBelowTheSameTop() {
    composite("top", top -> top.minGroupCount(1));
    composite("low", low -> low.minGroupCount(1).parentName("top"));
    group("x", "low", 1);
    group("y", "top", 1);
    group("z", null, 1);
    pods("gone", 0, 1);
    PodGroups groups = PodGroups.of(objects);
    assertThat(
            objects.stream()
                .filter(Pod.class::isInstance)
                .map(pod -> groups.top((Pod) pod).orElse("")))
        .containsExactly(
            "CompositePodGroup default/top",
            "CompositePodGroup default/top",
            "PodGroup default/z",
            "PodGroup default/gone");
    assertThat(groups.top(Pod.named("default", "p").build())).isEmpty();
  }
}
