package io.dra4j.netlink;

import io.dra4j.linux.Errno;
import java.io.IOException;
import java.io.Serial;

/** A {@link Transport} failed. */
public final class TransportException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  /** The error number. */
  private final int errno;

  /**
   * Makes an exception.
   *
   * @param action what failed, for example {@code receive}
   * @param errno the error number, positive
   */
  public TransportException(String action, int errno) {
    super(action + ": " + Errno.nameOf(errno));
    this.errno = errno;
  }

  /**
   * Why: {@link Errno#ETIMEDOUT} nothing came in time, {@link Errno#EINTR} the thread was
   * interrupted while it waited, {@link Errno#ENOBUFS} messages were lost, {@link Errno#EMSGSIZE} a
   * datagram was larger than the buffer, which has grown, {@link Errno#EBADF} it is closed, or what
   * the system call said.
   *
   * @return the error number, positive
   */
  public int errno() {
    return errno;
  }

  boolean is(Errno error) {
    return errno == error.code();
  }
}
