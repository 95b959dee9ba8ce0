package io.dra4j.scheduling;

import static io.dra4j.scheduling.TestCluster.objects;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.PodOutcome.GangUnplaceable;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.PodOutcome.Unplaceable;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pods on nodes leave to others: each filter by its name in kube-scheduler. */
class PodFilterTest {

  private static final String CLASS =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one},
        spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      """;

  /** Knows selectors that fail on devices with an attribute of their name. */
  private static final class FailingSelectors implements SelectorCompiler {

    @Override
    public CompiledSelector compileSelector(String expression) {
      return (driver, device) -> {
        if (device.attributes().containsKey(expression)) {
          throw new SelectorException("no such key");
        }
        return true;
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("no derived attributes");
    }
  }

  /** A node of a zone with four devices. */
  private static String node(String name, String zone, String allocatable) {
    return """
        {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {host: %1$s%2$s}},
          status: {%3$s}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s}, spec:
          {driver: d.io, nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: 1},
          devices: [{name: d0}, {name: d1}, {name: d2}, {name: d3}]}}
        """
        .formatted(
            name,
            zone.isEmpty() ? "" : ", zone: " + zone,
            allocatable.isEmpty() ? "" : "allocatable: {" + allocatable + "}");
  }

  private static String pod(String name, String labels, String spec) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s, labels: {%s}},
          spec: {resourceClaims: [{name: g, resourceClaimTemplateName: one}]%s}}
        """
        .formatted(name, labels, spec.isEmpty() ? "" : ", " + spec);
  }

  private static String running(String name, String labels, String node, String spec) {
    return """
        {apiVersion: v1, kind: Pod, metadata: {name: %s, labels: {%s}}, spec: {nodeName: %s%s}}
        """
        .formatted(name, labels, node, spec.isEmpty() ? "" : ", " + spec);
  }

  private static String job(int pods, String spec) {
    return """
        {apiVersion: batch/v1, kind: Job, metadata: {name: job}, spec: {parallelism: %d, template:
          {metadata: {labels: {app: job}}, spec: {%s,
          resourceClaims: [{name: g, resourceClaimTemplateName: one}]}}}}
        """
        .formatted(pods, spec);
  }

  private static String affinity(String kind, String app, String key) {
    return ("affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{labelSelector: {matchLabels: {app: %s}}, topologyKey: %s}]}}")
        .formatted(kind, app, key);
  }

  private static String spread(int skew, String key, String more) {
    return ("topologySpreadConstraints: [{maxSkew: %d, topologyKey: %s, whenUnsatisfiable:"
            + " DoNotSchedule, labelSelector: {matchLabels: {app: job}}%s}]")
        .formatted(skew, key, more);
  }

  private static String requests(String resources) {
    return "containers: [{name: c, resources: {requests: {" + resources + "}}}]";
  }

  private static ClusterOutcome run(boolean gangs, String... documents) {
    return run(gangs, Budget.unlimited(), documents);
  }

  private static ClusterOutcome run(boolean gangs, Budget budget, String... documents) {
    List<KubernetesObject> objects = objects(CLASS + "---\n" + String.join("---\n", documents));
    PodQueue queue = PodQueue.of(objects);
    ClusterSnapshot cluster =
        ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values()));
    Allocator allocator = Allocator.builder().selectors(new FailingSelectors()).build();
    ClusterRun run = ClusterRun.builder(allocator).budget(budget).build();
    return (gangs
            ? run.toBuilder()
                .gangs(GangPlacement.builder(allocator).build(), Duration.ofSeconds(20))
                .build()
            : run)
        .place(queue, DeviceInventory.of(cluster));
  }

  /** The nodes of the pods, and by what those without a node are refused. */
  private static List<String> answers(ClusterOutcome outcome) {
    return outcome.pods().stream().map(PodFilterTest::answer).toList();
  }

  private static String answer(PodOutcome outcome) {
    return outcome instanceof Placed placed
        ? placed.node()
        : outcome instanceof Unplaceable refused
            ? refused.refusals().counts().toString()
            : outcome.getClass().getSimpleName();
  }

  private static String refusal(ClusterOutcome outcome, int pod) {
    return ((Unplaceable) outcome.pods().get(pod)).refusals().toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void antiAffinityKeepsThePodsOfAJobApart(boolean gangs) {
    String job = job(2, affinity("podAntiAffinity", "job", "host"));
    assertThat(answers(run(gangs, node("a", "", ""), node("b", "", ""), job)))
        .containsExactly("a", "b");
  }

  @Test
  void aGangThatExcludesItselfHasNoRoom() {
    String job = job(3, affinity("podAntiAffinity", "job", "host"));
    ClusterOutcome outcome = run(true, node("a", "", ""), node("b", "", ""), job);
    assertThat(outcome.pods()).hasSize(3).allMatch(pod -> pod instanceof GangUnplaceable);
    assertThat(((GangUnplaceable) outcome.pods().get(0)).reason())
        .isEqualTo(
            "its pods exclude each other by their affinity, spread, ports or resources: it needs 3"
                + " together, and 2 fit one after the other");
    assertThat(answers(run(false, node("a", "", ""), node("b", "", ""), job)))
        .containsExactly("a", "b", Map.of(Cause.POD_AFFINITY, 2).toString());
  }

  private static String[] zones(int cpusOfA, int cpusOfB) {
    String cpu = requests("cpu: 1");
    String spec = cpu + ", schedulingGroup: {podGroupName: w}";
    String group =
        """
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: w}, spec: {
          schedulingPolicy: {gang: {minCount: 2}},
          schedulingConstraints: {topology: [{key: zone}]}}}
        """;
    return new String[] {
      node("a", "z1", "cpu: '%d', pods: '110'".formatted(cpusOfA)),
      node("b", "z2", "cpu: '%d', pods: '110'".formatted(cpusOfB)),
      group,
      job(4, spec)
    };
  }

  @Test
  void ofTheDomainsOfAGangTheOneWithMostPodsCounts() {
    assertThat(answers(run(true, zones(2, 4)))).containsExactly("b", "b", "b", "b");
    assertThat(answers(run(true, zones(3, 2)))).startsWith("a", "a", "a").doesNotContain("b");
    assertThat(answers(run(true, zones(3, 3)))).startsWith("a", "a", "a").doesNotContain("b");
  }

  /** Whenever the time is over, what was not tried is not said to have no room. */
  @Test
  void aGangThatExcludesItselfIsUndecidedWhenTheTimeIsOver() {
    Set<String> seen = new HashSet<>();
    for (int looks = 0; looks < 200; looks++) {
      int last = looks;
      AtomicInteger made = new AtomicInteger();
      Budget budget = Budget.unlimited().orUntil(() -> made.incrementAndGet() > last);
      List<String> answers = answers(run(true, budget, zones(1, 2)));
      long placed = answers.stream().filter("b"::equals).count();
      assertThat(placed).isIn(0L, 2L);
      assertThat(answers).doesNotContain("a", "GangUnplaceable");
      seen.addAll(answers);
    }
    assertThat(seen).contains("b", "Undecided");
  }

  @Test
  void antiAffinityOfAPodOnANodeKeepsOthersAway() {
    String first = running("r", "app: x", "a", affinity("podAntiAffinity", "job", "zone"));
    ClusterOutcome outcome =
        run(false, node("a", "z", ""), node("b", "z", ""), first, pod("p", "app: job", ""));
    assertThat(answers(outcome)).containsExactly(Map.of(Cause.POD_AFFINITY, 2).toString());
    assertThat(refusal(outcome, 0))
        .isEqualTo(
            "2 nodes are in a domain of topology key zone with pods whose anti-affinity excludes the pod"
                + " (InterPodAffinity): a and b");
    assertThat(answers(run(false, node("a", "z", ""), first, pod("p", "app: other", ""))))
        .containsExactly("a");
  }

  @Test
  void affinityNeedsThePodsInTheDomain() {
    String near = affinity("podAffinity", "x", "zone");
    String[] nodes = {node("a", "z1", ""), node("b", "z2", ""), node("c", "", "")};
    String all = String.join("---\n", nodes);
    assertThat(answers(run(false, all, running("r", "app: x", "b", ""), pod("p", "", near))))
        .containsExactly("b");
    assertThat(answers(run(false, all, pod("p", "", near))))
        .containsExactly(Map.of(Cause.POD_AFFINITY, 3).toString());
    assertThat(answers(run(false, all, pod("p", "app: x", near), pod("q", "app: x", near))))
        .containsExactly("a", "a"); // the first one is near to itself
  }

  @Test
  void aGangThatIsNearItselfStaysInOneDomain() {
    String job = job(6, affinity("podAffinity", "job", "zone"));
    ClusterOutcome outcome =
        run(true, node("a", "z1", ""), node("b", "z2", ""), node("c", "z2", ""), job);
    assertThat(answers(outcome)).hasSize(6).allMatch(node -> node.equals("b") || node.equals("c"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "app: x, namespaceSelector: {} | true",
        "app: x, namespaces: [other] | false",
        "app: x, namespaces: [other\\, default] | true",
        "app: x, namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}} | true",
        "app: x, namespaceSelector: {matchLabels: {team: a}} | false"
      })
  void aTermNamesNamespaces(String term, boolean isExcluded) {
    String rest = term.substring(term.indexOf(',') + 1).replace("\\,", ",");
    String anti =
        ("affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " [{labelSelector: {matchLabels: {app: x}}, topologyKey: host,%s}]}}")
            .formatted(rest);
    ClusterOutcome outcome =
        run(false, node("a", "", ""), running("r", "app: x", "a", ""), pod("p", "", anti));
    assertThat(outcome.pods().get(0) instanceof Unplaceable).isEqualTo(isExcluded);
  }

  @Test
  void podsAreSpread() {
    String all = node("a", "z1", "") + "---\n" + node("b", "z2", "") + "---\n" + node("c", "", "");
    ClusterOutcome outcome = run(false, all, job(4, spread(1, "zone", "")));
    assertThat(answers(outcome)).containsExactly("a", "b", "a", "b");
    assertThat(answers(run(true, all, job(4, spread(1, "zone", ""))))).containsOnly("a", "b");
    String few = job(2, spread(1, "zone", ", minDomains: 3"));
    ClusterOutcome minimal = run(false, node("a", "z1", ""), few);
    assertThat(answers(minimal)).containsExactly("a", Map.of(Cause.TOPOLOGY_SPREAD, 1).toString());
    assertThat(refusal(minimal, 1))
        .isEqualTo(
            "node a is in a domain of topology key zone that has too many matching pods already"
                + " (PodTopologySpread)");
  }

  @ParameterizedTest
  @CsvSource({"'', b", "', nodeAffinityPolicy: Ignore', refused"})
  void nodesThatThePodCannotUseCountOnlyIfItSaysSo(String policy, String expected) {
    String bound = running("r", "app: job", "b", "");
    String job = job(1, "nodeSelector: {host: b}, " + spread(1, "zone", policy));
    String answer =
        answers(run(false, node("a", "z1", ""), node("b", "z2", ""), bound, job)).get(0);
    assertThat(answer.equals("b") ? "b" : "refused").isEqualTo(expected);
  }

  @Test
  void aPortOfANodeIsUsedOnce() {
    String port = "containers: [{name: c, ports: [{containerPort: 80, hostPort: 8080%s}]}]";
    String first = running("r", "", "a", port.formatted(""));
    ClusterOutcome outcome =
        run(
            false,
            node("a", "", ""),
            first,
            pod("p", "", port.formatted(", hostIP: 10.0.0.1")),
            pod("q", "", port.formatted(", protocol: UDP")));
    assertThat(answers(outcome)).containsExactly(Map.of(Cause.NODE_PORTS, 1).toString(), "a");
    assertThat(refusal(outcome, 0))
        .isEqualTo("node a has no free port TCP 8080, which the pod wants (NodePorts)");
    String onHost = "hostNetwork: true, containers: [{name: c, ports: [{containerPort: 8080}]}]";
    assertThat(answers(run(false, node("a", "", ""), first, pod("p", "", onHost))))
        .containsExactly(Map.of(Cause.NODE_PORTS, 1).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "containers: [{name: c, resources: {requests: {cpu: 1500m}}}] | a",
        "containers: [{name: c, resources: {limits: {cpu: 1501m}}}] | b",
        "containers: [{name: c, resources: {requests: {memory: 1Gi}}}] | none",
        "initContainers: [{name: i, resources: {requests: {cpu: 2}}}] | b",
        "initContainers: [{name: i, restartPolicy: Always, resources: {requests: {cpu: 1}}}],"
            + " containers: [{name: c, resources: {requests: {cpu: 1}}}] | b",
        "overhead: {cpu: 1600m} | b",
        "resources: {requests: {cpu: 1}},"
            + " containers: [{name: c, resources: {requests: {cpu: 4}}}] | a",
        // the API server takes the requests of the containers for those of the pod
        "resources: {limits: {cpu: 4}},"
            + " containers: [{name: c, resources: {requests: {cpu: 1}}}] | a",
        "resources: {limits: {cpu: 2}}, containers: [{name: c}] | b",
        "containers: [{name: c, resources: {requests: {e.io/x: 1}}}] | b",
        "containers: [{name: c, resources: {requests: {hugepages-2Mi: 2Mi}}}] | none",
        "containers: [{name: c, resources: {requests: {ephemeral-storage: 1}}}] | none",
        "containers: [{name: c, resources: {requests: {cpu: 9}}}] | none"
      })
  void resourcesOfNodesAreShared(String spec, String expected) {
    ClusterOutcome outcome =
        run(
            false,
            node("a", "", "cpu: 2, memory: 0, pods: 9"),
            node("b", "", "cpu: 8, e.io/x: 1, pods: 9"),
            running("r", "", "a", requests("cpu: 500m")),
            pod("p", "", spec));
    String answer = answers(outcome).get(0);
    assertThat(answer.contains("NODE_RESOURCES") ? "none" : answer).isEqualTo(expected);
  }

  @Test
  void aNodeHasRoomForSoManyPods() {
    ClusterOutcome outcome =
        run(
            false,
            node("a", "", "cpu: 2, pods: 2"),
            running("r", "", "a", ""),
            pod("p", "", ""),
            pod("q", "", requests("cpu: 3")));
    assertThat(answers(outcome)).containsExactly("a", Map.of(Cause.NODE_RESOURCES, 1).toString());
    assertThat(refusal(outcome, 1))
        .isEqualTo("node a has too little pods and cpu left for the pod (NodeResourcesFit)");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thePodsOfAGangShareTheCpusOfNodes(boolean gangs) {
    String job = job(3, requests("cpu: 2"));
    ClusterOutcome outcome =
        run(gangs, node("a", "", "cpu: 3, pods: 9"), node("b", "", "cpu: 4, pods: 9"), job);
    assertThat(answers(outcome)).containsExactlyInAnyOrder("a", "b", "b");
  }

  @Test
  void aPodWithANodeIsNotAskedAboutIt() {
    String bound = held("").formatted("nodeName: a,");
    String first = running("q", "", "a", requests("cpu: 1"));
    assertThat(answers(run(false, node("a", "", "cpu: 1, pods: 1"), first, bound)))
        .containsExactly("a");
  }

  @Test
  void theNodeWithTheFirstAlternativesIsTaken() {
    String template =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: any}, spec:
          {spec: {devices: {requests: [{name: g, firstAvailable:
          [{name: eight, deviceClassName: gpu, count: 8}, {name: four, deviceClassName: gpu,
          count: 4}, {name: two, deviceClassName: gpu, count: 2}]}]}}}}
        """;
    String held =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: held, namespace: x},
          spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}},
          status: {allocation: {devices: {results: [{request: g, driver: d.io, pool: a,
          device: d0}]}}}}
        """;
    String pod = pod("p", "", "").replace("one", "any");
    String[] documents = {template, node("a", "", ""), node("b", "", ""), held, pod};
    assertThat(answers(run(false, documents))).containsExactly("b");
  }

  @Test
  void aGangWhosePodsTakeLessThanTheyCouldHasRoom() {
    String cards =
        """
        {apiVersion: v1, kind: Node, metadata: {name: m}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: m-counters}, spec:
          {driver: d.io, nodeName: m, pool: {name: m, generation: 1, resourceSliceCount: 2},
          sharedCounters: [{name: card, counters: {units: {value: 2}}}]}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: m}, spec:
          {driver: d.io, nodeName: m, pool: {name: m, generation: 1, resourceSliceCount: 2},
          devices: [{name: d0, consumesCounters: [{counterSet: card, counters: {units: {value: 1}}}]},
          {name: d1, consumesCounters: [{counterSet: card, counters: {units: {value: 1}}}]}]}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: any}, spec:
          {spec: {devices: {requests: [{name: g, firstAvailable:
          [{name: both, deviceClassName: gpu, count: 2}, {name: one, deviceClassName: gpu}]}]}}}}
        """;
    String job = job(2, "containers: []").replace("one", "any");
    assertThat(answers(run(true, cards, job))).containsExactly("m", "m");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSelectorThatFailsOnOneNodeKeepsThePodPending(boolean isFirst) {
    String bad =
        node("bad", "", "").replace("name: d0", "name: d0, attributes: {broken: {bool: true}}");
    String good = node("good", "", "");
    String template =
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: sel}, spec:
          {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu,
          selectors: [{cel: {expression: broken}}]}}]}}}}
        """;
    String pod = pod("p", "", "").replace("one", "sel");
    assertThat(answers(run(false, template, isFirst ? bad : good, isFirst ? good : bad, pod)))
        .containsExactly("Rejected");
  }

  @Test
  void aPodWithANodeGetsNoAllocation() {
    String bound = pod("p", "", "nodeName: a");
    ClusterOutcome outcome = run(false, node("a", "", ""), node("b", "", ""), bound);
    assertThat(answers(outcome)).containsExactly("{NODE_NAME=1, UNALLOCATED_CLAIMS=1}");
    assertThat(outcome.pods().get(0).toString())
        .contains(
            "node a is the node that the pod names (spec.nodeName): no scheduler allocates claim"
                + " default/p-g, and the pod does not start; remove nodeName and select the node"
                + " by labels");
    String lost = "status: {resourceClaimStatuses: [{name: g, resourceClaimName: p-g-x1}]}}\n";
    assertThat(answers(run(false, node("a", "", ""), bound.trim().replaceAll("}$", ", " + lost))))
        .containsExactly("a"); // the claim is there, and not in the input
  }

  private static String held(String conditions) {
    return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: held},
          spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}},
          status: {allocation: {devices: {results: [{request: r, driver: d.io, pool: a, device: d0,
            bindingConditions: [Ready, Wired], bindingFailureConditions: [Failed]}]}},
            devices: [{driver: d.io, pool: a, device: d0, conditions: [%s]}]}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {%%s
          resourceClaims: [{name: h, resourceClaimName: held}]}}
        """
        .formatted(conditions);
  }

  private static String condition(String type, String status) {
    return "{type: %s, status: '%s', reason: Why, message: m}".formatted(type, status);
  }

  @Test
  void aFailedBindingConditionKeepsThePodFromAllNodes() {
    String failed = held(condition("Ready", "True") + ", " + condition("Failed", "True"));
    ClusterOutcome outcome = run(false, node("a", "", ""), failed.formatted(""));
    assertThat(answers(outcome)).containsExactly(Map.of(Cause.ALLOCATED_CLAIMS, 1).toString());
    assertThat(refusal(outcome, 0))
        .isEqualTo(
            "node a cannot use claim default/held: the binding of its device d.io/a/d0 failed"
                + " (condition Failed is true); kube-scheduler releases a claim that no other pod"
                + " uses, and allocates it again");
    assertThat(answers(run(false, node("a", "", ""), failed.formatted("nodeName: a,"))))
        .containsExactly("a"); // no scheduler looks at it any more
    String passed = held(condition("Failed", "False"));
    assertThat(answers(run(false, node("a", "", ""), passed.formatted("")))).containsExactly("a");
  }

  @Test
  void awaitedBindingConditionsAreNoted() {
    String note =
        "pod default/p: spec.resourceClaims: ResourceClaim default/held is allocated, and the pod"
            + " waits until its device d.io/a/d0 has the conditions Ready, Wired; after 10 minutes"
            + " kube-scheduler releases the claim";
    String ready = condition("Ready", "True");
    assertThat(notes(held(ready).formatted(""))).containsExactly(note);
    assertThat(notes(held("").formatted(""))).containsExactly(note);
    assertThat(notes(held(ready).formatted("nodeName: a,"))).isEmpty();
    assertThat(notes(held(ready + ", " + condition("Wired", "True")).formatted(""))).isEmpty();
    assertThat(notes(held(ready + ", " + condition("Failed", "True")).formatted(""))).isEmpty();
  }

  private static List<String> notes(String text) {
    return PodQueue.of(objects(text)).notes();
  }
}
