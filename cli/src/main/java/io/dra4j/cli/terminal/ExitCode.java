package io.dra4j.cli.terminal;

/** How the command ends. Where several fit, the first in this order is meant. */
public enum ExitCode {
  /** The program is broken or has not enough memory: {@code EX_SOFTWARE} of sysexits.h. */
  CRASHED(70),
  /** The answer could not be written: {@code EX_IOERR} of sysexits.h. */
  LOST(74),
  /** Wrong options, or input that cannot be read or answered. */
  BAD_INPUT(2),
  /** A selector, class or slice broke the allocation. */
  REJECTED(3),
  /** The deadline passed before the answer was known, or a policy could not decide it. */
  UNDECIDED(4),
  /** A claim does not fit. */
  DOES_NOT_FIT(1),
  /** Everything is fine. */
  OK(0);

  private final int value;

  ExitCode(int value) {
    this.value = value;
  }

  public int value() {
    return value;
  }

  /** The more important of two. */
  public ExitCode or(ExitCode other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
