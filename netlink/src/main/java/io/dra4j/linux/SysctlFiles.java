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

/**
 * Reads and writes files below {@code /proc/sys}, one after the other, on a thread that is in the
 * network namespace they are of. In one call each: a second read gives nothing, because the kernel
 * takes any place but the first for the end, which {@code java.nio.file.Files#readAllBytes} does
 * not expect; and the kernel takes each write for a whole value. Not thread-safe.
 */
final class SysctlFiles {

  /** The property that names another folder; it has no effect if the folder is not there. */
  static final String PROPERTY = "io.dra4j.linux.sysctls";

  /** The folder of the parameters of network namespaces. */
  static final String NET = net(System.getProperty(PROPERTY, ""));

  private static final int LONGEST = 4_096; // the kernel's own are a line each

  private final NativeAccess access;
  private final ByteBuffer memory = ByteBuffer.allocateDirect(LONGEST);
  private final long address;

  SysctlFiles(NativeAccess access) {
    this.access = access;
    this.address = access.address(memory);
  }

  private static String net(String other) {
    return !other.isEmpty() && Files.isDirectory(Path.of(other)) ? other : "/proc/sys/net";
  }

  /**
   * Checks that a value can be written.
   *
   * @throws IllegalArgumentException if it is too long
   */
  static void check(String path, String value) {
    int length = value.getBytes(StandardCharsets.UTF_8).length;
    if (length >= LONGEST) {
      throw new IllegalArgumentException(
          "value of " + path + " has " + length + " bytes, expected less than " + LONGEST);
    }
  }

  /** The value, without the line end. */
  String read(String path) throws LinuxException {
    try (FileDescriptor file = FileDescriptor.open(access, path, Architecture.O_RDONLY)) {
      int length =
          LinuxException.check(access.read(file.number(), address, LONGEST), "read " + path);
      byte[] text = new byte[length];
      memory.get(0, text);
      return new String(text, StandardCharsets.UTF_8).stripTrailing();
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /**
   * The names in a folder, none if it is not there: IPv6 may be off, and not every link has
   * neighbours. Through a descriptor, because Java cannot name the folder of every link in every
   * locale.
   */
  List<String> list(String folder) throws IOException {
    try (FileDescriptor opened = FileDescriptor.open(access, folder, Architecture.O_RDONLY);
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

  void write(String path, String value) throws LinuxException {
    check(path, value);
    byte[] line = (value + "\n").getBytes(StandardCharsets.UTF_8);
    try (FileDescriptor file = FileDescriptor.open(access, path, Architecture.O_WRONLY)) {
      memory.put(0, line);
      LinuxException.check(access.write(file.number(), address, line.length), "write " + path);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }
}
