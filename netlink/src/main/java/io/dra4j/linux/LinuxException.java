package io.dra4j.linux;

import java.io.IOException;
import java.io.Serial;

/** The kernel refused a system call. */
public final class LinuxException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  /** The error number. */
  private final int errno;

  /**
   * Makes an exception.
   *
   * @param operation what was asked for, for example {@code open /run/netns/blue}
   * @param errno the error number, positive
   */
  public LinuxException(String operation, int errno) {
    super(operation + ": " + Errno.nameOf(errno));
    this.errno = errno;
  }

  /** With what to do about it. */
  LinuxException(String operation, int errno, String advice) {
    super(operation + ": " + Errno.nameOf(errno) + ": " + advice);
    this.errno = errno;
  }

  /**
   * Throws if a call failed.
   *
   * @param result what a method of {@link NativeAccess} returned
   * @param operation what was asked for
   * @return the result
   * @throws LinuxException if it is negative
   */
  public static int check(int result, String operation) throws LinuxException {
    if (result < 0) {
      throw new LinuxException(operation, -result);
    }
    return result;
  }

  /**
   * Why.
   *
   * @return the error number, positive; see {@link Errno#of}
   */
  public int errno() {
    return errno;
  }

  /**
   * Returns whether the kernel failed with an error.
   *
   * @param error the error, for example {@link Errno#ENOENT}
   * @return whether {@link #errno} is its number
   */
  public boolean is(Errno error) {
    return errno == error.code();
  }
}
