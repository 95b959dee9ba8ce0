package io.dra4j.kubernetes;

import org.jspecify.annotations.Nullable;

/** A request to the API server failed. The message names the request and what to do. */
public final class ClusterException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The status of a failure without an answer of the server. */
  public static final int NO_ANSWER = 0;

  /** The HTTP status of the answer. */
  private final int status;

  ClusterException(String message, int status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /**
   * The HTTP status of the answer.
   *
   * @return for example 403; {@link #NO_ANSWER} if there was no answer
   */
  public int status() {
    return status;
  }
}
