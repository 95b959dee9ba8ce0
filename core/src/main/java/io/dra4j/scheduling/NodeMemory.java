package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the pods of each template got on the nodes of a run. The next pod of a template asks only
 * the nodes on which something changed since. Holds as long as every device is of one node. Not
 * thread-safe.
 */
final class NodeMemory {

  private static final int MAX_TEMPLATES = 64;

  /** What decides about devices: claims that differ in their names alone get the same. */
  private record Wish(String namespace, ResourceClaimSpec spec, Map<String, String> annotations) {

    static Wish of(ResourceClaim claim) {
      return new Wish(
          claim.metadata().namespaceOrDefault(), claim.spec(), claim.metadata().annotations());
    }
  }

  /** What decides about a node while no other pod comes to it. */
  private record Template(
      PodSpec spec,
      boolean hasFilters,
      Map<String, String> ofItsGang,
      Map<ClaimKey, NodeSelector> allocated,
      List<Wish> wishes) {}

  private final boolean isOn;
  private final List<Node> nodes;
  private final Map<String, Integer> places = new HashMap<>(); // of nodes, by name
  private final LinkedHashMap<Template, NodeAnswers> answers = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Remembers nothing yet.
   *
   * @param isOn whether answers may be remembered at all
   * @param nodes all nodes of the run
   */
  NodeMemory(boolean isOn, List<Node> nodes) {
    this.isOn = isOn;
    this.nodes = nodes;
    for (int i = 0; isOn && i < nodes.size(); i++) {
      places.put(nodes.get(i).name(), i);
    }
  }

  /** An empty one for a copy of the run. */
  NodeMemory fresh() {
    return new NodeMemory(isOn, nodes);
  }

  /**
   * The answers to pods like this one, to be read and added to.
   *
   * @param hasFilters whether the pod is one, and not a claim that no pod uses
   * @param allowed the nodes on which its specification lets it run
   */
  NodeAnswers of(
      PendingPod pod, boolean hasFilters, NodeFilter filter, NodePrefilter.Sieved allowed) {
    if (!isOn || !pod.spec().nodeName().isEmpty()) {
      return new NodeAnswers(nodes, allowed.places());
    }
    List<Wish> wishes = new ArrayList<>();
    filter.pending().forEach(claim -> wishes.add(Wish.of(claim)));
    Template template =
        new Template(pod.spec(), hasFilters, filter.ofItsGang(), filter.allocated(), wishes);
    NodeAnswers known = answers.get(template);
    if (known == null) {
      known = new NodeAnswers(nodes, allowed.places());
      answers.put(template, known);
      if (answers.size() > MAX_TEMPLATES) {
        answers.remove(answers.keySet().iterator().next());
      }
    }
    return known;
  }

  /** Forgets a node to which a pod has come. */
  void forget(String node) {
    Integer place = places.get(node);
    if (place != null) {
      answers.values().forEach(ofTemplate -> ofTemplate.forget(place));
    }
  }
}
