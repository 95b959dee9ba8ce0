package io.dra4j.cel.internal.text;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of characters (code points).
 *
 * <p>Immutable: sorted ranges that neither overlap nor touch, first and last character of each.
 */
final class CharClass implements Comparable<CharClass> {

  static final int MAX_CHAR = Character.MAX_CODE_POINT;

  static final CharClass ANY = range(0, MAX_CHAR);
  static final CharClass NEWLINE = range('\n', '\n');
  static final CharClass NOT_NEWLINE = NEWLINE.negated();
  static final CharClass DIGIT = range('0', '9');
  static final CharClass SPACE = of('\t', '\n', '\f', '\r', ' ', ' ');
  static final CharClass WORD = of('0', '9', 'A', 'Z', '_', '_', 'a', 'z');

  private final int[] ranges;
  private int hash; // 0 until asked for
  private @Nullable Folded folded; // null until asked for

  private record Folded(Unicode unicode, CharClass set) {}

  private CharClass(int[] ranges) {
    this.ranges = ranges;
  }

  static CharClass range(int first, int last) {
    return new CharClass(new int[] {first, last});
  }

  /**
   * Returns the class of these ranges, each given by its first and last character, in any order.
   */
  static CharClass of(int... ranges) {
    Builder builder = new Builder();
    for (int i = 0; i < ranges.length; i += 2) {
      builder.add(ranges[i], ranges[i + 1]);
    }
    return builder.build();
  }

  /** The first characters of ranges at even places, the last ones at odd places. Not to change. */
  int[] ranges() {
    return ranges;
  }

  /** Returns whether it has exactly one character. */
  boolean isSingle() {
    return ranges.length == 2 && ranges[0] == ranges[1];
  }

  /** How many characters it has. */
  int size() {
    int size = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      size += ranges[i + 1] - ranges[i] + 1;
    }
    return size;
  }

  int first() {
    return ranges[0];
  }

  boolean contains(int c) {
    int low = 0;
    int high = ranges.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges[2 * middle + 1] < c) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * low < ranges.length && ranges[2 * low] <= c;
  }

  CharClass negated() {
    Builder builder = new Builder();
    int next = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      if (next < ranges[i]) {
        builder.add(next, ranges[i] - 1);
      }
      next = ranges[i + 1] + 1;
    }
    if (next <= MAX_CHAR) {
      builder.add(next, MAX_CHAR);
    }
    return builder.build();
  }

  /** This and all characters that are equal to one of it but for their case. */
  CharClass folded(Unicode unicode) {
    Folded known = folded;
    if (known == null || known.unicode() != unicode) {
      known = new Folded(unicode, unicode.folded(this));
      folded = known;
    }
    return known.set();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CharClass set && Arrays.equals(ranges, set.ranges);
  }

  @Override
  public int hashCode() {
    int known = hash;
    if (known == 0) {
      known = Arrays.hashCode(ranges);
      hash = known; // a repetition asks for that of its class a thousand times
    }
    return known;
  }

  /** {@inheritDoc} By their ranges: an expression may have many with one hash. */
  @Override
  public int compareTo(CharClass other) {
    return Arrays.compare(ranges, other.ranges);
  }

  /** Collects ranges in any order. */
  static final class Builder {

    private int[] ranges = new int[8];
    private int size;

    Builder add(int first, int last) {
      if (size > 0 && first >= ranges[size - 2] && first <= ranges[size - 1] + 1) {
        ranges[size - 1] = Math.max(ranges[size - 1], last);
        return this;
      }
      if (size == ranges.length) {
        merge(); // many ranges are often the same ones again
        ranges = Arrays.copyOf(ranges, Math.max(2 * size, 8));
      }
      ranges[size++] = first;
      ranges[size++] = last;
      return this;
    }

    Builder add(CharClass set) {
      for (int i = 0; i < set.ranges.length; i += 2) {
        add(set.ranges[i], set.ranges[i + 1]);
      }
      return this;
    }

    CharClass build() {
      merge();
      return new CharClass(Arrays.copyOf(ranges, size));
    }

    private void merge() {
      long[] sorted = new long[size / 2];
      for (int i = 0; i < sorted.length; i++) {
        sorted[i] = ((long) ranges[2 * i] << 32) | ranges[2 * i + 1];
      }
      Arrays.sort(sorted);
      size = 0;
      for (long range : sorted) {
        int first = (int) (range >> 32);
        int last = (int) range;
        if (size > 0 && first <= ranges[size - 1] + 1) {
          ranges[size - 1] = Math.max(ranges[size - 1], last);
        } else {
          ranges[size++] = first;
          ranges[size++] = last;
        }
      }
    }
  }
}
