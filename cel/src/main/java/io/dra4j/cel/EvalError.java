package io.dra4j.cel;

import io.dra4j.model.SelectorException;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation that failed, as a value: a truth value on the other side of {@code &&} or {@code
 * ||} may make up for it.
 */
final class EvalError {

  private final String message;
  private @Nullable SelectorException exception; // made once; a race makes two alike

  EvalError(String message) {
    this.message = message;
  }

  static EvalError noSuchOverload(String function) {
    return new EvalError("no such overload: " + function);
  }

  String message() {
    return message;
  }

  /** The error for users of the library. Has no stack trace and may be thrown many times. */
  SelectorException exception() {
    SelectorException known = exception;
    if (known == null) {
      known = new SelectorException(message);
      exception = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return message;
  }
}
