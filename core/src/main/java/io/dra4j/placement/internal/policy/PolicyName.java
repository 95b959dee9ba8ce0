package io.dra4j.placement.internal.policy;

import io.dra4j.placement.internal.server.Objective;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The policies that users can name. */
public enum PolicyName {
  /** Chooses the same devices as Kubernetes; only scores use the objective. */
  FIRST_FIT("first-fit", Objective.BEST),
  BEST("best", Objective.BEST),
  PACK("pack", Objective.PACK),
  SPREAD("spread", Objective.SPREAD);

  public static final List<String> NAMES =
      Arrays.stream(values()).map(PolicyName::toString).toList();

  private final String name;
  private final Objective objective;

  PolicyName(String name, Objective objective) {
    this.name = name;
    this.objective = objective;
  }

  public static Optional<PolicyName> of(String name) {
    return Arrays.stream(values()).filter(policy -> policy.name.equals(name)).findFirst();
  }

  Objective objective() {
    return objective;
  }

  /** Returns the name that users write. */
  @Override
  public String toString() {
    return name;
  }
}
