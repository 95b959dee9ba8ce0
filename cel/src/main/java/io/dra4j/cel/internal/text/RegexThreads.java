package io.dra4j.cel.internal.text;

import static io.dra4j.cel.internal.text.RegexProgram.OPERATION;
import static io.dra4j.cel.internal.text.RegexProgram.OPERATION_BITS;

import java.util.Arrays;

/** Places of a search in a program, each with the start of its match, the preferred ones first. */
final class RegexThreads {

  private final int[] code;
  private final long[] seen;
  private int[] places = new int[16];
  private int[] begins = new int[16];
  private int size;
  private int[] open = new int[16];

  RegexThreads(RegexProgram program) {
    this.code = program.code();
    this.seen = new long[(code.length + 63) / 64];
  }

  int size() {
    return size;
  }

  /** Returns the instruction of the i-th. */
  int instruction(int i) {
    return code[places[i]];
  }

  int place(int i) {
    return places[i];
  }

  int begin(int i) {
    return begins[i];
  }

  void clear() {
    size = 0;
    Arrays.fill(seen, 0);
  }

  /** Adds a place as it is. */
  void add(int place, int begin) {
    if (size == places.length) {
      places = Arrays.copyOf(places, 2 * size);
      begins = Arrays.copyOf(begins, 2 * size);
    }
    places[size] = place;
    begins[size++] = begin;
  }

  /**
   * Adds all places that take a character or end a match, and are reached from one without taking
   * any.
   *
   * @param before what stands before this place in the text
   * @param behind what stands behind it
   */
  void follow(int from, int begin, int before, int behind) {
    int opened = 0;
    open[opened++] = from;
    while (opened > 0) {
      int place = open[--opened];
      if ((seen[place >> 6] & 1L << place) != 0) {
        continue;
      }
      seen[place >> 6] |= 1L << place;
      if (opened + 2 > open.length) {
        open = Arrays.copyOf(open, 2 * open.length);
      }
      int instruction = code[place];
      int argument = instruction >> OPERATION_BITS;
      switch (instruction & OPERATION) {
        case RegexProgram.JUMP -> open[opened++] = argument;
        case RegexProgram.NEXT_OR_JUMP -> {
          open[opened++] = argument;
          open[opened++] = place + 1;
        }
        case RegexProgram.JUMP_OR_NEXT -> {
          open[opened++] = place + 1;
          open[opened++] = argument;
        }
        case RegexProgram.ASSERT -> {
          if (RegexProgram.holds(instruction, before, behind)) {
            open[opened++] = place + 1;
          }
        }
        default -> add(place, begin);
      }
    }
  }
}
