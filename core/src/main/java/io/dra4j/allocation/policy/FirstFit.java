package io.dra4j.allocation.policy;

import io.dra4j.inventory.PolicyDevice;
import java.util.List;
import java.util.Optional;

/** The policy of Kubernetes. */
final class FirstFit implements AllocationPolicy {

  static final FirstFit INSTANCE = new FirstFit();

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
