package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The phase of a pod's life cycle ({@code status.phase}). An open enumeration: unknown values are
 * kept.
 *
 * @param value the value as written in the manifest
 */
public record PodPhase(String value) {

  /** Rejects null. {@inheritDoc} */
  public PodPhase {
    Checks.value("PodPhase.value", value);
  }

  /** The phase of a pod that has not started all of its containers yet. */
  public static final PodPhase PENDING = new PodPhase("Pending");

  /** The phase of a pod that runs on a node. */
  public static final PodPhase RUNNING = new PodPhase("Running");

  /** The phase of a pod whose containers have all succeeded and are not restarted. */
  public static final PodPhase SUCCEEDED = new PodPhase("Succeeded");

  /** The phase of a pod whose containers have all ended, at least one of them with a failure. */
  public static final PodPhase FAILED = new PodPhase("Failed");

  /** No phase, as in the manifest of a pod that was never created. */
  public static final PodPhase UNSET = new PodPhase("");

  /** {@return whether the pod ended and needs no node: {@link #SUCCEEDED} or {@link #FAILED}} */
  public boolean isTerminal() {
    return equals(SUCCEEDED) || equals(FAILED);
  }

  @Override
  public String toString() {
    return value;
  }
}
