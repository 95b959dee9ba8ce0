package io.dra4j.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure to open, read or write the store of claims. The message names the file. */
public final class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Whether the store is in use by another process, or elsewhere in this process. */
  private final boolean isInUse;

  /**
   * Creates an exception for a store.
   *
   * @param message the file, the problem, and what to do
   * @param cause the cause; null if there is none
   */
  public StoreException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private StoreException(String message, @Nullable Throwable cause, boolean isInUse) {
    super(message, cause);
    this.isInUse = isInUse;
  }

  /**
   * {@return an exception for a store that is in use, whose {@link #isInUse} is true}
   *
   * @param message the file, and the process that uses it
   */
  public static StoreException inUse(String message) {
    return new StoreException(message, null, true);
  }

  /** {@return whether the store is in use by another process, or elsewhere in this process} */
  public boolean isInUse() {
    return isInUse;
  }
}
