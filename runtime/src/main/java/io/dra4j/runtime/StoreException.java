package io.dra4j.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The store of claims cannot be opened, read or written. The message names the file. */
public final class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Whether another process, or another user in this one, has the store. */
  private final boolean isInUse;

  /**
   * An exception about a store.
   *
   * @param message which file, what is wrong, and what would help
   * @param cause what was thrown underneath; null if nothing was
   */
  public StoreException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private StoreException(String message, @Nullable Throwable cause, boolean isInUse) {
    super(message, cause);
    this.isInUse = isInUse;
  }

  /**
   * An exception about a store that another process has, or another user in this one.
   *
   * @param message which file, and who has it
   * @return an exception of which {@link #isInUse} is true
   */
  public static StoreException inUse(String message) {
    return new StoreException(message, null, true);
  }

  /**
   * Says whether the store is in use, so that it can be opened when its user lets go.
   *
   * @return whether another process, or another user in this one, has the store
   */
  public boolean isInUse() {
    return isInUse;
  }
}
