package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import io.dra4j.model.TolerationOperator;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What kube-scheduler's plugins NodeUnschedulable, TaintToleration and NodeAffinity decide. */
class NodeFilterTest {

  private static final Taint GPU = Taint.of("nvidia.com/gpu", "", TaintEffect.NO_SCHEDULE);
  private static final Node PLAIN = Node.named("n");
  private static final Node TAINTED = PLAIN.toBuilder().taint(GPU).build();
  private static final Node CORDONED = PLAIN.toBuilder().unschedulable(true).build();

  private static NodeFilter filter(PodSpec spec) {
    return filter(spec, true);
  }

  private static NodeFilter filter(PodSpec spec, boolean isNodeKnown) {
    PodNodeFilters rules = new PodNodeFilters(PodNodeFilters.Key.of(spec), isNodeKnown);
    return new NodeFilter(
        new PendingPod("default/p", spec, List.of()), rules, List.of(), Map.of(), Map.of());
  }

  private static PodSpec tolerating(Toleration... tolerations) {
    return PodSpec.builder().tolerations(List.of(tolerations)).build();
  }

  private static Node node(String name, String... labels) {
    Node.Builder node = Node.named("").toBuilder().metadata(Node.named(name).metadata());
    for (int i = 0; i < labels.length; i += 2) {
      node.label(labels[i], labels[i + 1]);
    }
    return node.build();
  }

  private static NodeSelector zoneIn(String... zones) {
    var in = new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of(zones));
    return new NodeSelector(List.of(new NodeSelectorTerm(List.of(in), List.of())));
  }

  private static List<String> texts(NodeFilter filter, Node... nodes) {
    return NodeReasons.of(List.of(nodes), filter::mismatch).stream().map(NodeReason::text).toList();
  }

  @Test
  void aTaintKeepsPodsAwayThatDoNotTolerateIt() {
    assertThat(filter(PodSpec.ANYWHERE).refusal(PLAIN)).isNull();
    assertThat(filter(PodSpec.ANYWHERE).refusal(TAINTED)).isEqualTo(Cause.TAINT);
    assertThat(filter(tolerating(Toleration.exists("nvidia.com/gpu"))).refusal(TAINTED)).isNull();
    assertThat(filter(tolerating(Toleration.exists(""))).refusal(TAINTED)).isNull();
    assertThat(filter(tolerating(Toleration.equal("nvidia.com/gpu", ""))).refusal(TAINTED))
        .isNull();
    assertThat(filter(tolerating(Toleration.exists("other"))).refusal(TAINTED))
        .isEqualTo(Cause.TAINT);
    assertThat(texts(filter(PodSpec.ANYWHERE), TAINTED))
        .containsExactly(
            "node n has the taint nvidia.com/gpu:NoSchedule, which the pod does not tolerate");
  }

  @Test
  void everyTaintThatKeepsAwayHasToBeTolerated() {
    Node node =
        TAINTED.toBuilder()
            .taint(Taint.of("soft", "", TaintEffect.PREFER_NO_SCHEDULE))
            .taint(Taint.of("team", "ml", TaintEffect.NO_EXECUTE))
            .build();
    Toleration gpu = Toleration.exists("nvidia.com/gpu");
    assertThat(texts(filter(tolerating(gpu)), node))
        .containsExactly("node n has the taint team=ml:NoExecute, which the pod does not tolerate");
    assertThat(filter(tolerating(gpu, Toleration.equal("team", "ml"))).refusal(node)).isNull();
    assertThat(filter(tolerating(gpu, Toleration.equal("team", "web"))).refusal(node))
        .isEqualTo(Cause.TAINT);
    Toleration greater =
        Toleration.equal("team", "0").toBuilder().operator(new TolerationOperator("Gt")).build();
    assertThat(filter(tolerating(gpu, greater)).refusal(node)).isEqualTo(Cause.TAINT);
  }

  @Test
  @Timeout(20)
  void amongManyTolerationsAndTermsThoseOfANodeAreFoundAtOnce() {
    List<Toleration> tolerations = new ArrayList<>();
    List<NodeSelectorTerm> terms = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      tolerations.add(Toleration.equal("k", "v" + i));
      terms.addAll(zoneIn("z" + i, "a" + i).terms());
    }
    NodeFilter filter =
        filter(
            PodSpec.builder()
                .tolerations(tolerations)
                .requiredNodeAffinity(new NodeSelector(terms))
                .build());
    List<Node> nodes =
        IntStream.range(0, 20_000)
            .mapToObj(
                i ->
                    node("n", "zone", (i % 2 == 0 ? "a" : "b") + i).toBuilder()
                        .taint(Taint.of("k", (i % 4 < 2 ? "v" : "w") + i, TaintEffect.NO_SCHEDULE))
                        .build())
            .toList();
    Map<Cause, Integer> causes = new EnumMap<>(Cause.class);
    for (Node node : nodes) {
      Cause cause = filter.refusal(node);
      if (cause != null) {
        causes.merge(cause, 1, Integer::sum);
      }
    }
    assertThat(NodeReasons.of(nodes, filter::mismatch)).isNotEmpty();
    assertThat(causes)
        .containsOnly(Map.entry(Cause.TAINT, 10_000), Map.entry(Cause.NODE_AFFINITY, 5_000));
  }

  @Test
  void aCordonedNodeIsOneWithATaint() {
    assertThat(filter(PodSpec.ANYWHERE).refusal(CORDONED)).isEqualTo(Cause.TAINT);
    assertThat(texts(filter(PodSpec.ANYWHERE), CORDONED))
        .containsExactly(
            "node n is cordoned (spec.unschedulable), and the pod does not tolerate"
                + " node.kubernetes.io/unschedulable:NoSchedule");
    Toleration toleration = Toleration.exists("node.kubernetes.io/unschedulable");
    assertThat(filter(tolerating(toleration)).refusal(CORDONED)).isNull();
    PodSpec executing = tolerating(toleration.toBuilder().effect(TaintEffect.NO_EXECUTE).build());
    assertThat(filter(executing).refusal(CORDONED)).isEqualTo(Cause.TAINT);
  }

  @Test
  void requiredAffinityDecidesAndIsToldWithWhatNodesHave() {
    PodSpec spec = PodSpec.builder().requiredNodeAffinity(zoneIn("c", "d")).build();
    NodeFilter filter = filter(spec);
    assertThat(filter.refusal(node("n", "zone", "d"))).isNull();
    assertThat(filter.refusal(node("n", "zone", "a"))).isEqualTo(Cause.NODE_AFFINITY);
    assertThat(texts(filter, node("n1", "zone", "a"), node("n2", "zone", "b")))
        .containsExactly(
            "2 nodes are not what the pod's node affinity requires (zone In [c, d]): n1 has zone=a,"
                + " n2 has zone=b");
    assertThat(texts(filter, node("n3")))
        .containsExactly(
            "node n3 is not what the pod's node affinity requires (zone In [c, d]): it has no"
                + " label zone");
    NodeFilter byName =
        filter(PodSpec.builder().requiredNodeAffinity(NodeSelector.ofNode("n9")).build());
    assertThat(texts(byName, node("n1"), node("n2")))
        .containsExactly(
            "2 nodes are not what the pod's node affinity requires (metadata.name In [n9]): n1 and"
                + " n2");
  }

  @Test
  void aBoundPodIsRefusedByItsNodeNameAlone() {
    PodSpec bound =
        PodSpec.builder()
            .nodeName("n")
            .nodeSelector("zone", "nowhere")
            .requiredNodeAffinity(zoneIn("nowhere"))
            .build();
    Node node = CORDONED.toBuilder().taint(GPU).build();
    assertThat(filter(bound).refusal(node)).isNull();
    assertThat(filter(bound).refusal(node("other"))).isEqualTo(Cause.NODE_NAME);
    assertThat(filter(bound.toBuilder().nodeName("").build()).refusal(node)).isEqualTo(Cause.TAINT);
  }

  @Test
  void labelsAreToldWithWhatNodesHave() {
    NodeFilter filter = filter(PodSpec.builder().nodeSelector("zone", "c").build());
    assertThat(texts(filter, node("n1", "zone", "a"), node("n2", "zone", "b")))
        .containsExactly("2 nodes lack zone=c: n1 has zone=a, n2 has zone=b");
    assertThat(texts(filter, node("n1", "zone", "a"), node("n2", "zone", "a"), node("n3")))
        .containsExactly("3 nodes lack zone=c: n1 and n2 have zone=a, n3 has no label zone");
    assertThat(texts(filter, node("n1", "zone", "a")))
        .containsExactly("node n1 lacks zone=c: it has zone=a");
    assertThat(texts(filter, node(""), node("n2", "zone", "a")))
        .containsExactly("2 nodes lack zone=c: (without a name) has no label zone, n2 has zone=a");
    NodeFilter both =
        filter(PodSpec.builder().nodeSelector("zone", "c").nodeSelector("gpu", "yes").build());
    assertThat(texts(both, node("n1", "zone", "c"), node("n2")))
        .containsExactly(
            "node n1 lacks gpu=yes: it has no label gpu",
            "node n2 lacks zone=c and gpu=yes: it has no label zone and no label gpu");
  }

  @Test
  void theNodeNameIsTold() {
    PodSpec spec = PodSpec.builder().nodeName("n7").build();
    assertThat(texts(filter(spec), node("n1")))
        .containsExactly("node n1 is not n7, the node that the pod names");
    assertThat(texts(filter(spec, false), node("n1"), node("n2")))
        .containsExactly(
            "the pod names node n7 (spec.nodeName), and there is no Node of that name");
  }

  @Test
  void theAllocatedClaimIsTold() {
    ResourceClaim held =
        ResourceClaim.named("held")
            .build()
            .withAllocation(new AllocationResult(List.of(), List.of(), zoneIn("b"), null));
    ClaimKey key = ClaimKey.of(held);
    PendingPod pod = new PendingPod("default/p", PodSpec.ANYWHERE, List.of(key));
    PodNodeFilters rules = new PodNodeFilters(PodNodeFilters.Key.of(pod.spec()));
    NodeFilter filter = new NodeFilter(pod, rules, List.of(), Map.of(key, held), Map.of());
    assertThat(filter.refusal(node("n2", "zone", "b"))).isNull();
    assertThat(filter.refusal(node("n1", "zone", "a"))).isEqualTo(Cause.ALLOCATED_CLAIMS);
    assertThat(texts(filter, node("n1", "zone", "a")))
        .containsExactly(
            "node n1 is not where claim default/held, which is allocated, can be used (zone In"
                + " [b])");
  }

  @Test
  void theOrderOfCausesIsThatOfTheScheduler() {
    PodSpec spec = PodSpec.builder().nodeSelector("zone", "c").build();
    assertThat(filter(spec).refusal(TAINTED)).isEqualTo(Cause.TAINT);
    PodSpec named = spec.toBuilder().nodeName("other").build();
    assertThat(filter(named).refusal(TAINTED)).isEqualTo(Cause.NODE_NAME);
  }

  @Test
  void sentencesStayShort() {
    Node[] nodes =
        IntStream.range(0, 1_000)
            .mapToObj(
                i ->
                    node("n" + i, "zone", i + "z".repeat(5_000)).toBuilder()
                        .taints(i < 500 ? List.of() : List.of(Taint.of("t" + i, "", GPU.effect())))
                        .build())
            .toArray(Node[]::new);
    PodSpec spec = PodSpec.builder().nodeSelector("zone", "y".repeat(5_000)).build();
    List<String> texts = texts(filter(spec), nodes);
    assertThat(texts).hasSize(5).allMatch(text -> text.length() < 1_500);
    assertThat(texts.get(3))
        .isEqualTo(
            "497 nodes have other taints, which the pod does not tolerate: n503, n504, n505 and"
                + " 494 more");
    assertThat(texts.get(4)).startsWith("500 nodes lack zone=y").contains("497 more have other");
    List<NodeReason> reasons = NodeReasons.of(List.of(nodes), filter(spec)::mismatch);
    assertThat(reasons.get(3).nodes()).hasSize(497);
  }

  @Test
  void aPodSaysWhereItMayRun() {
    PendingPod pod = new PendingPod("default/p", PodSpec.ANYWHERE, List.of());
    assertThat(pod.mayRunOn(PLAIN)).isTrue();
    assertThat(pod.mayRunOn(TAINTED)).isFalse();
  }
}
