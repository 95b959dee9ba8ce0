package io.dra4j.examples;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.kubernetes.ClusterConnection;
import io.dra4j.kubernetes.ClusterInventory;
import io.dra4j.model.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;

/** Follows a cluster, and prints after each change where a claim would fit. */
public final class FollowCluster {

  private FollowCluster() {}

  /**
   * Follows the cluster of the current context until the thread is interrupted.
   *
   * @param args the device class of the claim
   * @throws Exception if the cluster cannot be read within 30 seconds
   */
  // README: begin
  public static void main(String[] args) throws Exception {
    ResourceClaim claim =
        ResourceClaim.named("wanted").request("gpu", gpu -> gpu.deviceClass(args[0])).build();
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    try (KubernetesClient client = ClusterConnection.open();
        ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(Duration.ofSeconds(30));
      cluster.addListener(
          view ->
              System.out.println(
                  allocator
                      .query(view.inventory(), List.of(claim))
                      .withBudget(Budget.of(Duration.ofSeconds(10)))
                      .firstAllocated()
                      .map(found -> "fits on " + found.node())
                      .orElse("fits on no node")));
      Thread.currentThread().join(); // until it is interrupted
    }
  }
  // README: end
}
