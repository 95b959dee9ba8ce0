package io.dra4j.examples;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Places the pods of a cluster, and lists the devices of each pod. */
public final class PlacePods {

  private PlacePods() {}

  /**
   * Places the pods of a dump one after the other.
   *
   * @param dump nodes, classes, slices, claims, and pods or workloads
   * @return a line for each device of a pod, and one for each pod that fits on no node
   * @throws ManifestException if the dump cannot be read
   */
  public static List<String> devices(Path dump) throws ManifestException {
    // README: begin
    List<Manifest> manifests = ManifestReader.builder().build().read(dump);
    ClusterSnapshot cluster = Manifests.snapshotOf(manifests);
    PodQueue queue = PodQueue.of(manifests.stream().map(Manifest::object).toList());
    DeviceInventory inventory =
        DeviceInventory.of(cluster.withResourceClaims(List.copyOf(queue.claims().values())));
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    ClusterOutcome run = ClusterRun.builder(allocator).build().place(queue, inventory);
    List<String> lines = new ArrayList<>();
    for (PodOutcome outcome : run.pods()) {
      if (!(outcome instanceof PodOutcome.Placed placed)) {
        lines.add(outcome.toString()); // the pod, and why it fits on no node
        continue;
      }
      for (ClaimKey key : placed.pod().claims()) { // including claims allocated before
        ResourceClaim claim = run.claims().get(key);
        AllocationResult allocation = claim == null ? null : claim.allocation();
        if (allocation != null) {
          for (DeviceRequestAllocationResult result : allocation.results()) {
            String device = result.request() + ": " + result.deviceId();
            lines.add(placed.pod().name() + " on " + placed.node() + ": " + device);
          }
        }
      }
    }
    return lines;
    // README: end
  }
}
