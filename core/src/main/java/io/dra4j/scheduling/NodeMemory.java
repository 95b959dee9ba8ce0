package io.dra4j.scheduling;

import io.dra4j.allocation.policy.Score;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What claims like these got on each node in this run: a score, or no devices. Where a policy
 * compares all nodes, a pod of a template that was seen before needs a search only on the nodes on
 * which something changed since. Holds as long as every device is of one node.
 */
final class NodeMemory {

  /** What decides about devices: claims that differ in their names alone get the same. */
  private record Wish(String namespace, ResourceClaimSpec spec, Map<String, String> annotations) {}

  /**
   * The answer of a node.
   *
   * @param score how good it is; absent where the policy does not rate it
   * @param rank the rank of the alternatives that were taken, see {@link NodeChoice}
   */
  record Answer(boolean fits, Optional<Score> score, int rank) {

    static final Answer NO_DEVICES = new Answer(false, Optional.empty(), 0);
  }

  private final boolean isOn;
  private final Map<List<Wish>, Map<String, Answer>> answers = new HashMap<>();

  /**
   * Remembers nothing yet.
   *
   * @param isOn whether answers may be remembered at all
   */
  NodeMemory(boolean isOn) {
    this.isOn = isOn;
  }

  /** An empty one for a copy of the run. */
  NodeMemory fresh() {
    return new NodeMemory(isOn);
  }

  /** The answers to claims like these by node, to be read and added to. */
  Map<String, Answer> of(List<ResourceClaim> claims) {
    if (!isOn) {
      return new HashMap<>();
    }
    List<Wish> wishes = new ArrayList<>();
    for (ResourceClaim claim : claims) {
      wishes.add(
          new Wish(
              claim.metadata().namespaceOrDefault(), claim.spec(), claim.metadata().annotations()));
    }
    return answers.computeIfAbsent(wishes, any -> new HashMap<>());
  }

  /** Forgets a node on which devices have come into use. */
  void forget(String node) {
    answers.values().forEach(ofWish -> ofWish.remove(node));
  }
}
