package io.dra4j.cel;

import com.google.common.base.Splitter;

/**
 * How large the program of an RE2 pattern becomes, found out before one is made: {@code
 * ((a{1000}){1000}){1000}} would need a billion instructions. As in Go, counts of nested
 * repetitions multiply to at most 1,000.
 *
 * <p>Reads no more of the syntax than that takes; what is no pattern is for the compiler to say.
 */
final class RegexSize {

  private static final int MAX_REPEAT = 1_000;
  private static final int MAX_SIZE = 50_000;
  private static final int MAX_DEPTH = 200;

  private static final Splitter COMMA = Splitter.on(',').omitEmptyStrings();

  private final String pattern;
  private int position;

  private RegexSize(String pattern) {
    this.pattern = pattern;
  }

  /** Returns why a pattern is too large, or an empty text. */
  static String refusal(String pattern) {
    RegexSize reader = new RegexSize(pattern);
    while (reader.position < pattern.length()) {
      Part part = reader.sequence(0);
      if (part.repeat > MAX_REPEAT) {
        return "nested repetitions of more than " + MAX_REPEAT;
      } else if (part.size > MAX_SIZE) {
        return "the pattern is too large";
      }
      reader.position++; // a closing parenthesis without an opening one
    }
    return "";
  }

  /**
   * A part of a pattern.
   *
   * @param size about its number of instructions
   * @param repeat the largest product of nested repetitions
   */
  private record Part(long size, long repeat) {

    static final Part ONE = new Part(1, 1);
    static final Part TOO_LARGE = new Part(MAX_SIZE + 1, 1);

    Part plus(Part other) {
      return new Part(size + other.size, Math.max(repeat, other.repeat));
    }

    /** Stays above the limits once there, without overflow. */
    Part times(long count) {
      return new Part(
          Math.min(size * count, MAX_SIZE + 1L), Math.min(repeat * count, MAX_REPEAT + 1L));
    }
  }

  private Part sequence(int depth) {
    if (depth > MAX_DEPTH) {
      position = pattern.length();
      return Part.TOO_LARGE;
    }
    Part sum = new Part(0, 1);
    while (position < pattern.length() && pattern.charAt(position) != ')') {
      Part part = atom(depth);
      while (position < pattern.length() && pattern.charAt(position) == '{') {
        part = part.times(count());
      }
      sum = sum.plus(part);
    }
    return sum;
  }

  private Part atom(int depth) {
    char c = pattern.charAt(position++);
    if (c == '(') {
      Part part = sequence(depth + 1);
      position++;
      return part;
    } else if (c == '[') {
      skipClass();
    } else if (c == '\\') {
      skipEscape();
    }
    return Part.ONE;
  }

  /** Skips <code>{m,n}</code>, and returns the larger number, or 1 if it is not that. */
  private long count() {
    int end = pattern.indexOf('}', position);
    String inside = end < 0 ? "" : pattern.substring(position + 1, end);
    if (!inside.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
      position++;
      return 1;
    }
    position = end + 1;
    return COMMA.splitToStream(inside).mapToLong(Long::parseLong).reduce(1, Math::max);
  }

  private void skipClass() {
    position += pattern.startsWith("^", position) ? 2 : 1; // a first ] is no end
    while (position < pattern.length() && pattern.charAt(position) != ']') {
      position += pattern.charAt(position) == '\\' ? 2 : 1;
    }
    position++;
  }

  private void skipEscape() {
    char c = position < pattern.length() ? pattern.charAt(position++) : '\\';
    if (c == 'Q') {
      int end = pattern.indexOf("\\E", position);
      position = end < 0 ? pattern.length() : end + 2;
    } else if ((c == 'x' || c == 'p' || c == 'P') && pattern.startsWith("{", position)) {
      int end = pattern.indexOf('}', position);
      position = end < 0 ? pattern.length() : end + 1;
    }
  }
}
