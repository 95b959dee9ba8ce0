package io.dra4j.cel.internal.check;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what the parser of cel-java says in the words of the parser of cel-go. */
final class ParserMessages {

  private static final String TOO_DEEP =
      "expression recursion limit exceeded: "
          + CelOptions.current().build().maxParseRecursionDepth();

  /** Messages of cel-java by what they start with. The first one that fits counts. */
  private static final ImmutableMap<String, String> BY_PREFIX =
      ImmutableMap.<String, String>builder()
          .put("The argument must be a simple name", "argument must be a simple name")
          .put("The iteration variable", "iteration variable overwrites accumulator variable")
          .put("For input string: ", "invalid int literal")
          .put("String value ", "invalid uint literal")
          .put("Illegal escape sequence: Invalid unicode", "invalid unicode code point")
          .put("Illegal escape sequence", "unable to unescape string")
          .put("Invalid unicode code point", "invalid unicode code point")
          .put("Expression recursion limit exceeded", TOO_DEEP)
          .put("unsupported identifier", "unsupported ident kind")
          .put(
              "cel.bind() variable name must be a simple identifier",
              "cel.bind() variable names must be simple identifiers")
          .buildOrThrow();

  /** What the parser generator writes, cel-go with two words before it. */
  private static final Pattern SYNTAX_ERROR =
      Pattern.compile(
          "(mismatched|extraneous) input .*|missing .* at .*|no viable alternative .*"
              + "|token recognition error .*|rule .* failed predicate.*|More than .*",
          Pattern.DOTALL);

  private static final String SYNTAX = "Syntax error: ";

  private static final Pattern EXPECTED = Pattern.compile(" expecting \\{(.*)}$");

  /** Could follow every expression; cel-go has decided by then that nothing does. */
  private static final Set<String> OPERATORS =
      Set.of(
          "'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "'.'", "'-'",
          "'?'", "'+'", "'*'", "'/'", "'%'");

  private static final Set<String> CLOSING = Set.of("')'", "']'", "'}'");

  private ParserMessages() {}

  /** Whether a message is about no place in the text. */
  static boolean isOfWhole(String message) {
    return message.equals(TOO_DEEP);
  }

  /** Whether a translated message is about what the grammar does not allow. */
  static boolean isOfSyntax(String message) {
    return message.startsWith(SYNTAX);
  }

  /**
   * Puts a message into the words of cel-go.
   *
   * @param withinBrackets whether a bracket is open where the problem is
   */
  static String translate(String message, boolean withinBrackets) {
    for (var entry : BY_PREFIX.entrySet()) {
      if (message.startsWith(entry.getKey())) {
        return entry.getValue();
      }
    }
    return SYNTAX_ERROR.matcher(message).matches()
        ? SYNTAX + withoutOperators(message.replace("%%", "%"), withinBrackets)
        : message;
  }

  private static String withoutOperators(String message, boolean withinBrackets) {
    Matcher matcher = EXPECTED.matcher(message);
    if (!message.startsWith("mismatched") || !matcher.find()) {
      return message;
    }
    List<String> expected = new ArrayList<>(List.of(matcher.group(1).split(", ", -1)));
    if (!expected.contains("'=='")) {
      return message;
    }
    expected.removeAll(OPERATORS);
    if (expected.contains("')'")) {
      expected.remove("','");
    }
    if (!withinBrackets && CLOSING.containsAll(expected)) { // which only open ones wait for
      expected = List.of("<EOF>");
    }
    return message.substring(0, matcher.start())
        + " expecting "
        + (expected.size() == 1 ? expected.get(0) : "{" + String.join(", ", expected) + "}");
  }
}
