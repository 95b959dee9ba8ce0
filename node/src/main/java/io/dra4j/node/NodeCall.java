package io.dra4j.node;

import java.time.Duration;
import java.util.Objects;

/**
 * A call of the kubelet or the container runtime that has ended.
 *
 * @param kind what was called
 * @param outcome how it ended
 * @param duration how long it took
 */
public record NodeCall(Kind kind, Outcome outcome, Duration duration) {

  /** What is called. */
  public enum Kind {
    /** The kubelet prepares one claim. */
    PREPARE,
    /** The kubelet unprepares one claim. */
    UNPREPARE,
    /** A sandbox starts. */
    RUN_SANDBOX,
    /** A sandbox stops. */
    STOP_SANDBOX,
    /** A sandbox is removed. */
    REMOVE_SANDBOX,
    /** A container is created. */
    CREATE_CONTAINER
  }

  /** How a call ends. */
  public enum Outcome {
    /** It was done. */
    DONE,
    /** It failed, or was refused. */
    FAILED,
    /** The pod has no claim of the drivers. */
    NOTHING_TO_DO
  }

  /** Refuses null. {@inheritDoc} */
  public NodeCall {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(duration, "duration");
  }
}
