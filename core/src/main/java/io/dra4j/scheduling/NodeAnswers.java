package io.dra4j.scheduling;

import io.dra4j.allocation.policy.Score;
import io.dra4j.model.Node;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the pods of one template got on each node: a score, or what refused them. Pods that are on
 * other nodes are not considered here. Nodes are known by their places in the run. Not thread-safe.
 */
final class NodeAnswers {

  /** So many sights are compared; each has up to a few KB. */
  private static final int MAX_SIGHTS = 4_096;

  /**
   * The answer of a node.
   *
   * @param fits whether the claims get their devices
   * @param score how good they are; absent where the policy does not rate them
   * @param rank the rank of the alternatives that were taken, see {@link NodeChoice}
   */
  record Answer(boolean fits, Optional<Score> score, int rank) {

    static final Answer NO_DEVICES = new Answer(false, Optional.empty(), 0);
  }

  /** The best answer first, among those that have scores. */
  private static final Comparator<Answer> BEST_FIRST =
      Comparator.comparing((Answer answer) -> answer.score().orElseThrow())
          .thenComparingInt(Answer::rank)
          .reversed();

  private final List<Node> nodes;
  private final BitSet allowed;
  private final @Nullable Answer[] answers;
  private final @Nullable Cause[] causes;
  private final BitSet unknown;
  private final BitSet open; // those that are unknown or fit
  private final Map<Cause, Integer> refused = new EnumMap<>(Cause.class);
  private final TreeMap<Answer, BitSet> scored = new TreeMap<>(BEST_FIRST);
  private final Map<Object, Answer> bySight = new HashMap<>();
  private int unscored; // that fit

  /**
   * Knows no answer yet.
   *
   * @param nodes all nodes of the run
   * @param allowed the places of those in question
   */
  NodeAnswers(List<Node> nodes, BitSet allowed) {
    this.nodes = nodes;
    this.allowed = allowed;
    this.answers = new Answer[nodes.size()];
    this.causes = new Cause[nodes.size()];
    this.unknown = (BitSet) allowed.clone();
    this.open = (BitSet) allowed.clone();
  }

  Node node(int place) {
    return nodes.get(place);
  }

  /** The places of all nodes in question. */
  int[] all() {
    return allowed.stream().toArray();
  }

  /** The next node from a place on whose answer is not known; -1 for none. */
  int nextUnknown(int place) {
    return unknown.nextSetBit(place);
  }

  /** The next node from a place on that fits or whose answer is not known; -1 for none. */
  int nextOpen(int place) {
    return open.nextSetBit(place);
  }

  /** The answer of a node; {@code null} while it is not known, or if something else refuses. */
  @Nullable Answer get(int place) {
    return answers[place];
  }

  /** Notes that nothing but devices was looked at on a node. */
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

  /** Notes what refuses the pods on a node. */
  void refuse(int place, Cause cause) {
    unknown.clear(place);
    open.clear(place);
    causes[place] = cause;
    refused.merge(cause, 1, Integer::sum);
  }

  /** What refuses the pods on a node with whatever devices it has, where nothing else does. */
  Cause causeOfDevices(int place) {
    return causes[place] == Cause.NODE_RESOURCES ? Cause.NODE_RESOURCES : Cause.DEVICES;
  }

  /** Forgets a node to which a pod has come. */
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

  /** How many nodes are refused, by what refuses them. */
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
   * @param sight what they see of the node
   */
  @Nullable Answer ofSight(Object sight) {
    return bySight.get(sight);
  }

  /** Notes the answer of such nodes. */
  void putSight(Object sight, Answer answer) {
    if (bySight.size() < MAX_SIGHTS) {
      bySight.put(sight, answer);
    }
  }
}
