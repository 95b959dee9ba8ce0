package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Equal groups of a leader and its workers ({@code leaderworkerset.x-k8s.io/v1}). It has the fields
 * that device allocation needs.
 *
 * <p>Source: {@code api/leaderworkerset/v1} of sigs.k8s.io/lws.
 *
 * @param metadata namespace, name and annotations
 * @param replicas the number of groups; 1 when not given
 * @param size the number of pods of a group, including the leader; 1 when not given
 * @param leader the template of the leaders; {@code null} if they use the template of the workers
 * @param worker the template of the workers
 * @param subGroups the parts of each group; {@code null} if groups have no parts
 */
public record LeaderWorkerSet(
    ObjectMeta metadata,
    int replicas,
    int size,
    @Nullable PodTemplate leader,
    PodTemplate worker,
    @Nullable SubGroups subGroups)
    implements PodController {

  /**
   * The parts of a group ({@code spec.leaderWorkerTemplate.subGroupPolicy}).
   *
   * @param size the number of pods of a part, at least 1; the first part may have one more, the
   *     leader
   * @param excludesLeader whether the leader belongs to no part ({@code LeaderExcluded})
   */
  public record SubGroups(int size, boolean excludesLeader) {

    /** Rejects parts without pods. {@inheritDoc} */
    public SubGroups {
      if (size < 1) {
        throw new IllegalArgumentException("SubGroups.size: expected 1 or more, found " + size);
      }
    }
  }

  /** Rejects null. {@inheritDoc} */
  public LeaderWorkerSet {
    Checks.value("LeaderWorkerSet.metadata", metadata);
    Checks.value("LeaderWorkerSet.worker", worker);
  }

  /**
   * {@return a set of the same size}
   *
   * @param name namespace and name of the set
   * @param leading the template of the leaders; {@code null} if they use the template of the
   *     workers
   * @param working the template of the workers
   */
  public LeaderWorkerSet copy(ObjectMeta name, @Nullable PodTemplate leading, PodTemplate working) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(working, "working");
    return new LeaderWorkerSet(name, replicas, size, leading, working, subGroups);
  }

  @Override
  public List<PodSpec> podSpecs() {
    return PodTemplate.specs(leader(), worker());
  }
}
