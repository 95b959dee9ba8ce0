package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * A container as the container runtime describes it.
 *
 * @param id the ID of the container at the runtime
 * @param podSandboxId the ID of the {@link PodSandbox} of the container
 * @param name the name of the container in its Pod
 * @param state the state of the container
 * @param labels the labels of the container
 * @param annotations the annotations of the container
 * @param pid the process ID of the container in the PID namespace of the runtime, 0 if it does not
 *     run
 */
public record NriContainer(
    String id,
    String podSandboxId,
    String name,
    State state,
    Map<String, String> labels,
    Map<String, String> annotations,
    long pid) {

  /** The state of a container. */
  public enum State {
    /** Not reported by the runtime, or not known to this version. */
    UNKNOWN,
    /** Created and not started. */
    CREATED,
    /** Paused. */
    PAUSED,
    /** Running. */
    RUNNING,
    /** Stopped. */
    STOPPED
  }

  /** {@inheritDoc} */
  public NriContainer {
    requireNonNull(id, "id");
    requireNonNull(podSandboxId, "podSandboxId");
    requireNonNull(name, "name");
    requireNonNull(state, "state");
    labels = Map.copyOf(requireNonNull(labels, "labels"));
    annotations = Map.copyOf(requireNonNull(annotations, "annotations"));
  }
}
