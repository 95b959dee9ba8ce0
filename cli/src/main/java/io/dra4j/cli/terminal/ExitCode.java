package io.dra4j.cli.terminal;

/** The exit codes of the command. If several apply, the first in this order counts. */
public enum ExitCode {
  /** The program has a bug or not enough memory: {@code EX_SOFTWARE} of sysexits.h. */
  CRASHED(70, "a bug of dra4j, or not enough memory"),
  /** The answer could not be written: {@code EX_IOERR} of sysexits.h. */
  LOST(74, "the answer could not be written"),
  /** Wrong options, or input that cannot be read or answered. */
  BAD_INPUT(2, "wrong options or input"),
  /** A selector, class or slice broke the allocation. */
  REJECTED(3, ""),
  /** The deadline passed before the answer was known, or a policy could not decide it. */
  UNDECIDED(4, ""),
  /** A claim does not fit. */
  DOES_NOT_FIT(1, ""),
  /** Everything is fine. */
  OK(0, "otherwise");

  /** The line of the help of commands that may end with {@link #REJECTED}. */
  public static final String HELP_REJECTED = "3:a selector, class or slice broke the allocation";

  /** The line of the help of commands that may end with {@link #UNDECIDED}. */
  public static final String HELP_UNDECIDED = "4:undecided, mostly because of a time limit";

  /** The line of the help of commands that may end with {@link #DOES_NOT_FIT}. */
  public static final String HELP_DOES_NOT_FIT = "1:a claim does not fit";

  private final int value;
  private final String meaning;

  ExitCode(int value, String meaning) {
    this.value = value;
    this.meaning = meaning;
  }

  public int value() {
    return value;
  }

  /** Returns what the code means for every command, empty if only some commands have it. */
  String meaning() {
    return meaning;
  }

  /** Returns the more important of two codes. */
  public ExitCode or(ExitCode other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
