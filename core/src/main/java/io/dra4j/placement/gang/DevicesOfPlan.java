package io.dra4j.placement.gang;

import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.internal.policy.PolicyEngine;
import java.util.List;
import java.util.Optional;

/**
 * A policy that chooses only among the GPUs and NICs that a plan gives to a pod.
 *
 * @param policy the policy
 * @param gpus the GPUs of the plan
 * @param nics the NICs of the plan
 */
record DevicesOfPlan(PlacementPolicy policy, long gpus, long nics) implements AllocationPolicy {

  @Override
  public Choice choose(PolicyContext question) throws BudgetExceededException {
    return PolicyEngine.of(policy).choose(question, gpus, nics);
  }

  @Override
  public Optional<String> refuses(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    return policy.refuses(question, devices);
  }

  @Override
  public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    return policy.score(question, devices);
  }
}
