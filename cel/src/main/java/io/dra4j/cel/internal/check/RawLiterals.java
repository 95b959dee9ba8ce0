package io.dra4j.cel.internal.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes the raw string literals of an expression with escapes. The parser of cel-java takes the
 * last backslash of {@code r"\"} for an escape of the quote behind it, and refuses the literal.
 */
final class RawLiterals {

  /** The message of the parser in this case. */
  static final String REFUSAL = "String literal contains unescaped terminating quote";

  private static final Set<String> RAW = Set.of("r", "R", "br", "bR", "Br", "BR");

  private final String text;
  private final StringBuilder result = new StringBuilder();

  /** For each character of the result, its origin in the expression. */
  private final List<Integer> origins = new ArrayList<>();

  private int position;

  private RawLiterals(String text) {
    this.text = text;
  }

  /** Returns an expression as it is. */
  static RawLiterals unchanged(String expression) {
    RawLiterals literals = new RawLiterals(expression);
    literals.copyTo(expression.length());
    return literals;
  }

  /** Returns an expression without raw literals. */
  static RawLiterals escaped(String expression) {
    RawLiterals literals = new RawLiterals(expression);
    while (literals.position < expression.length()) {
      literals.token();
    }
    return literals;
  }

  /** Returns the expression without raw literals. */
  String result() {
    return result.toString();
  }

  /** {@return the offset in the expression for an offset in the result, both in code points} */
  int original(int offset) {
    int index =
        result.offsetByCodePoints(0, Math.min(offset, result.codePointCount(0, result.length())));
    int origin = index < origins.size() ? origins.get(index) : text.length();
    return text.codePointCount(0, origin);
  }

  private void token() {
    char c = text.charAt(position);
    if (text.startsWith("//", position)) {
      int end = text.indexOf('\n', position);
      copyTo(end < 0 ? text.length() : end);
    } else if (c == '`') {
      copyTo(endAfter("`", position + 1));
    } else if (c == '"' || c == '\'') {
      literal(false);
    } else if (isPartOfName(c)) {
      word();
    } else {
      copyTo(position + 1);
    }
  }

  /** A name, a number, or what stands before a literal. */
  private void word() {
    int end = position;
    while (end < text.length() && isPartOfName(text.charAt(end))) {
      end++;
    }
    String word = text.substring(position, end);
    boolean quote = end < text.length() && "\"'".indexOf(text.charAt(end)) >= 0;
    if (quote && RAW.contains(word)) {
      copyTo(end - 1);
      position = end;
      int first = origins.size();
      literal(true);
      origins.set(first, end - 1); // where the r is
    } else {
      copyTo(end);
    }
  }

  private void literal(boolean raw) {
    String quote = text.substring(position, position + 1);
    if (text.startsWith(quote.repeat(3), position)) {
      quote = quote.repeat(3);
    }
    int content = position + quote.length();
    int end = raw ? endAfter(quote, content) : endAfterEscapes(quote, content);
    if (raw) {
      while (position < end) {
        if (text.charAt(position) == '\\') {
          result.append('\\');
          origins.add(position);
        }
        copyTo(position + 1);
      }
    } else {
      copyTo(end);
    }
  }

  private int endAfter(String quote, int from) {
    int end = text.indexOf(quote, from);
    return end < 0 ? text.length() : end + quote.length();
  }

  private int endAfterEscapes(String quote, int from) {
    int end = from;
    while (end < text.length() && !text.startsWith(quote, end)) {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(text.length(), end + quote.length());
  }

  private void copyTo(int end) {
    while (position < end) {
      result.append(text.charAt(position));
      origins.add(position++);
    }
  }

  private static boolean isPartOfName(char c) {
    return c == '_' || (c < 0x80 && Character.isLetterOrDigit(c));
  }
}
