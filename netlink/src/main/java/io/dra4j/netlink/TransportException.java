package io.dra4j.netlink;

import io.dra4j.linux.Errno;
import java.io.IOException;
import java.io.Serial;

/** Thrown if a {@link Transport} fails. */
public final class TransportException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  /** The error number. */
  private final int errno;

  /**
   * Creates an exception.
   *
   * @param action the action that failed, for example {@code receive}
   * @param errno the error number, positive
   */
  public TransportException(String action, int errno) {
    super(action + ": " + Errno.nameOf(errno));
    this.errno = errno;
  }

  /**
   * {@return the reason for the failure, a positive number: {@link Errno#ETIMEDOUT} (nothing
   * arrived in time), {@link Errno#EINTR} (the thread was interrupted while it waited), {@link
   * Errno#ENOBUFS} (messages were lost), {@link Errno#EMSGSIZE} (a datagram was larger than the
   * buffer, which has grown), {@link Errno#EBADF} (the transport is closed), or the error of the
   * system call}
   */
  public int errno() {
    return errno;
  }

  boolean is(Errno error) {
    return errno == error.code();
  }
}
