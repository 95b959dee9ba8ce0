package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.inventory.PolicyDevice;
import java.util.List;
import java.util.Optional;

/** The policy of Kubernetes. */
public final class FirstFit implements AllocationPolicy {

  public static final FirstFit INSTANCE = new FirstFit();

  private FirstFit() {}

  @Override
  public Choice choose(PolicyContext context) {
    return new Choice.AsFound();
  }

  @Override
  public Optional<Score> score(PolicyContext context, List<List<PolicyDevice>> devices) {
    return Optional.empty();
  }
}
