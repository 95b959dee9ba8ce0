package io.dra4j.allocation;

import io.dra4j.inventory.Candidate;
import java.util.List;
import java.util.Optional;

/** The policy of Kubernetes. */
final class FirstFit implements AllocationPolicy {

  static final FirstFit INSTANCE = new FirstFit();

  private FirstFit() {}

  @Override
  public Choice choose(PolicyQuestion question) {
    return new Choice.AsFound();
  }

  @Override
  public Optional<Score> score(PolicyQuestion question, List<List<Candidate>> devices) {
    return Optional.empty();
  }
}
