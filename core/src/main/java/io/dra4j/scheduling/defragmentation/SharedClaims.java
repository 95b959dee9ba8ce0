package io.dra4j.scheduling.defragmentation;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.ClaimKey;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Groups the pods of a run that share claims, directly or through other pods. For one thread. */
final class SharedClaims {

  /**
   * Pods that share claims.
   *
   * @param claims the claims that they use
   * @param pods the pods; empty for a claim that no pod uses
   * @param ran whether all of them ran before
   */
  record Group(List<ClaimKey> claims, List<PendingPod> pods, boolean ran) {}

  private final List<PodOutcome> pods;
  private final Map<ClaimKey, List<Integer>> users; // positions of pods
  private final Budget budget;
  private final Set<ClaimKey> seen = new HashSet<>();
  private final BitSet gathered = new BitSet();

  private SharedClaims(List<PodOutcome> pods, Map<ClaimKey, List<Integer>> users, Budget budget) {
    this.pods = pods;
    this.users = users;
    this.budget = budget;
  }

  static SharedClaims of(List<PodOutcome> pods, Budget budget) throws BudgetExceededException {
    Map<ClaimKey, List<Integer>> users = new HashMap<>();
    for (int i = 0; i < pods.size(); i++) {
      for (ClaimKey key : pods.get(i).pod().claims()) {
        budget.spend(1);
        users.computeIfAbsent(key, any -> new ArrayList<>()).add(i);
      }
    }
    return new SharedClaims(pods, users, budget);
  }

  /** The group of a claim; null if an earlier result has it. */
  @Nullable Group next(ClaimKey first) throws BudgetExceededException {
    if (!seen.add(first)) {
      return null;
    }
    List<ClaimKey> together = new ArrayList<>(List.of(first));
    List<PendingPod> sharing = new ArrayList<>();
    boolean ran = true;
    for (int next = 0; next < together.size(); next++) {
      for (int place : users.getOrDefault(together.get(next), List.of())) {
        if (gathered.get(place)) {
          continue;
        }
        gathered.set(place);
        PodOutcome pod = pods.get(place);
        ran &= pod instanceof PodOutcome.Placed placed && placed.allocations().isEmpty();
        sharing.add(pod.pod());
        for (ClaimKey key : pod.pod().claims()) {
          budget.spend(1);
          if (seen.add(key)) {
            together.add(key);
          }
        }
      }
    }
    return new Group(together, sharing, ran);
  }
}
