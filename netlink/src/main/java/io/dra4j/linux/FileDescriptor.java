package io.dra4j.linux;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * An owned file descriptor, which is closed with this object, or when the garbage collector finds
 * the object unreachable. Thread-safe.
 *
 * <p>A descriptor is only a number, and the kernel reuses the number of a closed descriptor for the
 * next file that is opened. Code that passes the number to the kernel therefore {@linkplain #hold
 * holds} the descriptor until the call is over:
 *
 * <pre>{@code
 * try (FileDescriptor.Hold held = descriptor.hold()) {
 *   access.setNamespace(held.number(), type);
 * }
 * }</pre>
 */
public final class FileDescriptor implements AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();

  private static final int F_DUPFD_CLOEXEC = 1030;

  private final NativeAccess access;
  private final Owned owned;
  private final Cleaner.Cleanable cleanable;

  /**
   * Takes ownership of a descriptor.
   *
   * @param access the port to the kernel that opened it
   * @param number the descriptor; the caller must not close it from now on
   */
  public FileDescriptor(NativeAccess access, int number) {
    this.access = access;
    this.owned = new Owned(access, number);
    this.cleanable = CLEANER.register(this, owned);
  }

  /**
   * {@return a newly opened file}
   *
   * @param access the port to the kernel
   * @param path the path
   * @param flags the flags; {@link Architecture#O_CLOEXEC} is added
   * @throws LinuxException if the kernel refuses
   */
  public static FileDescriptor open(NativeAccess access, String path, int flags)
      throws LinuxException {
    int number;
    do {
      number = access.open(path, flags | Architecture.O_CLOEXEC);
    } while (number == -Errno.EINTR.code());
    return new FileDescriptor(access, LinuxException.check(number, "open " + path));
  }

  /**
   * {@return a duplicate of a descriptor of another owner ({@code F_DUPFD_CLOEXEC})}
   *
   * @param access the port to the kernel
   * @param number the descriptor, which stays with its owner
   * @throws LinuxException if the kernel refuses
   */
  public static FileDescriptor duplicate(NativeAccess access, int number) throws LinuxException {
    int copy = access.control(number, F_DUPFD_CLOEXEC, 0);
    return new FileDescriptor(
        access, LinuxException.check(copy, "duplicate file descriptor " + number));
  }

  /**
   * {@return another descriptor of the same file, which is closed separately}
   *
   * @throws LinuxException if the kernel refuses
   * @throws IllegalStateException if this one is closed
   */
  public FileDescriptor duplicate() throws LinuxException {
    try (Hold held = hold()) {
      return duplicate(access, held.number());
    }
  }

  /**
   * Keeps the descriptor open while its number is passed to the kernel, even if it is closed or
   * becomes unreachable meanwhile. {@link #close} takes effect when the last hold ends.
   *
   * @return a hold with the number; the thread that got it must close it soon
   * @throws IllegalStateException if the descriptor is closed
   */
  public Hold hold() {
    Hold held = holdIfOpen();
    if (held == null) {
      throw new IllegalStateException("the file descriptor is closed");
    }
    return held;
  }

  /**
   * Keeps the descriptor open as {@link #hold} does, for callers that expect closed descriptors.
   *
   * @return a hold, which the thread that got it must close soon; null if the descriptor is closed
   */
  public @Nullable Hold holdIfOpen() {
    return owned.enter() ? new Hold(this) : null;
  }

  /**
   * {@return the number of the descriptor, for messages and for programs that read {@code
   * /proc/PID/fd}} The number can belong to another file as soon as the descriptor is closed; to
   * pass it to the kernel, use {@link #hold}.
   *
   * @throws IllegalStateException if the descriptor is closed
   */
  public int number() {
    int number = owned.open();
    if (number < 0) {
      throw new IllegalStateException("the file descriptor is closed");
    }
    return number;
  }

  /** {@return the port to the kernel that opened the descriptor} */
  public NativeAccess access() {
    return access;
  }

  /** {@return whether the descriptor is open; false once it is closed, even while it is held} */
  public boolean isOpen() {
    return owned.open() >= 0;
  }

  /** Closes the descriptor, as soon as it is no longer held. Further calls have no effect. */
  @Override
  public void close() {
    cleanable.clean();
  }

  @Override
  public String toString() {
    int number = owned.open();
    return number < 0 ? "closed file descriptor" : "file descriptor " + number;
  }

  /** A descriptor that stays open until this is closed. Not thread-safe. */
  public static final class Hold implements AutoCloseable {

    private final FileDescriptor descriptor; // also keeps the cleaner away
    private boolean over;

    private Hold(FileDescriptor descriptor) {
      this.descriptor = descriptor;
    }

    /** {@return the descriptor's number, which means the same file until the hold is closed} */
    public int number() {
      return descriptor.owned.number;
    }

    /** Ends the hold. Further calls do nothing. */
    @Override
    public void close() {
      if (!over) {
        over = true;
        descriptor.owned.leave();
      }
    }
  }

  /** The state that the cleaner holds; it must not refer to the object that it cleans up. */
  private static final class Owned implements Runnable {

    private final NativeAccess access;
    private final int number;
    private int holds;
    private boolean closing;

    private Owned(NativeAccess access, int number) {
      this.access = access;
      this.number = number;
    }

    synchronized int open() {
      return closing ? -1 : number;
    }

    synchronized boolean enter() {
      if (closing) {
        return false;
      }
      holds++;
      return true;
    }

    void leave() {
      boolean last;
      synchronized (this) {
        holds--;
        last = holds == 0 && closing;
      }
      if (last) {
        access.close(number);
      }
    }

    /** Called once at most: Linux closes it even on EINTR, and a retry could close another file. */
    @Override
    public void run() {
      boolean last;
      synchronized (this) {
        closing = true;
        last = holds == 0;
      }
      if (last) {
        access.close(number);
      }
    }
  }
}
