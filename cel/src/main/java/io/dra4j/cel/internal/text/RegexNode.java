package io.dra4j.cel.internal.text;

import java.util.List;

/**
 * A part of a regular expression. Each knows how deep it is nested, how many instructions it
 * becomes, and how many copies its counted repetitions make of what is inside, because Go refuses
 * expressions by these.
 */
sealed interface RegexNode {

  /** What holds between two characters, or at an end of the text. */
  enum Assertion implements RegexNode {
    BEGIN_TEXT(0),
    END_TEXT(1),
    BEGIN_LINE(2),
    END_LINE(3),
    WORD_BOUNDARY(4),
    NO_WORD_BOUNDARY(5);

    private final int number;

    Assertion(int number) {
      this.number = number;
    }

    /** Its place in {@link #values}, which instructions have. */
    int number() {
      return number;
    }

    @Override
    public boolean isNullable() {
      return true;
    }
  }

  /** Nothing, which every text has everywhere. */
  enum Empty implements RegexNode {
    EMPTY;

    @Override
    public boolean isNullable() {
      return true;
    }
  }

  /**
   * One character of a set.
   *
   * @param set which
   * @param kind the written form; adjacent literals are one part to Go
   */
  record Chars(CharClass set, Kind kind) implements RegexNode {

    enum Kind {
      LITERAL,
      FOLDED_LITERAL,
      CLASS
    }

    @Override
    public boolean isNullable() {
      return false;
    }
  }

  /** Parts one after the other, at least two. */
  record Sequence(List<RegexNode> parts, int height, long size, long copies, boolean isNullable)
      implements RegexNode {

    static RegexNode of(List<RegexNode> parts) {
      if (parts.size() <= 1) {
        return parts.isEmpty() ? Empty.EMPTY : parts.get(0);
      }
      int height = 0;
      long size = 0;
      long copies = 1;
      boolean nullable = true;
      for (RegexNode part : parts) {
        height = Math.max(height, part.height());
        size += part.size();
        copies = Math.max(copies, part.copies());
        nullable &= part.isNullable();
      }
      return new Sequence(
          List.copyOf(parts), isText(parts) ? 1 : height + 1, size, copies, nullable);
    }

    private static boolean isText(List<RegexNode> parts) {
      Chars.Kind kind = parts.get(0) instanceof Chars first ? first.kind() : Chars.Kind.CLASS;
      return kind != Chars.Kind.CLASS
          && parts.stream().allMatch(part -> part instanceof Chars c && c.kind() == kind);
    }
  }

  /** One of several parts, the earlier ones preferred; at least two. */
  record Alternation(List<RegexNode> parts, int height, long size, long copies, boolean isNullable)
      implements RegexNode {

    static RegexNode of(List<RegexNode> parts) {
      if (parts.size() == 1) {
        return parts.get(0);
      }
      int height = 0;
      long size = parts.size() - 1L;
      long copies = 1;
      boolean nullable = false;
      for (RegexNode part : parts) {
        height = Math.max(height, part.height());
        size += part.size();
        copies = Math.max(copies, part.copies());
        nullable |= part.isNullable();
      }
      return new Alternation(List.copyOf(parts), height + 1, size, copies, nullable);
    }
  }

  /** A part in parentheses that could be asked for, which is not done here. */
  record Group(RegexNode part, int height, long size) implements RegexNode {

    static Group of(RegexNode part) {
      return new Group(part, part.height() + 1, part.size() + 2);
    }

    @Override
    public long copies() {
      return part.copies();
    }

    @Override
    public boolean isNullable() {
      return part.isNullable();
    }
  }

  /**
   * A part some times.
   *
   * @param max how often at most, or {@link #UNLIMITED}
   * @param greedy whether more is better
   */
  record Repetition(
      RegexNode part, int min, int max, boolean greedy, int height, long size, long copies)
      implements RegexNode {

    static final int UNLIMITED = -1;

    /** Makes a repetition, {@code counted} if it is written with numbers. */
    static Repetition of(RegexNode part, int min, int max, boolean greedy, boolean counted) {
      long size;
      if (max == UNLIMITED) {
        size = min == 0 ? part.size() + 2 : min * part.size() + 1;
      } else {
        size = max * part.size() + max - min;
      }
      long factor = !counted ? 1 : max == UNLIMITED ? Math.max(min, 1) : Math.max(max, 1);
      return new Repetition(
          part,
          min,
          max,
          greedy,
          part.height() + 1,
          Math.max(size, 1),
          counted && max == 0 ? 1 : factor * part.copies());
    }

    @Override
    public boolean isNullable() {
      return min == 0 || part.isNullable();
    }
  }

  /** How deep it is nested, from 1 on. */
  default int height() {
    return 1;
  }

  /** How many instructions it becomes, at least 1. */
  default long size() {
    return 1;
  }

  /** How many copies its counted repetitions make of what is innermost. */
  default long copies() {
    return 1;
  }

  /** Returns whether it may match nothing. */
  boolean isNullable();
}
