package io.dra4j.kubernetes;

import org.jspecify.annotations.Nullable;

/** A failed request to the API server. The message names the request, and states what to do. */
public final class ClusterException extends Exception {

  private static final long serialVersionUID = 1L;

  /** The status of a failure without a response of the server. */
  public static final int NO_ANSWER = 0;

  /** The HTTP status of the response. */
  private final int status;

  ClusterException(String message, int status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** {@return the HTTP status of the response, for example 403; {@link #NO_ANSWER} without one} */
  public int status() {
    return status;
  }
}
