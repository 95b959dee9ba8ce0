package io.dra4j.linux;

import java.io.IOException;
import java.io.Serial;

/** Thrown if the kernel refuses a system call. */
public final class LinuxException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  /** The error number. */
  private final int errno;

  /**
   * Creates an exception.
   *
   * @param operation the operation, for example {@code open /run/netns/blue}
   * @param errno the error number, positive
   */
  public LinuxException(String operation, int errno) {
    super(operation + ": " + Errno.nameOf(errno));
    this.errno = errno;
  }

  /** Creates an exception with advice on what to do. */
  LinuxException(String operation, int errno, String advice) {
    super(operation + ": " + Errno.nameOf(errno) + ": " + advice);
    this.errno = errno;
  }

  /**
   * {@return the result of a call, if it did not fail}
   *
   * @param result the result of a method of {@link NativeAccess}
   * @param operation the operation, in words
   * @throws LinuxException if the result is negative
   */
  public static int check(int result, String operation) throws LinuxException {
    if (result < 0) {
      throw new LinuxException(operation, -result);
    }
    return result;
  }

  /** {@return the reason for the failure: an error number, positive; see {@link Errno#of}} */
  public int errno() {
    return errno;
  }

  /**
   * {@return whether the kernel failed with an error, so that {@link #errno} is its number}
   *
   * @param error the error, for example {@link Errno#ENOENT}
   */
  public boolean is(Errno error) {
    return errno == error.code();
  }
}
