package io.dra4j.linux;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * A file descriptor that belongs to this object: closed with it, at the latest when the garbage
 * collector finds that it is unreachable. Thread-safe.
 *
 * <p>A descriptor is only a number, and the kernel gives the number of a closed one to whatever is
 * opened next. So who passes the number to the kernel {@linkplain #hold holds} the descriptor until
 * the kernel has it:
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
   * Takes over a descriptor.
   *
   * @param access the kernel it is from
   * @param number the descriptor; the caller must not close it from now on
   */
  public FileDescriptor(NativeAccess access, int number) {
    this.access = access;
    this.owned = new Owned(access, number);
    this.cleanable = CLEANER.register(this, owned);
  }

  /**
   * Opens a file.
   *
   * @param access the kernel
   * @param path the path
   * @param flags how; {@link Architecture#O_CLOEXEC} is added
   * @return the open file
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
   * Duplicates a descriptor that another owner has open ({@code F_DUPFD_CLOEXEC}).
   *
   * @param access the kernel
   * @param number a descriptor, which stays with its owner
   * @return the other one
   * @throws LinuxException if the kernel refuses
   */
  public static FileDescriptor duplicate(NativeAccess access, int number) throws LinuxException {
    int copy = access.control(number, F_DUPFD_CLOEXEC, 0);
    return new FileDescriptor(
        access, LinuxException.check(copy, "duplicate file descriptor " + number));
  }

  /**
   * Makes another descriptor of the same file, which is closed on its own.
   *
   * @return the other one
   * @throws LinuxException if the kernel refuses
   * @throws IllegalStateException if this one is closed
   */
  public FileDescriptor duplicate() throws LinuxException {
    try (Hold held = hold()) {
      return duplicate(access, held.number());
    }
  }

  /**
   * Keeps the descriptor open, also when it is closed or dropped meanwhile, so that its number can
   * be passed to the kernel. {@link #close} is put off until the last hold ends.
   *
   * @return has the number; to be closed soon, by the thread that got it
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
   * As {@link #hold}, for whom a closed descriptor is no mistake.
   *
   * @return to be closed soon, by the thread that got it; null if the descriptor is closed
   */
  public @Nullable Hold holdIfOpen() {
    return owned.enter() ? new Hold(this) : null;
  }

  /**
   * Returns the number of the descriptor, for messages and for programs that look into {@code
   * /proc/PID/fd}. It may be another file's as soon as the descriptor is closed; {@link #hold} is
   * for passing it to the kernel.
   *
   * @return the number
   * @throws IllegalStateException if the descriptor is closed
   */
  public int number() {
    int number = owned.open();
    if (number < 0) {
      throw new IllegalStateException("the file descriptor is closed");
    }
    return number;
  }

  /**
   * Returns the port to the kernel that the descriptor is from.
   *
   * @return the port it was made with
   */
  public NativeAccess access() {
    return access;
  }

  /**
   * Returns whether the descriptor is still open.
   *
   * @return false from the moment it was closed, even while it is held
   */
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

    private final FileDescriptor descriptor; // keeps the cleaner away, too
    private boolean over;

    private Hold(FileDescriptor descriptor) {
      this.descriptor = descriptor;
    }

    /**
     * Returns the number of the descriptor, which is the same file's until this hold is closed.
     *
     * @return the number
     */
    public int number() {
      return descriptor.owned.number;
    }

    /** Ends the hold. Once is enough; more does no harm. */
    @Override
    public void close() {
      if (!over) {
        over = true;
        descriptor.owned.leave();
      }
    }
  }

  /** What the cleaner holds; it must not know the object it cleans up after. */
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

    /**
     * Run once at most. Linux closes the descriptor even where it returns EINTR; a second try could
     * close another.
     */
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
