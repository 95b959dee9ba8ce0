package io.dra4j.cel;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.cel.common.types.CelType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A search for a regular expression: {@code matches}, {@code find} or {@code findAll}. */
final class SearchNode extends Node {

  private static final int REMEMBERED_PATTERNS = 64;
  private static final EvalError NO_SUCH_OVERLOAD = new EvalError("no such overload");

  /** A search for one pattern in a text. */
  @FunctionalInterface
  interface Search {

    /**
     * Searches.
     *
     * @param limit how many finds are wanted, or −1 for all
     */
    Object in(CharSequence text, long limit);
  }

  private final String function;
  private final Node text;
  private final Node pattern;
  private final @Nullable Node limit;
  private final @Nullable Search known;
  private final CallCost cost;
  private final Cache<String, Object> searches =
      CacheBuilder.newBuilder().maximumSize(REMEMBERED_PATTERNS).build();

  /**
   * Makes a search.
   *
   * @param known the search, if the pattern is a constant
   */
  SearchNode(
      String function,
      Node text,
      Node pattern,
      @Nullable Node limit,
      @Nullable Search known,
      CallCost cost) {
    this.function = function;
    this.text = text;
    this.pattern = pattern;
    this.limit = limit;
    this.known = known;
    this.cost = cost;
  }

  @Override
  Object eval(Frame frame) {
    Object a = text.eval(frame);
    boolean stopsAtError = known != null || limit != null;
    if (stopsAtError && a instanceof EvalError) {
      return a;
    }
    Object b = pattern.eval(frame);
    Object in = known != null && !(a instanceof String) ? text(a) : a;
    if (limit != null && b instanceof EvalError) {
      return b;
    }
    Object count = limit == null ? (Object) Long.valueOf(-1) : limit.eval(frame);
    frame.charge(cost.of(a, b, null));
    if (a instanceof EvalError || b instanceof EvalError) {
      return a instanceof EvalError ? a : b;
    } else if (count instanceof EvalError) {
      return count;
    } else if (!(in instanceof String target
        && b instanceof String regex
        && count instanceof Long n)) {
      return NO_SUCH_OVERLOAD;
    } else {
      Object search = known != null ? known : search(regex);
      return search instanceof Search found ? found.in(frame.timed(target), n) : search;
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

  /** Returns a search or an error. */
  private Object search(String regex) {
    Object search = searches.getIfPresent(regex);
    if (search == null) {
      try {
        search = RegexFunctions.search(function, regex);
      } catch (IllegalArgumentException e) {
        search = new EvalError("invalid regular expression: " + e.getMessage());
      }
      searches.put(regex, search);
    }
    return search;
  }
}
