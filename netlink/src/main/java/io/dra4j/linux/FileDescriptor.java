package io.dra4j.linux;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file descriptor that belongs to this object: closed with it, at the latest when the garbage
 * collector finds that nobody uses it any more. Thread-safe; but a number that was read before
 * another thread closed the descriptor may mean another file afterwards, so users of one descriptor
 * agree on who closes it.
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
   * @param number the descriptor; nobody else may close it from now on
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
   * Another descriptor of the same file.
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
   * Its number.
   *
   * @return the descriptor
   * @throws IllegalStateException if it is closed
   */
  public int number() {
    int number = owned.number.get();
    if (number < 0) {
      throw new IllegalStateException("the file descriptor is closed");
    }
    return number;
  }

  /**
   * The kernel it is from.
   *
   * @return the access it was made with
   */
  public NativeAccess access() {
    return access;
  }

  /**
   * Whether it is still open.
   *
   * @return whether it is
   */
  public boolean isOpen() {
    return owned.number.get() >= 0;
  }

  /** Closes it. Once is enough; more does no harm. */
  @Override
  public void close() {
    cleanable.clean();
  }

  @Override
  public String toString() {
    int number = owned.number.get();
    return number < 0 ? "closed file descriptor" : "file descriptor " + number;
  }

  /** What the cleaner holds; it must not know the object it cleans up after. */
  private static final class Owned implements Runnable {

    private final NativeAccess access;
    private final AtomicInteger number;

    private Owned(NativeAccess access, int number) {
      this.access = access;
      this.number = new AtomicInteger(number);
    }

    /**
     * Linux closes the descriptor even where it returns EINTR; a second try could close another.
     */
    @Override
    public void run() {
      int last = number.getAndSet(-1);
      if (last >= 0) {
        access.close(last);
      }
    }
  }
}
