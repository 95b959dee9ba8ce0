package io.dra4j.cel.internal.check;

import static io.dra4j.cel.internal.check.TreeErrors.Kind.IDENT;
import static io.dra4j.cel.internal.check.TreeErrors.Kind.LITERAL;
import static io.dra4j.cel.internal.check.TreeErrors.Kind.MAP;
import static io.dra4j.cel.internal.check.TreeErrors.Kind.SELECT;
import static io.dra4j.cel.internal.check.TreeErrors.Kind.STRUCT;
import static io.dra4j.cel.internal.check.TreeErrors.Kind.UNSPECIFIED;

import io.dra4j.cel.internal.check.TreeErrors.Kind;
import io.dra4j.cel.internal.check.TreeErrors.Term;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The errors of cel-go's macros about invalid arguments. {@link Macros} rejects the same arguments,
 * in other words and, if there are further problems, at other places.
 *
 * <p>Source: {@code parser/macro.go}, {@code cel/library.go}, {@code ext} of cel-go.
 */
final class MacroErrors {

  private static final String ACCUMULATOR = "__result__";

  private static final Set<Kind> NO_LISTS = EnumSet.of(UNSPECIFIED, LITERAL, MAP, STRUCT);

  private MacroErrors() {}

  /**
   * The expansion of a call.
   *
   * @param kind the kind of result of the macro; null if it is not a macro
   * @param refused the argument or target that it rejects, or null
   * @param message the reason
   */
  record Expansion(@Nullable Kind kind, @Nullable Term refused, String message) {

    private static final Expansion NONE = new Expansion(null, null, "");

    private static Expansion to(Kind kind) {
      return new Expansion(kind, null, "");
    }
  }

  /** Expands a call without target. */
  static Expansion global(String function, List<Term> args) {
    if (!function.equals("has") || args.size() != 1) {
      return Expansion.NONE;
    }
    return args.get(0).kind() == SELECT
        ? Expansion.to(SELECT)
        : new Expansion(SELECT, args.get(0), "invalid argument to has() macro");
  }

  /** Expands a call with a target. */
  static Expansion member(String function, Term target, List<Term> args) {
    return switch (function + "/" + args.size()) {
      case "all/2", "exists/2", "exists_one/2" ->
          loop(args.get(0), "argument must be a simple name");
      case "map/2", "map/3", "filter/2" -> loop(args.get(0), "argument is not an identifier");
      case "sortBy/2" ->
          NO_LISTS.contains(target.kind())
              ? new Expansion(
                  Kind.COMPREHENSION,
                  target,
                  "sortBy can only be applied to a list, identifier, comprehension, call or select"
                      + " expression")
              : loop(args.get(0), "argument is not an identifier");
      case "all/3",
          "exists/3",
          "exists_one/3",
          "existsOne/3",
          "transformList/3",
          "transformList/4",
          "transformMap/3",
          "transformMap/4",
          "transformMapEntry/3",
          "transformMapEntry/4" ->
          loop(args.get(0), args.get(1));
      case "optMap/2", "optFlatMap/2" ->
          named(Kind.CALL, args.get(0), function + "() variable name must be a simple identifier");
      case "bind/3" ->
          target.isNamed("cel")
              ? named(
                  Kind.COMPREHENSION,
                  args.get(0),
                  "cel.bind() variable names must be simple identifiers")
              : Expansion.NONE;
      default -> Expansion.NONE;
    };
  }

  private static Expansion named(Kind kind, Term variable, String message) {
    return variable.kind() == IDENT ? Expansion.to(kind) : new Expansion(kind, variable, message);
  }

  private static Expansion loop(Term variable, String message) {
    return variable.isNamed(ACCUMULATOR)
        ? overwrites(variable)
        : named(Kind.COMPREHENSION, variable, message);
  }

  private static Expansion loop(Term first, Term second) {
    for (Term variable : List.of(first, second)) {
      if (variable.kind() != IDENT) {
        return named(Kind.COMPREHENSION, variable, "argument must be a simple name");
      }
    }
    if (first.name().equals(second.name())) {
      return new Expansion(Kind.COMPREHENSION, second, "duplicate variable name: " + first.name());
    } else if (first.isNamed(ACCUMULATOR)) {
      return overwrites(first);
    }
    return second.isNamed(ACCUMULATOR) ? overwrites(second) : Expansion.to(Kind.COMPREHENSION);
  }

  private static Expansion overwrites(Term variable) {
    return new Expansion(
        Kind.COMPREHENSION, variable, "iteration variable overwrites accumulator variable");
  }
}
