package io.dra4j.rdma;

import io.dra4j.linux.Errno;
import io.dra4j.linux.NativeAccess;
import java.io.IOException;
import java.util.Optional;
import jnr.posix.FileStat;
import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;

/**
 * The result of {@code stat} for a file that may be a device. The JDK cannot read the numbers of
 * devices. jnr-posix can: it has the layout of {@code struct stat} for each architecture.
 *
 * @param isCharacterDevice whether the file is a character device
 * @param major its major number, if it is a device
 * @param minor its minor number, if it is a device
 * @param mode its permissions, the lowest 12 bits of the mode
 */
record DeviceFile(boolean isCharacterDevice, int major, int minor, int mode) {

  private static final int PERMISSIONS = 0xfff;

  /** Loads jnr-posix when it is first needed, since loading is slow. */
  private static final class Native {
    static final POSIX LIBRARY = POSIXFactory.getNativePOSIX();
  }

  /**
   * Calls {@code stat} for a file; empty if there is no such file.
   *
   * @throws IOException if {@code stat} fails
   * @throws io.dra4j.linux.NativeUnavailableException if native code cannot be loaded, with the
   *     reason
   */
  static Optional<DeviceFile> of(String path) throws IOException {
    NativeAccess.system(); // reports errors that jnr-posix would hide
    FileStat stat = Native.LIBRARY.allocateStat();
    if (Native.LIBRARY.stat(path, stat) != 0) {
      int error = Native.LIBRARY.errno();
      if (error == Errno.ENOENT.code() || error == Errno.ENOTDIR.code()) {
        return Optional.empty();
      }
      throw new IOException("stat: " + Errno.nameOf(error));
    }
    // FileStat.major and minor of jnr-posix 3.2.5 split the numbers as BSD does.
    return Optional.of(
        new DeviceFile(
            stat.isCharDev(), major(stat.rdev()), minor(stat.rdev()), stat.mode() & PERMISSIONS));
  }

  /** The major number of a {@code dev_t}, as glibc's {@code gnu_dev_major} computes it. */
  static int major(long device) {
    return (int) ((device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL));
  }

  /** The minor number of a {@code dev_t}, as glibc's {@code gnu_dev_minor} computes it. */
  static int minor(long device) {
    return (int) ((device & 0xff) | (device >>> 12 & ~0xffL));
  }
}
