package io.dra4j.cel.internal.text;

/**
 * Finds a text in others, from either end, in time linear in both of them (Knuth, Morris and
 * Pratt). {@link String#indexOf(String)} takes the product of their lengths for texts that an
 * author has chosen for that, half a minute where Go takes a millisecond.
 */
public final class TextSearch {

  /** Up to this length the product does not matter, and the JVM has instructions for it. */
  private static final int SHORT = 32;

  private final String part;
  private final boolean backwards;
  private final int[] borders; // of each prefix, seen from the end where the search begins

  private TextSearch(String part, boolean backwards) {
    this.part = part;
    this.backwards = backwards;
    this.borders = part.length() <= SHORT ? new int[0] : borders();
  }

  /** Returns the search for the first occurrence of a text. */
  public static TextSearch forwards(String part) {
    return new TextSearch(part, false);
  }

  /** Returns the search for the last occurrence of a text. */
  public static TextSearch backwards(String part) {
    return new TextSearch(part, true);
  }

  private int[] borders() {
    int[] lengths = new int[part.length()];
    int length = 0;
    for (int i = 1; i < lengths.length; i++) {
      while (length > 0 && at(part, i) != at(part, length)) {
        length = lengths[length - 1];
      }
      if (at(part, i) == at(part, length)) {
        length++;
      }
      lengths[i] = length;
    }
    return lengths;
  }

  private char at(String text, int distance) {
    return text.charAt(backwards ? text.length() - 1 - distance : distance);
  }

  /**
   * {@return where the text begins from a position on, or −1, as {@link String#indexOf(String,
   * int)} and {@link String#lastIndexOf(String, int)}}
   *
   * @param from the first position at which the text may begin, seen from where the search begins
   */
  public int in(String text, int from) {
    if (borders.length == 0) {
      return backwards ? text.lastIndexOf(part, from) : text.indexOf(part, from);
    }
    // An occurrence that begins at most at "from" ends at most there and its length further on.
    long end = backwards ? Math.max(0, (long) text.length() - part.length() - from) : from;
    int matched = 0;
    for (int i = (int) Math.min(end, text.length()); i < text.length(); i++) {
      while (matched > 0 && at(text, i) != at(part, matched)) {
        matched = borders[matched - 1];
      }
      if (at(text, i) == at(part, matched)) {
        matched++;
      }
      if (matched == part.length()) {
        return backwards ? text.length() - 1 - i : i + 1 - matched;
      }
    }
    return -1;
  }
}
