package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangScore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a {@link ClusterRun}.
 *
 * @param pods the outcome of each pod, in the order of the queue
 * @param claims all claims of the queue, with their allocations after the run; without the claims
 *     for extended resources that device plugins of the nodes provide to the pods
 * @param gangs the scores of the plans of placed gangs, by their names
 */
public record ClusterOutcome(
    List<PodOutcome> pods, Map<ClaimKey, ResourceClaim> claims, Map<String, GangScore> gangs) {

  /** Copies the list and the map, keeping their order. {@inheritDoc} */
  public ClusterOutcome {
    pods = List.copyOf(pods);
    claims = Collections.unmodifiableMap(new LinkedHashMap<>(claims));
    gangs = Collections.unmodifiableMap(new LinkedHashMap<>(gangs));
  }
}
