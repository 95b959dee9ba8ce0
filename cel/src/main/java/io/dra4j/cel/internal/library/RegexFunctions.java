package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Regex;
import io.dra4j.cel.internal.text.RegexSyntaxException;
import io.dra4j.cel.internal.text.TimeCheck;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.MemoryCost;
import java.util.List;

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

  private final Patterns patterns;

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
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

  private RegexFunctions(Dialect dialect) {
    this.patterns = new Patterns(dialect.unicode());
  }

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    RegexFunctions functions = new RegexFunctions(dialect);
    ImmutableList<Class<?>> twoTexts = ImmutableList.of(String.class, String.class);
    library
        .addLengthy("matches", MATCH, twoTexts, functions::matches)
        .addLengthy("matches_string", MATCH, twoTexts, functions::matches)
        .addLengthy(
            "string_find_string",
            FIND,
            twoTexts,
            (args, work) -> functions.pattern(args[1], work).find((String) args[0], work))
        .addLengthy(
            "string_find_all_string",
            FIND,
            twoTexts,
            (args, work) -> functions.findAll(args, -1, work))
        .addLengthy(
            "string_find_all_string_int",
            FIND,
            ImmutableList.of(String.class, String.class, Long.class),
            (args, work) -> functions.findAll(args, (Long) args[2], work));
  }

  private boolean matches(Object[] args, EvaluationMeter work) {
    return pattern(args[1], work).isFoundIn((String) args[0], work);
  }

  private List<String> findAll(Object[] args, long limit, EvaluationMeter work) {
    List<String> found = pattern(args[1], work).findAll((String) args[0], limit, work);
    work.takes(MemoryCost.ofTexts(found));
    return found;
  }

  private Regex pattern(Object regex, TimeCheck check) {
    try {
      return patterns.get((String) regex, check);
    } catch (RegexSyntaxException e) {
      throw new CelInvalidArgumentException(String.valueOf(e.getMessage()));
    }
  }
}
