package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Regex;
import io.dra4j.cel.internal.text.RegexSyntaxException;
import io.dra4j.cel.internal.text.TimeCheck;

/**
 * {@code matches} of CEL, and {@code find} and {@code findAll} after {@code regex.go} of the API
 * server's CEL library, where {@code SearchNode} does not stand for them.
 */
@SuppressWarnings("Immutable") // the patterns only save time
final class RegexFunctions {

  private static final FunctionCost MATCH =
      new FunctionCost(
          args ->
              new CallEstimate(
                  Estimates.match(args.get(0).sizeOrUnknown(), args.get(1).sizeOrUnknown())),
          CallCost.CORE_REGEX_SEARCH);
  private static final FunctionCost FIND =
      new FunctionCost(
          args -> {
            Estimate size = args.get(0).sizeOrDeclared();
            return new CallEstimate(
                Estimates.match(size, args.get(1).sizeOrDeclared()), new Estimate(0, size.max()));
          },
          CallCost.REGEX_SEARCH);

  private final Patterns patterns = new Patterns();

  /** The functions as the checker knows them; {@link Functions} says how to read this. */
  static final String DECLARED =
      """
      find
        string_find_string string.(string) string
      findAll
        string_find_all_string string.(string) list(string)
        string_find_all_string_int string.(string, int) list(string)
      matches
        matches (string, string) bool
        matches_string string.(string) bool
      """;

  private RegexFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    RegexFunctions functions = new RegexFunctions();
    library
        .add("matches", MATCH, String.class, String.class, functions::matches)
        .add("matches_string", MATCH, String.class, String.class, functions::matches)
        .add(
            "string_find_string",
            FIND,
            String.class,
            String.class,
            (text, regex) -> functions.pattern(regex).find(text, TimeCheck.NONE))
        .add(
            "string_find_all_string",
            FIND,
            String.class,
            String.class,
            (text, regex) -> functions.pattern(regex).findAll(text, -1, TimeCheck.NONE))
        .add(
            "string_find_all_string_int",
            FIND,
            ImmutableList.of(String.class, String.class, Long.class),
            args ->
                functions
                    .pattern((String) args[1])
                    .findAll((String) args[0], (Long) args[2], TimeCheck.NONE));
  }

  private boolean matches(String text, String regex) {
    return pattern(regex).isFoundIn(text, TimeCheck.NONE);
  }

  private Regex pattern(String regex) {
    try {
      return patterns.get(regex, TimeCheck.NONE);
    } catch (RegexSyntaxException e) {
      throw new CelInvalidArgumentException(String.valueOf(e.getMessage()));
    }
  }
}
