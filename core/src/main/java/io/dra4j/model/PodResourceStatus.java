package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * The resources of a pod on a node, as its kubelet reports them. They differ from those of the
 * specification while a resize of the running pod is not finished. Sources: KEP-1287 (in-place
 * resize of containers), KEP-5419 (the same of resources of the pod).
 *
 * @param containers the resources of containers and init containers, by the name of the container
 * @param allocated the requests that the kubelet admitted for the whole pod ({@code
 *     status.allocatedResources}); empty if it does not report them
 * @param actuated the requests that are in effect for the whole pod ({@code
 *     status.resources.requests}); empty if it does not report them
 * @param isResizeInfeasible whether the resize can never be done on the node: the condition {@code
 *     PodResizePending} has the reason {@code Infeasible}
 */
public record PodResourceStatus(
    Map<String, ContainerResources> containers,
    Map<String, Quantity> allocated,
    Map<String, Quantity> actuated,
    boolean isResizeInfeasible) {

  /** The kubelet reports nothing, as before the pod starts. */
  public static final PodResourceStatus UNSET =
      new PodResourceStatus(Map.of(), Map.of(), Map.of(), false);

  /**
   * The requests of one container.
   *
   * @param allocated what the kubelet admitted ({@code allocatedResources} of the status of the
   *     container), by resource; empty if it does not report it
   * @param actuated what is in effect ({@code resources.requests} of the same), by resource; empty
   *     if it does not report it
   */
  public record ContainerResources(
      Map<String, Quantity> allocated, Map<String, Quantity> actuated) {

    /** The kubelet reports nothing of the container. */
    public static final ContainerResources UNSET = new ContainerResources(Map.of(), Map.of());

    /** Copies the maps, keeping their order; refuses null. {@inheritDoc} */
    public ContainerResources {
      allocated = Checks.map("ContainerResources.allocated", allocated);
      actuated = Checks.map("ContainerResources.actuated", actuated);
    }
  }

  /** Copies the maps, keeping their order; refuses null. {@inheritDoc} */
  public PodResourceStatus {
    containers = Checks.map("PodResourceStatus.containers", containers);
    allocated = Checks.map("PodResourceStatus.allocated", allocated);
    actuated = Checks.map("PodResourceStatus.actuated", actuated);
  }
}
