package io.dra4j.cel.internal.eval;

import dev.cel.common.types.CelType;
import io.dra4j.cel.internal.library.CallCost;
import io.dra4j.cel.internal.text.Regex;
import io.dra4j.cel.internal.text.RegexSyntaxException;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MemoryCost;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A search for a regular expression: {@code matches}, {@code find} or {@code findAll}. */
final class SearchNode extends Node {

  private static final EvalError NO_SUCH_OVERLOAD = new EvalError("no such overload");

  private final String function;
  private final Node text;
  private final Node pattern;
  private final @Nullable Node limit;
  private final boolean constant;
  private final @Nullable Regex known;
  private final CallCost cost;

  /** Creates a search for a pattern: {@code constant} or not, and {@code known} if it is kept. */
  @SuppressWarnings("ParameterNumber") // the fields of the node, which Planner creates
  SearchNode(
      String function,
      Node text,
      Node pattern,
      @Nullable Node limit,
      boolean constant,
      @Nullable Regex known,
      CallCost cost) {
    this.function = function;
    this.text = text;
    this.pattern = pattern;
    this.limit = limit;
    this.constant = constant;
    this.known = known;
    this.cost = cost;
  }

  @Override
  Object eval(Frame frame) {
    Object a = text.eval(frame);
    boolean stopsAtError = constant || limit != null || frame.sparesFailures();
    if (stopsAtError && a instanceof EvalError) {
      return a;
    }
    Object b = pattern.eval(frame);
    Object in = constant && !(a instanceof String) ? text(a) : a;
    if (b instanceof EvalError && (limit != null || frame.sparesFailures())) {
      return b;
    }
    Object count = limit == null ? (Object) Long.valueOf(-1) : limit.eval(frame);
    if (frame.endsWith(count)) {
      return count;
    }
    frame.charge(cost.of(frame.sized(a), frame.sized(b), null, frame));
    if (a instanceof EvalError || b instanceof EvalError) {
      return a instanceof EvalError ? a : b;
    } else if (count instanceof EvalError) {
      return count;
    } else if (!(in instanceof String target
        && b instanceof String regex
        && count instanceof Long n)) {
      if (!constant && !function.equals("matches")) {
        return limit == null
            ? EvalError.noSuchOverload(function, a, b)
            : EvalError.noSuchOverload(function, a, b, count);
      }
      return constant || in instanceof String
          ? NO_SUCH_OVERLOAD
          : EvalError.noSuchOverloadOf(function, in);
    } else {
      return search(target, regex, n, frame);
    }
  }

  private Object search(String target, String regex, long wanted, Frame frame) {
    try {
      Regex search = known != null ? known : frame.patterns().get(regex, frame);
      return switch (function) {
        case "matches" -> search.isFoundIn(target, frame);
        case "find" -> frame.made(search.find(target, frame));
        default -> {
          List<String> found = search.findAll(target, wanted, frame);
          frame.takes(MemoryCost.ofTexts(found));
          yield found;
        }
      };
    } catch (RegexSyntaxException e) {
      String problem = String.valueOf(e.getMessage());
      return new EvalError(function.equals("matches") ? problem : "Illegal regex: " + problem);
    }
  }

  /** With a known pattern, cel-go looks at the Go value inside. */
  private static Object text(Object value) {
    if (value instanceof CelType type) {
      return type.name();
    }
    return value instanceof Optional<?> optional && optional.isPresent()
        ? text(optional.get())
        : value;
  }
}
