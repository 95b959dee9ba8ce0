package io.dra4j.cel.internal.text;

import io.dra4j.cel.internal.text.RegexNode.Alternation;
import io.dra4j.cel.internal.text.RegexNode.Assertion;
import io.dra4j.cel.internal.text.RegexNode.Chars;
import io.dra4j.cel.internal.text.RegexNode.Empty;
import io.dra4j.cel.internal.text.RegexNode.Group;
import io.dra4j.cel.internal.text.RegexNode.Repetition;
import io.dra4j.cel.internal.text.RegexNode.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The instructions that an expression becomes, after Thompson (Regular Expression Search Algorithm,
 * CACM 11(6), 1968). One is an operation in the low bits and its argument above; the next one
 * follows it, if nothing else is said.
 */
final class RegexProgram {

  /** Takes a character of the class of this number. */
  static final int CHAR = 0;

  /** Goes on at the argument. */
  static final int JUMP = 1;

  /** Goes on with the next instruction, or at the argument. */
  static final int NEXT_OR_JUMP = 2;

  /** Goes on at the argument, or with the next instruction. */
  static final int JUMP_OR_NEXT = 3;

  /** Goes on if the assertion of this number holds. */
  static final int ASSERT = 4;

  /** Ends a match. */
  static final int MATCH = 5;

  static final int OPERATION_BITS = 3;
  static final int OPERATION = (1 << OPERATION_BITS) - 1;

  // ---- The characters beside a place in the text, for assertions ----

  static final int EDGE = 0;
  static final int NEWLINE = 1;
  static final int WORD = 2;
  static final int OTHER = 3;

  private static final Assertion[] ASSERTIONS = Assertion.values();

  private final int[] code;
  private final CharClass[] classes;
  private final boolean asserts;
  private final boolean anchored;

  private RegexProgram(int[] code, CharClass[] classes, boolean asserts) {
    this.code = code;
    this.classes = classes;
    this.asserts = asserts;
    this.anchored =
        (code[0] & OPERATION) == ASSERT
            && code[0] >> OPERATION_BITS == Assertion.BEGIN_TEXT.number();
  }

  static RegexProgram of(RegexNode expression, TimeCheck check) {
    Writer writer = new Writer(check);
    writer.write(expression);
    writer.add(MATCH, 0);
    return new RegexProgram(
        Arrays.copyOf(writer.code, writer.size),
        writer.classes.toArray(new CharClass[0]),
        writer.asserts);
  }

  int[] code() {
    return code;
  }

  CharClass[] classes() {
    return classes;
  }

  /** Returns whether an assertion reads the characters beside a place. */
  boolean asserts() {
    return asserts;
  }

  /** Returns whether it can begin at the beginning of the text only. */
  boolean isAnchored() {
    return anchored;
  }

  boolean takes(int instruction, int c) {
    return classes[instruction >> OPERATION_BITS].contains(c);
  }

  /** What a character is to assertions; less than 0 is an end of the text. */
  static int kind(int c) {
    if (c < 0) {
      return EDGE;
    }
    return c == '\n' ? NEWLINE : CharClass.WORD.contains(c) ? WORD : OTHER;
  }

  /** Returns whether an assertion holds between what comes before and behind a place. */
  static boolean holds(int instruction, int before, int behind) {
    return switch (ASSERTIONS[instruction >> OPERATION_BITS]) {
      case BEGIN_TEXT -> before == EDGE;
      case END_TEXT -> behind == EDGE;
      case BEGIN_LINE -> before == EDGE || before == NEWLINE;
      case END_LINE -> behind == EDGE || behind == NEWLINE;
      case WORD_BOUNDARY -> (before == WORD) != (behind == WORD);
      case NO_WORD_BOUNDARY -> (before == WORD) == (behind == WORD);
    };
  }

  /** Writes instructions one behind the other. */
  private static final class Writer {

    private final TimeCheck check;
    private final Map<CharClass, Integer> numbers = new HashMap<>();
    private final List<CharClass> classes = new ArrayList<>();
    private int[] code = new int[16];
    private int size;
    private boolean asserts;

    Writer(TimeCheck check) {
      this.check = check;
    }

    void write(RegexNode node) {
      if (node instanceof Chars chars) {
        add(CHAR, numbers.computeIfAbsent(chars.set(), this::number));
      } else if (node instanceof Assertion assertion) {
        asserts = true;
        add(ASSERT, assertion.number());
      } else if (node instanceof Group group) {
        write(group.part());
      } else if (node instanceof Sequence sequence) {
        sequence.parts().forEach(this::write);
      } else if (node instanceof Alternation alternation) {
        write(alternation.parts());
      } else if (node instanceof Repetition repetition && !(repetition.part() instanceof Empty)) {
        write(repetition);
      }
    }

    private int number(CharClass set) {
      classes.add(set);
      return classes.size() - 1;
    }

    private void write(List<RegexNode> alternatives) {
      List<Integer> ends = new ArrayList<>();
      int last = alternatives.size() - 1;
      for (int i = 0; i < last; i++) {
        int choice = add(NEXT_OR_JUMP, 0);
        write(alternatives.get(i));
        ends.add(add(JUMP, 0));
        aim(choice);
      }
      write(alternatives.get(last));
      ends.forEach(this::aim);
    }

    /**
     * As Go does: x{2,} is xx+, x{2,4} is xx(x(x)?)?, and x* is (x+)?, which prefers the same
     * matches where x may match nothing.
     */
    private void write(Repetition repetition) {
      RegexNode part = repetition.part();
      int choice = repetition.greedy() ? NEXT_OR_JUMP : JUMP_OR_NEXT;
      int max = repetition.max();
      int certain = max == Repetition.UNLIMITED ? repetition.min() - 1 : repetition.min();
      for (int i = 0; i < certain; i++) {
        write(part);
      }
      List<Integer> ends = new ArrayList<>();
      if (max != Repetition.UNLIMITED) {
        for (int i = certain; i < max; i++) {
          ends.add(add(choice, 0));
          write(part);
        }
      } else {
        if (repetition.min() == 0) {
          ends.add(add(choice, 0));
        }
        int loop = size;
        write(part);
        add(repetition.greedy() ? JUMP_OR_NEXT : NEXT_OR_JUMP, loop);
      }
      ends.forEach(this::aim);
    }

    /** Adds an instruction, and returns its place. */
    int add(int operation, int argument) {
      if (size == code.length) {
        code = Arrays.copyOf(code, 2 * size);
      }
      code[size] = (argument << OPERATION_BITS) | operation;
      if (size > 0 && size % TimeCheck.STEPS_PER_LOOK == 0) {
        check.look();
      }
      return size++;
    }

    /** Lets a jump lead behind what has been written. */
    private void aim(int place) {
      code[place] = (code[place] & OPERATION) | (size << OPERATION_BITS);
    }
  }
}
