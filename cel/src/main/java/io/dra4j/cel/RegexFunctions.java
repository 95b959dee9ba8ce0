package io.dra4j.cel;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * {@code matches} of CEL, and {@code find} and {@code findAll} after {@code regex.go} of the API
 * server's CEL library. The dialect is RE2, whose search time is linear.
 */
@SuppressWarnings("Immutable") // the cache only saves time
final class RegexFunctions {

  private final Cache<String, Pattern> patterns =
      CacheBuilder.newBuilder().maximumSize(256).build();

  private RegexFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    RegexFunctions functions = new RegexFunctions();
    library
        .add("matches", String.class, String.class, functions::matches)
        .add("matches_string", String.class, String.class, functions::matches)
        .add("string_find_string", String.class, String.class, functions::find)
        .add(
            "string_find_all_string",
            String.class,
            String.class,
            (text, regex) -> findAll(text, functions.pattern(regex), -1))
        .add(
            "string_find_all_string_int",
            ImmutableList.of(String.class, String.class, Long.class),
            args -> findAll((String) args[0], functions.pattern((String) args[1]), (Long) args[2]));
  }

  /** Returns why a text is no pattern, or null if it is one. */
  static @Nullable String problem(String regex) {
    try {
      compile(regex);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /**
   * Makes a search for a pattern.
   *
   * @throws IllegalArgumentException if it is no pattern
   */
  static SearchNode.Search search(String function, String regex) {
    Pattern pattern = compile(regex);
    return switch (function) {
      case "matches" -> {
        SimplePattern simple = SimplePattern.of(regex);
        yield simple != null
            ? (text, limit) -> simple.isFoundIn(text.toString())
            : (text, limit) -> pattern.matcher(text).find();
      }
      case "find" -> (text, limit) -> find(text, pattern);
      default -> (text, limit) -> findAll(text, pattern, limit);
    };
  }

  private boolean matches(String text, String regex) {
    return pattern(regex).matcher(text).find();
  }

  private String find(String text, String regex) {
    return find(text, pattern(regex));
  }

  private static String find(CharSequence text, Pattern pattern) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  private static ImmutableList<String> findAll(CharSequence text, Pattern pattern, long limit) {
    ImmutableList.Builder<String> found = ImmutableList.builder();
    Matcher matcher = pattern.matcher(text);
    int end = -1;
    for (long i = 0; (limit < 0 || i < limit) && matcher.find(); ) {
      // As in Go, an empty match directly behind another one does not count.
      if (matcher.start() != end || matcher.end() != end) {
        found.add(matcher.group());
        i++;
      }
      end = matcher.end();
    }
    return found.build();
  }

  private static Pattern compile(String regex) {
    String refusal = RegexSize.refusal(regex);
    if (!refusal.isEmpty()) {
      throw new IllegalArgumentException(refusal);
    }
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private Pattern pattern(String regex) {
    Pattern pattern = patterns.getIfPresent(regex);
    if (pattern == null) {
      try {
        pattern = compile(regex);
      } catch (IllegalArgumentException e) {
        throw new CelInvalidArgumentException("invalid regular expression: " + e.getMessage());
      }
      patterns.put(regex, pattern);
    }
    return pattern;
  }
}
