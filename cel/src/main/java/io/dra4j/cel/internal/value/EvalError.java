package io.dra4j.cel.internal.value;

import io.dra4j.cel.internal.text.GoText;
import io.dra4j.selector.SelectorException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A failed evaluation as a value: the other side of {@code &&} or {@code ||} may outweigh it. */
public final class EvalError {

  private final String message;
  private final boolean passing; // whether the same evaluation may end otherwise next time
  private volatile @Nullable SelectorException exception; // made once; a race makes two equal ones

  /** Creates an error that every evaluation of the same expression would give. */
  public EvalError(String message) {
    this(message, false);
  }

  private EvalError(String message, boolean passing) {
    this.message = GoText.characters(message);
    this.passing = passing;
  }

  /** Returns the error that an ended evaluation gives. */
  public static EvalError of(EvaluationAborted aborted) {
    return new EvalError(String.valueOf(aborted.getMessage()), aborted.passing);
  }

  /** The possible depth depends on the stack that the thread already uses. */
  public static EvalError tooDeep() {
    return new EvalError("the expression is nested too deeply", true);
  }

  /** Returns the error for a function without an overload for its arguments. */
  public static EvalError noSuchOverload(String function) {
    return new EvalError("no such overload: " + function);
  }

  /** Returns the error for a missing overload, if abilities of the first argument choose it. */
  public static EvalError noSuchOverloadOf(String function, Object first) {
    return Values.isReceiver(first) ? new EvalError("no such overload") : noSuchOverload(function);
  }

  /** Also names the types of the arguments. */
  public static EvalError noSuchOverload(String function, Object... arguments) {
    return new EvalError(
        Arrays.stream(arguments)
            .map(Values::typeName)
            .collect(Collectors.joining(", ", "no such overload: " + function + "(", ")")));
  }

  /** A loop over what has no elements. */
  public static EvalError notIterable(Object values, boolean twoVariables) {
    String type = Values.goType(values);
    return new EvalError(
        twoVariables
            ? "unsupported comprehension range type: " + type
            : "got '" + type + "', expected iterable type");
  }

  /** Returns the text, in the words of cel-go. */
  public String message() {
    return message;
  }

  /**
   * Returns the error for users of the library. Has no stack trace and may be thrown many times.
   */
  public SelectorException exception() {
    SelectorException known = exception;
    if (known == null) {
      known = passing ? SelectorException.passing(message) : new SelectorException(message);
      exception = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return message;
  }
}
