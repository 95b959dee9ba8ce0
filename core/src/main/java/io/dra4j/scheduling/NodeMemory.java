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
import org.jspecify.annotations.Nullable;

/**
 * A cache of the answers of the nodes of a run for the pods of each template. The next pod of a
 * template only checks the nodes that changed since. Valid as long as every device belongs to one
 * node. Not thread-safe.
 */
final class NodeMemory {

  private static final int MAX_TEMPLATES = 64;

  /**
   * The part of a claim that determines its devices: claims that differ only in their names get the
   * same devices.
   */
  private record Wish(String namespace, ResourceClaimSpec spec, Map<String, String> annotations) {

    static Wish of(ResourceClaim claim) {
      return new Wish(
          claim.metadata().namespaceOrDefault(), claim.spec(), claim.metadata().annotations());
    }
  }

  /** The part of a pod that determines the answer of a node while the node gets no other pod. */
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
  private final @Nullable Object[] sights; // of the policy, by node; the same for all templates

  /**
   * Creates an empty cache.
   *
   * @param isOn whether answers may be cached
   * @param nodes all nodes of the run
   */
  NodeMemory(boolean isOn, List<Node> nodes) {
    this(isOn, nodes, new Object[isOn ? nodes.size() : 0]);
  }

  private NodeMemory(boolean isOn, List<Node> nodes, @Nullable Object[] sights) {
    this.isOn = isOn;
    this.nodes = nodes;
    this.sights = sights;
    for (int i = 0; isOn && i < nodes.size(); i++) {
      places.put(nodes.get(i).name(), i);
    }
  }

  /** A cache without answers for a copy of the run. */
  NodeMemory fresh() {
    return new NodeMemory(isOn, nodes, sights.clone());
  }

  /**
   * The answers for pods like this one, for reading and adding.
   *
   * @param hasFilters whether it is a real pod, not a claim that no pod uses
   * @param allowed the nodes that its specification allows
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
      known = new NodeAnswers(nodes, allowed.places(), sights);
      answers.put(template, known);
      if (answers.size() > MAX_TEMPLATES) {
        answers.remove(answers.keySet().iterator().next());
      }
    }
    return known;
  }

  /** Removes the answers of a node that got a pod. */
  void forget(String node) {
    Integer place = places.get(node);
    if (place != null) {
      sights[place] = null;
      answers.values().forEach(ofTemplate -> ofTemplate.forget(place));
    }
  }
}
