package io.dra4j.cel.internal.explain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Operators of other languages in an expression that CEL cannot parse, such as {@code and} and
 * {@code =}, and amounts such as {@code 40Gi}, and the expression with those of CEL in their place.
 */
final class ForeignOperators {

  /** What stands in an expression: texts first, in which nothing is an operator. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)[bBrR]{0,2}(?:\"\"\".*?\"\"\"|'''.*?''')"
              + "|[rR][bB]?(?:\"[^\"]*\"|'[^']*')|[bB][rR](?:\"[^\"]*\"|'[^']*')"
              + "|[bB]?(?:\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*')"
              + "|`[^`]*`|//[^\\n]*|[0-9]+(?:[.][0-9]+)?(?:[kMGTPE]i|[kMGTP])B?\\b|[A-Za-z_][A-Za-z0-9_]*"
              + "|===|!==|==|!=|<=|>=|<>|=<|=>|=!(?=\\s)|=|&&|\\|\\||&|\\||\\s+|.");

  /** What the API server takes, in bytes. */
  private static final int MAX_LENGTH = 10 * 1024;

  private static final Map<String, String> WORDS =
      Map.of("and", "&&", "or", "||", "true", "true", "false", "false", "none", "null");

  private static final Map<String, String> SIGNS =
      Map.ofEntries(
          Map.entry("=", "=="),
          Map.entry("===", "=="),
          Map.entry("!==", "!="),
          Map.entry("<>", "!="),
          Map.entry("=!", "!="),
          Map.entry("≠", "!="),
          Map.entry("=<", "<="),
          Map.entry("≤", "<="),
          Map.entry("=>", ">="),
          Map.entry("≥", ">="),
          Map.entry("&", "&&"),
          Map.entry("|", "||"));

  private final StringBuilder text = new StringBuilder();
  private final Map<String, String> replaced = new LinkedHashMap<>();

  private ForeignOperators() {}

  /**
   * What is written in CEL.
   *
   * @param text the expression
   * @param replaced the operators that were replaced, with those of CEL
   */
  record Written(String text, Map<String, String> replaced) {

    /** Says what to write: {@code CEL writes && for and: write …}. */
    String hint() {
      return "CEL writes " + signs() + ": write " + text;
    }

    /** Says which operators CEL has: {@code && for and, == for =}. */
    String signs() {
      List<String> signs = new ArrayList<>();
      replaced.forEach((foreign, sign) -> signs.add(sign + " for " + foreign));
      return String.join(", ", signs);
    }
  }

  /** Returns the expression in CEL; empty if it has no operators of other languages. */
  static Optional<Written> in(String expression) {
    if (expression.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    ForeignOperators found = new ForeignOperators();
    found.rewrite(expression);
    return found.replaced.isEmpty()
        ? Optional.empty()
        : Optional.of(new Written(found.text.toString(), found.replaced));
  }

  private void rewrite(String expression) {
    Deque<Integer> negations = new ArrayDeque<>(); // depths of the brackets that each not opened
    int depth = 0;
    boolean isMember = false; // behind a dot a word is a name
    Matcher token = TOKEN.matcher(expression);
    while (token.find()) {
      String word = token.group();
      boolean isBlank = word.isBlank();
      String sign = isMember ? word : signOf(word);
      boolean isEnd =
          sign.equals("&&") || sign.equals("||") || (word.length() == 1 && ")],?:}".contains(word));
      while (isEnd && !negations.isEmpty() && negations.peek() == depth) {
        negations.pop();
        close();
      }
      if (word.length() == 1 && "([{".contains(word)) {
        depth++;
      } else if (word.length() == 1 && ")]}".contains(word)) {
        depth--;
      }
      if (!isMember && word.toLowerCase(Locale.ROOT).equals("not")) {
        // In other languages not takes the whole comparison, in CEL ! takes the next operand.
        replaced.put(word, "!");
        negations.push(depth);
        text.append("!(");
        token.region(blanksBehind(expression, token.end()), expression.length());
        continue;
      }
      if (!sign.equals(word)) {
        replaced.put(word, sign);
      }
      text.append(sign);
      isMember = isBlank ? isMember : word.equals(".");
    }
    negations.forEach(open -> close());
  }

  private static int blanksBehind(String expression, int from) {
    int end = from;
    while (end < expression.length() && Character.isWhitespace(expression.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Closes a bracket before the blanks at the end. */
  private void close() {
    int end = text.length();
    while (end > 0 && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    text.insert(end, ')');
  }

  private static String signOf(String word) {
    if (word.length() > 1 && word.charAt(0) >= '0' && word.charAt(0) <= '9') {
      // An amount is no number in CEL, and B no part of a quantity.
      return "quantity(\"" + word.replace("B", "") + "\")";
    }
    return SIGNS.getOrDefault(word, WORDS.getOrDefault(word.toLowerCase(Locale.ROOT), word));
  }
}
