package io.dra4j.node;

import java.time.Duration;
import java.util.Objects;

/**
 * A completed call of the kubelet or the container runtime.
 *
 * @param kind the kind of call
 * @param outcome the outcome of the call
 * @param duration the duration of the call
 */
public record NodeCall(Kind kind, Outcome outcome, Duration duration) {

  /** The kinds of calls. */
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

  /** The outcomes of calls. */
  public enum Outcome {
    /** The call succeeded. */
    DONE,
    /** The call failed, or was refused. */
    FAILED,
    /** The pod has no claims of the drivers. */
    NOTHING_TO_DO
  }

  /** Refuses null. {@inheritDoc} */
  public NodeCall {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(duration, "duration");
  }
}
