package io.dra4j.linux;

import java.io.Serial;

/**
 * This process cannot call the kernel: native code cannot be loaded, or the machine is none that
 * this library knows. The message says why, and what to do about it.
 */
public final class NativeUnavailableException extends UnsupportedOperationException {

  @Serial private static final long serialVersionUID = 1;

  NativeUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
