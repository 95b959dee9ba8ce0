package io.dra4j.linux;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes files below {@code /proc/sys}, one after the other, on a thread in their network
 * namespace. Paths are relative to that directory, such as {@code net/ipv4/ip_forward}. It is
 * read-only in an unprivileged container: the environment variable {@value #VARIABLE} then has the
 * path of a directory with the host's {@code net}.
 *
 * <p>Files are read and written in one call each: a second read returns nothing, because the kernel
 * treats any position but the first as the end, which {@code java.nio.file.Files#readAllBytes} does
 * not expect. The kernel treats each write as a complete value. Not thread-safe.
 */
final class SysctlFiles {

  /** The environment variable with the directory that replaces {@code /proc/sys}. */
  static final String VARIABLE = "DRA4J_SYSCTL_ROOT";

  private static final int LONGEST = 4_096; // values of the kernel have one line
  private static final String KERNEL_ROOT = "/proc/sys";

  private final NativeAccess access;
  private final String root;
  private final ByteBuffer memory = ByteBuffer.allocateDirect(LONGEST);
  private final long address;

  SysctlFiles(NativeAccess access) {
    this(access, System.getenv(VARIABLE));
  }

  /** Creates an instance whose root is a directory; null or empty for {@code /proc/sys}. */
  SysctlFiles(NativeAccess access, @Nullable String root) {
    this.access = access;
    this.root = root == null || root.isEmpty() ? KERNEL_ROOT : root;
    this.address = access.address(memory);
  }

  /** Throws an {@link IllegalArgumentException} if a value is too long to be written. */
  static void check(String path, String value) {
    int length = value.getBytes(StandardCharsets.UTF_8).length;
    if (length >= LONGEST) {
      throw new IllegalArgumentException(
          "value of " + path + " has " + length + " bytes, expected fewer than " + LONGEST);
    }
  }

  /** Returns the value, without the line end. */
  String read(String path) throws LinuxException {
    String full = root + "/" + path;
    try (FileDescriptor file = FileDescriptor.open(access, full, Architecture.O_RDONLY)) {
      int length =
          LinuxException.check(access.read(file.number(), address, LONGEST), "read " + full);
      byte[] text = new byte[length];
      memory.get(0, text);
      return new String(text, StandardCharsets.UTF_8).stripTrailing();
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /**
   * Returns the names in a directory, none if it does not exist: IPv6 may be off, and not every
   * link has neighbours. Uses a descriptor, because Java cannot express the directory of every link
   * in every locale.
   */
  List<String> list(String directory) throws IOException {
    String full = root + "/" + directory;
    try (FileDescriptor opened = FileDescriptor.open(access, full, Architecture.O_RDONLY);
        DirectoryStream<Path> all =
            Files.newDirectoryStream(Path.of("/proc/self/fd/" + opened.number()))) {
      List<String> names = new ArrayList<>();
      all.forEach(one -> names.add(one.getFileName().toString()));
      return names;
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT)) {
        return List.of();
      }
      throw e;
    }
  }

  private LinuxException readOnly(String path) {
    return new LinuxException(
        "write " + path,
        Errno.EROFS.code(),
        ("%s is mounted read-only: mount the host's /proc/sys/net writable as net in another "
                + "directory, and set the path of that directory in the environment variable %s")
            .formatted(root, VARIABLE));
  }

  void write(String path, String value) throws LinuxException {
    check(path, value);
    byte[] line = (value + "\n").getBytes(StandardCharsets.UTF_8);
    String full = root + "/" + path;
    try (FileDescriptor file = FileDescriptor.open(access, full, Architecture.O_WRONLY)) {
      memory.put(0, line);
      LinuxException.check(access.write(file.number(), address, line.length), "write " + full);
    } catch (LinuxException e) {
      throw e.is(Errno.EROFS) ? readOnly(full) : e;
    } finally {
      Reference.reachabilityFence(memory);
    }
  }
}
