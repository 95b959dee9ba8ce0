package io.dra4j.cel.internal.check;

import com.google.common.collect.ImmutableMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says what the parser of cel-java says in the words of the parser of cel-go. */
final class ParserMessages {

  /** Messages of cel-java by what they start with. The first one that fits counts. */
  private static final ImmutableMap<String, String> BY_PREFIX =
      ImmutableMap.<String, String>builder()
          .put("The argument must be a simple name", "argument must be a simple name")
          .put("The iteration variable", "iteration variable overwrites accumulator variable")
          .put(
              "cel.bind() variable name must be a simple identifier",
              "cel.bind() variable names must be simple identifiers")
          .buildOrThrow();

  /** About what {@link SyntaxErrors} and {@link TokenErrors} find as cel-go does. */
  private static final Pattern FOUND_ELSEWHERE =
      Pattern.compile(
          "(mismatched|extraneous) input .*|missing .* at .*|no viable alternative .*"
              + "|token recognition error .*|rule .* failed predicate.*|More than .*"
              + "|Expression recursion limit exceeded.*|For input string: .*|String value .*"
              + "|Error at index .*|Illegal escape sequence.*|Invalid unicode code point.*"
              + "|reserved identifier: .*|unsupported identifier.*",
          Pattern.DOTALL);

  private ParserMessages() {}

  /**
   * Puts a message into the words of cel-go.
   *
   * @return nothing if it is told elsewhere
   */
  static @Nullable String translate(String message) {
    for (var entry : BY_PREFIX.entrySet()) {
      if (message.startsWith(entry.getKey())) {
        return entry.getValue();
      }
    }
    return FOUND_ELSEWHERE.matcher(message).matches() ? null : message;
  }
}
