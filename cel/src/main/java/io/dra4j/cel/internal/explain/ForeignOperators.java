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
 * Finds operators and functions of other languages in an expression that is not valid CEL, such as
 * {@code and}, {@code =} and {@code toLower()}, and amounts such as {@code 40Gi}. Replaces them by
 * the operators and functions of CEL.
 */
final class ForeignOperators {

  /**
   * The tokens of an expression: strings first, which contain no operators. Repetitions of
   * alternatives are possessive: others would need stack for each character.
   */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)[bBrR]{0,2}(?:\"\"\".*?\"\"\"|'''.*?''')"
              + "|[rR][bB]?(?:\"[^\"]*\"|'[^']*')|[bB][rR](?:\"[^\"]*\"|'[^']*')"
              + "|[bB]?(?:\"(?:\\\\.|[^\"\\\\])*+\"|'(?:\\\\.|[^'\\\\])*+')"
              + "|`[^`]*`|(?://|#)[^\\n]*|[0-9]+(?:[.][0-9]+)?(?:[kMGTPE]i|[kMGTP])B?\\b|[A-Za-z_][A-Za-z0-9_]*"
              + "|===|!==|==|=~|!=|<=|>=|<>|=<|=>|=!(?=\\s)|=|&&|\\|\\||&|\\||\\s+|.");

  /** The maximum length for the API server, in bytes. */
  private static final int MAX_LENGTH = 10 * 1024;

  private static final Map<String, String> WORDS =
      Map.of(
          "and", "&&", "or", "||", "is", "==", "in", "in", "true", "true", "false", "false", "none",
          "null");

  /** Functions of other languages, in lower case; functions of CEL also follow a dot. */
  private static final Map<String, String> FUNCTIONS =
      Map.ofEntries(
          Map.entry("startswith", "startsWith"),
          Map.entry("hasprefix", "startsWith"),
          Map.entry("endswith", "endsWith"),
          Map.entry("hassuffix", "endsWith"),
          Map.entry("includes", "contains"),
          Map.entry("lower", "lowerAscii"),
          Map.entry("tolower", "lowerAscii"),
          Map.entry("tolowercase", "lowerAscii"),
          Map.entry("upper", "upperAscii"),
          Map.entry("toupper", "upperAscii"),
          Map.entry("touppercase", "upperAscii"),
          Map.entry("len", "size"),
          Map.entry("length", "size"),
          Map.entry("match", "matches"),
          Map.entry("isgreater", "isGreaterThan"),
          Map.entry("isless", "isLessThan"));

  private static final Pattern TEXT = Pattern.compile("(?s)[rR]?(?:\"[^\"]*\"|'[^']*')");

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

  /** The depths of the brackets that each {@code not} opened. */
  private final Deque<Integer> negations = new ArrayDeque<>();

  /** The beginning of the last operand of a depth. */
  private final Deque<Integer> operands = new ArrayDeque<>(List.of(0));

  private ForeignOperators() {}

  /**
   * An expression rewritten in CEL.
   *
   * @param text the expression
   * @param replaced the operators that were replaced, with those of CEL
   */
  record Written(String text, Map<String, String> replaced) {

    /** Returns the advice: {@code CEL writes && for and: write …}. */
    String hint() {
      return "CEL writes " + signs() + ": write " + text;
    }

    /** Returns the operators of CEL: {@code && for and, == for =}. */
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
    boolean isMember = false; // after a dot a word is a name
    Matcher token = TOKEN.matcher(expression);
    while (token.find()) {
      String word = token.group();
      int next = blanksBehind(expression, token.end());
      boolean isCall = next < expression.length() && expression.charAt(next) == '(';
      String sign = signOf(word, isMember, isCall);
      boolean isEnd =
          sign.equals("&&") || sign.equals("||") || (word.length() == 1 && ")],?:}".contains(word));
      if (isEnd) {
        endOperand(word);
      }
      if (!isMember && word.toLowerCase(Locale.ROOT).equals("not")) {
        negate(word, expression, next);
        token.region(next, expression.length());
        continue;
      }
      Matcher behind = TEXT.matcher(expression).region(next, expression.length());
      if (word.equals("=~") && behind.lookingAt()) {
        match(word, behind.group());
        token.region(behind.end(), expression.length());
        continue;
      }
      write(word, sign);
      beginOperand(word, isEnd);
      isMember = word.isBlank() ? isMember : word.equals(".");
    }
    negations.forEach(open -> close());
  }

  /** Closes the negations before the end of an operand. */
  private void endOperand(String word) {
    while (!negations.isEmpty() && negations.peek() == operands.size()) {
      negations.pop();
      close();
    }
    if (isClosing(word) && operands.size() > 1) {
      operands.pop();
    }
  }

  private static boolean isClosing(String word) {
    return word.length() == 1 && ")]}".contains(word);
  }

  /**
   * Opens the bracket of a negation. In other languages {@code not} applies to the whole
   * comparison, in CEL ! applies to the next operand; {@code a not in b} is the negation of {@code
   * a in b}.
   */
  private void negate(String word, String expression, int next) {
    int operand = operands.getFirst();
    boolean isIn = expression.regionMatches(true, next, "in", 0, 2);
    if (isIn && !text.substring(operand).isBlank()) {
      int from = operand;
      while (Character.isWhitespace(text.charAt(from))) {
        from++;
      }
      text.insert(from, "!(");
      replaced.put("not in", "!(... in ...)");
    } else {
      text.append("!(");
      replaced.put(word, "!");
    }
    negations.push(operands.size());
  }

  private void match(String operator, String pattern) {
    replaced.put(operator, "matches()");
    text.setLength(text.toString().stripTrailing().length());
    text.append(".matches(").append(pattern).append(')');
  }

  private void write(String word, String sign) {
    if (word.startsWith("#")) {
      replaced.put("#", "//");
      text.append("//").append(word, 1, word.length());
      return;
    }
    if (!sign.equals(word)) {
      replaced.put(word, sign);
    }
    text.append(sign);
  }

  private void beginOperand(String word, boolean isEnd) {
    if (word.length() == 1 && "([{".contains(word)) {
      operands.push(text.length());
    } else if (isEnd && !isClosing(word)) {
      operands.pop();
      operands.push(text.length());
    }
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

  private static String signOf(String word, boolean isMember, boolean isCall) {
    String function = FUNCTIONS.get(word.toLowerCase(Locale.ROOT));
    if (isCall && function != null) {
      return function;
    } else if (isMember) {
      return word;
    }
    if (word.length() > 1 && word.charAt(0) >= '0' && word.charAt(0) <= '9') {
      // An amount is not a number in CEL, and B is not part of a quantity.
      return "quantity(\"" + word.replace("B", "") + "\")";
    }
    return SIGNS.getOrDefault(word, WORDS.getOrDefault(word.toLowerCase(Locale.ROOT), word));
  }
}
