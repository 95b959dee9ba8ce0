package io.dra4j.linux;

import java.io.Serial;

/**
 * Thrown if this process cannot call the kernel: native code cannot be loaded, or the architecture
 * is not supported. The message has the reason and what to do.
 */
public final class NativeUnavailableException extends UnsupportedOperationException {

  @Serial private static final long serialVersionUID = 1;

  NativeUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
