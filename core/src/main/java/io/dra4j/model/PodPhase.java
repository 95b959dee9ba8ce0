package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * Where a pod is in its life ({@code status.phase}). An open enumeration: values that this version
 * does not know are kept.
 *
 * @param value the value as written in the manifest
 */
public record PodPhase(String value) {

  /** Refuses null. {@inheritDoc} */
  public PodPhase {
    Checks.value("PodPhase.value", value);
  }

  /** The phase of a pod that has not started all of its containers yet. */
  public static final PodPhase PENDING = new PodPhase("Pending");

  /** The phase of a pod that runs on a node. */
  public static final PodPhase RUNNING = new PodPhase("Running");

  /** The phase of a pod whose containers have all ended well and are not started again. */
  public static final PodPhase SUCCEEDED = new PodPhase("Succeeded");

  /** The phase of a pod whose containers have all ended, one of them badly. */
  public static final PodPhase FAILED = new PodPhase("Failed");

  /** No phase given, as in the manifest of a pod that no cluster has seen. */
  public static final PodPhase UNSET = new PodPhase("");

  /**
   * Returns whether the pod has ended for good, so that it needs no node and no devices any more.
   *
   * @return whether this is {@link #SUCCEEDED} or {@link #FAILED}
   */
  public boolean isTerminal() {
    return equals(SUCCEEDED) || equals(FAILED);
  }

  @Override
  public String toString() {
    return value;
  }
}
