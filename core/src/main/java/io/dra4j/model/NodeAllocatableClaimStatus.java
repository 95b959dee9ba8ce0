package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;

/**
 * The resources of its node that the devices of one claim consume for a pod (KEP-5517), as the
 * scheduler writes them into {@code status.nodeAllocatableResourceClaimStatuses} of the pod.
 *
 * @param resourceClaimName the name of the claim, in the namespace of the pod
 * @param containers the names of the containers that use the claim; twice if a container refers to
 *     it twice
 * @param mapping the amounts that the devices represent, by resource: {@code cpu}, {@code memory}
 *     or huge pages
 * @param overhead the additional amounts of the devices, by resource
 */
public record NodeAllocatableClaimStatus(
    String resourceClaimName,
    List<String> containers,
    Map<String, Quantity> mapping,
    Map<String, NodeAllocatableResource.Overhead> overhead) {

  /** Copies the collections, keeping their order; rejects null. {@inheritDoc} */
  public NodeAllocatableClaimStatus {
    Checks.value("NodeAllocatableClaimStatus.resourceClaimName", resourceClaimName);
    containers = Checks.list("NodeAllocatableClaimStatus.containers", containers);
    mapping = Checks.map("NodeAllocatableClaimStatus.mapping", mapping);
    overhead = Checks.map("NodeAllocatableClaimStatus.overhead", overhead);
  }
}
