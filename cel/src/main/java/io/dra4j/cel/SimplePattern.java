package io.dra4j.cel;

import org.jspecify.annotations.Nullable;

/**
 * A regular expression without groups and alternatives, of ASCII characters: most of those that
 * selectors hold against a short text. A text is searched in one pass, with one bit for each place
 * in the pattern where a match may have come to.
 */
final class SimplePattern {

  private static final int MAX_ITEMS = 62;
  private static final int ASCII = 128;
  private static final String DIGITS = "0123456789";
  private static final String WORD =
      DIGITS + "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String SPACE = "\t\n\f\r ";

  /** What cannot stand for itself. */
  private static final String SPECIAL = "\\.+*?()|[]{}^$";

  /** For each character the items that it may be. */
  private final long[] items = new long[ASCII];

  /** The items that characters beyond ASCII may be. */
  private long others;

  private long repeated;
  private long skippable;
  private int size;
  private boolean fromStart;
  private boolean toEnd;

  private final String source;
  private int position;

  private SimplePattern(String source) {
    this.source = source;
  }

  /** Reads a valid pattern of RE2, or returns null if it is not simple. */
  static @Nullable SimplePattern of(String pattern) {
    SimplePattern simple = new SimplePattern(pattern);
    return simple.read() ? simple : null;
  }

  /** Whether the pattern matches some part of a text. */
  boolean isFoundIn(String text) {
    long end = 1L << size;
    long start = closed(1);
    long places = start;
    for (int i = 0; i < text.length(); i++) {
      if ((places & end) != 0 && !toEnd) {
        return true;
      }
      char c = text.charAt(i);
      if (Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(text.charAt(i - 1))) {
        continue; // the second half of a character
      }
      long taken = places & (c < ASCII ? items[c] : others);
      places = closed(((taken & ~repeated) << 1) | (taken & repeated));
      if (!fromStart) {
        places |= start;
      } else if (places == 0) {
        return false;
      }
    }
    return (places & end) != 0;
  }

  /** Adds the places behind what can be left out. */
  private long closed(long places) {
    long all = places;
    long added = ((all & skippable) << 1) & ~all;
    while (added != 0) {
      all |= added;
      added = ((all & skippable) << 1) & ~all;
    }
    return all;
  }

  private boolean read() {
    if (source.startsWith("^")) {
      fromStart = true;
      position = 1;
    }
    while (position < source.length()) {
      if (source.charAt(position) == '$' && position == source.length() - 1) {
        toEnd = true;
        return true;
      } else if (size >= MAX_ITEMS - 1 || !readItem()) {
        return false;
      }
    }
    return true;
  }

  private boolean readItem() {
    int item = size++;
    char c = source.charAt(position++);
    boolean known =
        switch (c) {
          case '.' -> addAllBut("\n", item);
          case '[' -> readClass(item);
          case '\\' -> readEscape(item);
          default -> c < ASCII && SPECIAL.indexOf(c) < 0 && add(String.valueOf(c), item);
        };
    return known && readQuantifier(item);
  }

  private boolean readQuantifier(int item) {
    char quantifier = position < source.length() ? source.charAt(position) : ' ';
    if (quantifier == '{') {
      return false;
    } else if ("*+?".indexOf(quantifier) < 0) {
      return true;
    }
    position++;
    if (position < source.length() && "*+?{".indexOf(source.charAt(position)) >= 0) {
      return false;
    }
    if (quantifier == '+') { // once, and then any number
      int again = size++;
      copy(item, again);
      repeated |= 1L << again;
      skippable |= 1L << again;
    } else {
      skippable |= 1L << item;
      repeated |= quantifier == '*' ? 1L << item : 0;
    }
    return true;
  }

  private boolean readEscape(int item) {
    String meant = readEscaped();
    return meant != null && add(meant, item);
  }

  /** The characters that an escape stands for, or null if it is not simple. */
  private @Nullable String readEscaped() {
    if (position >= source.length()) {
      return null;
    }
    char c = source.charAt(position++);
    return switch (c) {
      case 'd' -> DIGITS;
      case 'w' -> WORD;
      case 's' -> SPACE;
      default -> c > ' ' && c < ASCII - 1 && WORD.indexOf(c) < 0 ? String.valueOf(c) : null;
    };
  }

  private boolean readClass(int item) {
    StringBuilder members = new StringBuilder();
    boolean negated = source.startsWith("^", position);
    position += negated ? 1 : 0;
    boolean first = true;
    while (position < source.length() && (first || source.charAt(position) != ']')) {
      char c = source.charAt(position++);
      if (c >= ASCII || c == '[' || c == '-' || (c == ']' && first)) {
        return false;
      } else if (c == '\\') {
        String meant = readEscaped();
        if (meant == null || source.startsWith("-", position)) {
          return false;
        }
        members.append(meant);
      } else if (!readRange(c, members)) {
        return false;
      }
      first = false;
    }
    position++;
    return position <= source.length()
        && (negated ? addAllBut(members.toString(), item) : add(members.toString(), item));
  }

  private boolean readRange(char from, StringBuilder members) {
    if (!source.startsWith("-", position)) {
      members.append(from);
      return true;
    }
    char to = position + 1 < source.length() ? source.charAt(position + 1) : ']';
    if (to >= ASCII || to == ']' || to == '[' || to == '\\' || to < from) {
      return false;
    }
    for (char c = from; c <= to; c++) {
      members.append(c);
    }
    position += 2;
    return true;
  }

  private boolean add(String characters, int item) {
    for (int i = 0; i < characters.length(); i++) {
      items[characters.charAt(i)] |= 1L << item;
    }
    return true;
  }

  private boolean addAllBut(String characters, int item) {
    for (char c = 0; c < ASCII; c++) {
      if (characters.indexOf(c) < 0) {
        items[c] |= 1L << item;
      }
    }
    others |= 1L << item;
    return true;
  }

  private void copy(int item, int other) {
    for (int c = 0; c < ASCII; c++) {
      items[c] |= ((items[c] >>> item) & 1) << other;
    }
    others |= ((others >>> item) & 1) << other;
  }
}
