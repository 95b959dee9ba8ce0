package io.dra4j.cli.input;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.scheduling.PodQueue;
import java.util.List;

/**
 * A cluster that was read.
 *
 * @param manifests its objects with their places
 * @param snapshot its objects, the claims with the allocations that pods in the queue find
 * @param queue its pods
 */
public record ClusterInput(List<Manifest> manifests, ClusterSnapshot snapshot, PodQueue queue) {

  public static ClusterInput of(List<Manifest> manifests) throws ManifestException {
    ClusterSnapshot read = Manifests.snapshotOf(manifests);
    PodQueue queue = PodQueue.of(manifests.stream().map(Manifest::object).toList());
    return new ClusterInput(
        manifests, read.withResourceClaims(List.copyOf(queue.claims().values())), queue);
  }
}
