package io.dra4j.scheduling.defragmentation;

import static io.dra4j.scheduling.TestCluster.NO_SELECTORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.scheduling.TestCluster;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.GangRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.NoRoom;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Room;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome.Undecided;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pod {@code want} must run on node {@code n0}, where pod {@code r} has the only device. The other
 * nodes have a free device each.
 */
class MovesInClusterTest {

  private static final String OTHERS =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
        {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: want}, spec: {nodeSelector: {name: n0},
        containers: [{name: c, resources: {requests: {cpu: 1}}}],
        resourceClaims: [{name: g, resourceClaimTemplateName: t}]}}
      ---
      """;

  private static String node(String name, String cpus, String devices) {
    return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {name: %1$s, zone: z-%1$s}},
          status: {allocatable: {cpu: %2$s, pods: 9}}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec: {
          driver: d.io, nodeName: %1$s, devices: [%3$s],
          pool: {name: %1$s, generation: 1, resourceSliceCount: 1}}}
        ---
        """
        .formatted(name, cpus, devices);
  }

  /** A pod with a device on a node. */
  private static String running(String name, String node, String device, String spec) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %1$s, labels: {app: run}}, spec: {
          nodeName: %2$s, %4$s resourceClaims: [{name: g, resourceClaimName: %1$s}]}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: %1$s}, spec: {devices:
          {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}, status: {allocation: {devices:
          {results: [{request: g, driver: d.io, pool: %2$s, device: %3$s}]}}}}
        ---
        """
        .formatted(name, node, device, spec);
  }

  private static String pod(String name, String node, String spec) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %1$s, labels: {app: %1$s}},
          spec: {nodeName: %2$s, %3$s}}
        ---
        """
        .formatted(name, node, spec);
  }

  private static final String ONE_CPU = "containers: [{name: c, resources: {requests: {cpu: 1}}}],";
  private static final String PORT =
      "containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}],";

  private static String affinity(String kind, String app) {
    return """
        affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: zone, labelSelector: {matchLabels: {app: %s}}}]}},
        """
        .formatted(kind, app);
  }

  private static String group(String keys) {
    return """
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: pg}, spec: {
          schedulingPolicy: {gang: {minCount: 2}}%s}}
        ---
        """
        .formatted(keys);
  }

  private static String cluster(String cpusOfOther, String specOfRunning, String others) {
    return OTHERS
        + node("n0", "9", "{name: d0}")
        + node("n1", cpusOfOther, "{name: d0}")
        + running("r", "n0", "d0", specOfRunning)
        + others;
  }

  private static Arguments restricted(String filter, String with, String without) {
    return Arguments.of(filter, with, without);
  }

  /** What keeps the running pod away from the other node, and the same without it. */
  static Stream<Arguments> filters() {
    String ofGroup = "schedulingGroup: {podGroupName: pg},";
    String member = pod("m", "n0", "schedulingGroup: {podGroupName: pg}");
    String spread =
        """
        topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,
          labelSelector: {matchLabels: {app: run}}}],
        """;
    return Stream.of(
        restricted("resources", cluster("500m", ONE_CPU, ""), cluster("1", ONE_CPU, "")),
        restricted(
            "resources of another pod",
            cluster("1", ONE_CPU, pod("o", "n1", ONE_CPU)),
            cluster("2", ONE_CPU, pod("o", "n1", ONE_CPU))),
        restricted(
            "ports",
            cluster("9", PORT, pod("o", "n1", PORT)),
            cluster("9", PORT, pod("o", "n0", PORT))),
        restricted(
            "affinity",
            cluster("9", affinity("podAffinity", "o"), pod("o", "n0", "")),
            cluster("9", affinity("podAffinity", "o"), pod("o", "n1", ""))),
        restricted(
            "anti-affinity",
            cluster("9", affinity("podAntiAffinity", "o"), pod("o", "n1", "")),
            cluster("9", affinity("podAntiAffinity", "o"), pod("o", "n0", ""))),
        restricted(
            "anti-affinity of another pod",
            cluster("9", "", pod("o", "n1", affinity("podAntiAffinity", "run"))),
            cluster("9", "", pod("o", "n1", affinity("podAntiAffinity", "want")))),
        restricted(
            "spread",
            cluster("9", spread, running("r2", "n1", "d1", "") + node("n2", "9", "")),
            cluster("9", spread, "")),
        restricted(
            "topology of the group",
            cluster(
                "9", ofGroup, member + group(", schedulingConstraints: {topology: [{key: zone}]}")),
            cluster("9", ofGroup, member + group(""))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("filters")
  void aPodMovesOnlyWhereEachFilterAllowsIt(String filter, String with, String without) {
    DefragmentationOutcome refused = plan(with);
    if (filter.contains("affinity") || filter.equals("spread")) {
      assertThat(refused)
          .isInstanceOfSatisfying(
              Undecided.class,
              undecided -> assertThat(undecided.reason()).contains("only one order was tried"));
    } else {
      assertThat(refused).isInstanceOf(NoRoom.class);
    }
    assertThat(plan(without))
        .isInstanceOfSatisfying(
            Room.class,
            room ->
                assertThat(room.moves())
                    .extracting(Object::toString)
                    .containsExactly("default/r to d0 of node n1"));
  }

  @Test
  void aPodThatMovesLeavesItsResources() {
    String text =
        OTHERS
            + node("n0", "1", "{name: d0}, {name: d1}")
            + node("n1", "1", "{name: d0}")
            + running("r", "n0", "d0", ONE_CPU);
    assertThat(plan(text))
        .isInstanceOfSatisfying(Room.class, room -> assertThat(room.moves()).hasSize(1));
  }

  @Test
  void aWantedPodIsTestedBesideThePodsThatMoveToItsNode() {
    String text =
        OTHERS
            + node("n0", "1", "{name: d0}, {name: d1}")
            + running("r", "n0", "d0", ONE_CPU + "nodeSelector: {name: n0},")
            + pod("o", "n0", "");
    assertThat(plan(text)).isInstanceOf(NoRoom.class);
  }

  @Test
  void groupsAboveTheGroupOfAPodHaveTopologiesToo() {
    String group =
        """
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: %1$s}, spec: {
          schedulingPolicy: {basic: {}}, parentCompositePodGroupName: root}}
        ---
        """;
    String root =
        """
        {apiVersion: scheduling.k8s.io/v1alpha3, kind: CompositePodGroup, metadata: {name: root},
          spec: {schedulingPolicy: {basic: {}}%s}}
        ---
        """;
    String objects =
        group.formatted("a")
            + group.formatted("b")
            + pod("m", "n0", "schedulingGroup: {podGroupName: b}");
    String ofGroup = "schedulingGroup: {podGroupName: a},";
    String keys = ", schedulingConstraints: {topology: [{key: zone}]}";
    assertThat(plan(cluster("9", ofGroup, objects + root.formatted(keys))))
        .isInstanceOf(NoRoom.class);
    assertThat(plan(cluster("9", ofGroup, objects + root.formatted("")))).isInstanceOf(Room.class);
  }

  @Test
  void devicesThatConsumeResourcesOfTheNodeCount() {
    String device =
        "{name: d0, nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: %s}}}}";
    String before = OTHERS + node("n0", "9", "{name: d0}") + running("r", "n0", "d0", ONE_CPU);
    assertThat(plan(before + node("n1", "3", device.formatted("4")))).isInstanceOf(Undecided.class);
    assertThat(plan(before + node("n1", "3", device.formatted("2")))).isInstanceOf(Room.class);
  }

  @Test
  void aGangIsTestedPodByPod() {
    String gang =
        OTHERS.replace("name: want", "name: want-0")
            + OTHERS
                .substring(OTHERS.indexOf("{apiVersion: v1, kind: Pod"))
                .replace("name: want", "name: want-1");
    String rest =
        running("r", "n0", "d0", "")
            + running("r2", "n0", "d1", "")
            + node("n1", "9", "{name: d0}, {name: d1}");
    assertThat(planForGang(gang + node("n0", "2", "{name: d0}, {name: d1}") + rest))
        .isInstanceOf(GangRoom.class);
    assertThat(planForGang(gang + node("n0", "1", "{name: d0}, {name: d1}") + rest))
        .isInstanceOf(NoRoom.class);
  }

  @Test
  void theWantedPodsAreThoseOfTheSearch() {
    Setup setup = setup(cluster("9", "", ""));
    Defragmentation search = setup.search().in(setup.onNodes(), List.of());
    assertThatThrownBy(
            () ->
                search.plan(
                    setup.inventory(), List.of(), node -> true, List.of(), Budget.unlimited()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Defragmentation.in: expected the 1 pods of the search, found 0");
  }

  private record Setup(
      Defragmentation search,
      ClusterPods onNodes,
      DeviceInventory inventory,
      ClusterOutcome outcome,
      List<MovablePod> movable) {

    List<PendingPod> refused() {
      return outcome.pods().stream()
          .filter(PodOutcome.Unplaceable.class::isInstance)
          .map(PodOutcome::pod)
          .toList();
    }

    List<ResourceClaim> claims(PendingPod pod) {
      return pod.claims().stream().map(outcome.claims()::get).toList();
    }
  }

  private static Setup setup(String text) {
    List<KubernetesObject> objects = TestCluster.objects(text);
    PodQueue queue = PodQueue.of(objects);
    Allocator allocator =
        Allocator.builder().selectors(NO_SELECTORS).features(EnumSet.allOf(Feature.class)).build();
    DeviceInventory inventory =
        DeviceInventory.of(
            ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values())));
    ClusterOutcome outcome = ClusterRun.builder(allocator).build().place(queue, inventory);
    return new Setup(
        Defragmentation.of(allocator),
        ClusterPods.of(queue, outcome, inventory, allocator),
        inventory,
        outcome,
        MovablePod.running(outcome, name -> 1));
  }

  private static DefragmentationOutcome plan(String text) {
    Setup setup = setup(text);
    PendingPod want = setup.refused().get(0);
    return setup
        .search()
        .in(setup.onNodes(), List.of(want))
        .plan(
            setup.inventory(),
            setup.claims(want),
            want.nodes(),
            setup.movable(),
            Budget.unlimited());
  }

  private static DefragmentationOutcome planForGang(String text) {
    Setup setup = setup(text);
    List<GangMember> members =
        setup.refused().stream()
            .map(pod -> new GangMember(pod.name(), setup.claims(pod), pod.nodes()))
            .toList();
    return setup
        .search()
        .in(setup.onNodes(), setup.refused())
        .planForGang(setup.inventory(), members, List.of(), setup.movable(), Budget.unlimited());
  }
}
