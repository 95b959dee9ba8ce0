package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A change of the resources of an existing container. Empty values stay unchanged.
 *
 * @param containerId the ID of the container at the runtime
 * @param cpus the CPUs that the container may use, in the list format of cpuset(7)
 * @param memoryNodes the memory nodes that the container may use, in the list format of cpuset(7)
 * @param memoryLimit the limit of memory in bytes
 * @param ignoreFailure whether the runtime continues if this update fails
 */
public record ContainerUpdate(
    String containerId,
    Optional<String> cpus,
    Optional<String> memoryNodes,
    OptionalLong memoryLimit,
    boolean ignoreFailure) {

  /** {@inheritDoc} */
  public ContainerUpdate {
    requireNonNull(containerId, "containerId");
    requireNonNull(cpus, "cpus");
    requireNonNull(memoryNodes, "memoryNodes");
    requireNonNull(memoryLimit, "memoryLimit");
  }
}
