package io.dra4j.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The store of claims cannot be opened, read or written. The message names the file. */
public final class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * An exception about a store.
   *
   * @param message which file, what is wrong, and what would help
   * @param cause what was thrown underneath; null if nothing was
   */
  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
