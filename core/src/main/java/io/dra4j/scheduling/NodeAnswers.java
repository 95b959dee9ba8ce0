package io.dra4j.scheduling;

import io.dra4j.allocation.policy.Score;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers of nodes for the pods of one template: a score, or the cause of the refusal. Pods on
 * other nodes are not considered here. Nodes are identified by their positions in the run. Not
 * thread-safe.
 */
final class NodeAnswers {

  /** The most sights that are compared; each has up to a few KB. */
  private static final int MAX_SIGHTS = 4_096;

  /**
   * The answer of a node.
   *
   * @param fits whether the claims get their devices
   * @param score the score of the devices; absent if the policy does not rate them
   * @param rank the rank of the chosen alternatives, see {@link NodeChoice}
   */
  record Answer(boolean fits, Optional<Score> score, int rank) {

    static final Answer NO_DEVICES = new Answer(false, Optional.empty(), 0);
  }

  /** Orders answers with scores, the best first. */
  private static final Comparator<Answer> BEST_FIRST =
      Comparator.comparing((Answer answer) -> answer.score().orElseThrow())
          .thenComparingInt(Answer::rank)
          .reversed();

  private final List<Node> nodes;
  private final BitSet allowed;
  private final @Nullable Answer[] answers;
  private final @Nullable Cause[] causes;
  private final BitSet unknown;
  private final BitSet open; // nodes that are unknown or fit
  private final Map<Cause, Integer> refused = new EnumMap<>(Cause.class);
  private final TreeMap<Answer, BitSet> scored = new TreeMap<>(BEST_FIRST);
  private final Map<Object, Answer> bySight = new HashMap<>();
  private final @Nullable Object[] sights; // what the policy sees of each node; empty if not kept
  private int unscored; // number of nodes that fit without a score

  /** Creates an object without answers; {@code allowed} are the positions of candidate nodes. */
  NodeAnswers(List<Node> nodes, BitSet allowed) {
    this(nodes, allowed, new Object[0]);
  }

  /**
   * Creates an object without answers; {@code sights} are the properties of the nodes that the
   * policy depends on, if known; the owner removes them when a node gets a pod.
   */
  NodeAnswers(List<Node> nodes, BitSet allowed, @Nullable Object[] sights) {
    this.nodes = nodes;
    this.sights = sights;
    this.allowed = allowed;
    this.answers = new Answer[nodes.size()];
    this.causes = new Cause[nodes.size()];
    this.unknown = (BitSet) allowed.clone();
    this.open = (BitSet) allowed.clone();
  }

  Node node(int place) {
    return nodes.get(place);
  }

  /** The positions of all candidate nodes. */
  int[] all() {
    return allowed.stream().toArray();
  }

  /** The first node at or after a position whose answer is not known; -1 for none. */
  int nextUnknown(int place) {
    return unknown.nextSetBit(place);
  }

  /** The first node at or after a position that fits or whose answer is not known; -1 for none. */
  int nextOpen(int place) {
    return open.nextSetBit(place);
  }

  /** The answer of a node; {@code null} if unknown, or if a cause other than devices refuses. */
  @Nullable Answer get(int place) {
    return answers[place];
  }

  /** Records the answer of a node that depends only on devices. */
  void put(int place, Answer answer) {
    unknown.clear(place);
    answers[place] = answer;
    if (!answer.fits()) {
      refuse(place, Cause.DEVICES);
    } else if (answer.score().isPresent()) {
      scored.computeIfAbsent(answer, any -> new BitSet()).set(place);
    } else {
      unscored++;
    }
  }

  /** Records the cause for which a node refuses the pods. */
  void refuse(int place, Cause cause) {
    unknown.clear(place);
    open.clear(place);
    causes[place] = cause;
    refused.merge(cause, 1, Integer::sum);
  }

  /** The cause of the refusal by the devices of a node, if there is no other cause. */
  Cause causeOfDevices(int place) {
    return causes[place] == Cause.NODE_RESOURCES ? Cause.NODE_RESOURCES : Cause.DEVICES;
  }

  /** Removes the answer of a node that got a pod. */
  void forget(int place) {
    Cause cause = causes[place];
    Answer answer = answers[place];
    if (cause == null && answer == null) {
      return;
    }
    if (cause != null) {
      refused.merge(cause, -1, (before, less) -> before + less == 0 ? null : before + less);
    } else if (answer != null && answer.score().isPresent()) {
      BitSet equal = scored.get(answer);
      if (equal != null) {
        equal.clear(place);
        if (equal.isEmpty()) {
          scored.remove(answer);
        }
      }
    } else {
      unscored--;
    }
    causes[place] = null;
    answers[place] = null;
    unknown.set(place);
    open.set(place);
  }

  /** The number of refused nodes by cause. */
  Map<Cause, Integer> refused() {
    return Collections.unmodifiableMap(refused);
  }

  /** Whether all nodes that fit have a score. */
  boolean areScored() {
    return unscored == 0;
  }

  /** The nodes that fit and have a score, by their answers, the best ones first. */
  Iterable<BitSet> bestFirst() {
    return scored.values();
  }

  /**
   * The answer of nodes that the claims cannot distinguish from each other.
   *
   * @param sight the properties of the node that the claims depend on
   */
  @Nullable Answer ofSight(Object sight) {
    return bySight.get(sight);
  }

  /** The properties of a node that the policy depends on; {@code null} if they are not known. */
  @Nullable Object policySight(int place) {
    return place < sights.length ? sights[place] : null;
  }

  /** Records these properties, which are the same for all pods. */
  void putPolicySight(int place, Object sight) {
    if (place < sights.length) {
      sights[place] = sight;
    }
  }

  /** Records the answer of such nodes. */
  void putSight(Object sight, Answer answer) {
    if (bySight.size() < MAX_SIGHTS) {
      bySight.put(sight, answer);
    }
  }

  /**
   * A cache of the answers of the nodes of a run for the pods of each template. The next pod of a
   * template only checks the nodes that changed since. Valid as long as every device belongs to one
   * node. Not thread-safe.
   */
  static final class Memory {

    private static final int MAX_TEMPLATES = 64;

    /** The part of a claim that determines its devices; claims that differ in names share it. */
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
    private final LinkedHashMap<Template, NodeAnswers> answers =
        new LinkedHashMap<>(16, 0.75f, true);
    private final @Nullable Object[] sights; // of the policy, by node; the same for all templates

    /** Creates an empty cache; {@code isOn} is whether it may keep answers. */
    Memory(boolean isOn, List<Node> nodes) {
      this(isOn, nodes, new Object[isOn ? nodes.size() : 0]);
    }

    private Memory(boolean isOn, List<Node> nodes, @Nullable Object[] sights) {
      this.isOn = isOn;
      this.nodes = nodes;
      this.sights = sights;
      for (int i = 0; isOn && i < nodes.size(); i++) {
        places.put(nodes.get(i).name(), i);
      }
    }

    /** A cache without answers for a copy of the run. */
    Memory fresh() {
      return new Memory(isOn, nodes, sights.clone());
    }

    /**
     * The answers for pods like this one, for reading and adding; {@code hasFilters} is false for a
     * claim that no pod uses, and {@code allowed} are the nodes of its specification.
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
}
