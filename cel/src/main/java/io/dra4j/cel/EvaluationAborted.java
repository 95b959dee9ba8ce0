package io.dra4j.cel;

import java.io.Serial;

/**
 * An evaluation that must not go on, whatever the expression would make of an error: it became too
 * costly or took too long, or cel-go would panic.
 */
final class EvaluationAborted extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  EvaluationAborted(String message) {
    super(message, null, false, false);
  }
}
