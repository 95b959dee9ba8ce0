package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;

/**
 * A device node that is added to a container.
 *
 * @param path the absolute path of the node in the container
 * @param type the type of the node: {@code c} (character), {@code b} (block) or {@code p} (FIFO)
 * @param major the major number
 * @param minor the minor number
 * @param fileMode the permission bits; empty for the default of the runtime
 * @param uid the owner in the container; empty for the default of the runtime
 * @param gid the group in the container; empty for the default of the runtime
 */
public record LinuxDevice(
    String path,
    String type,
    long major,
    long minor,
    OptionalInt fileMode,
    OptionalInt uid,
    OptionalInt gid) {

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code path} is not an absolute path, or {@code type} is
   *     unknown
   */
  public LinuxDevice {
    requireNonNull(path, "path");
    requireNonNull(type, "type");
    requireNonNull(fileMode, "fileMode");
    requireNonNull(uid, "uid");
    requireNonNull(gid, "gid");
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "path of a device: expected an absolute path, found \"" + path + "\"");
    }
    if (!type.equals("c") && !type.equals("b") && !type.equals("p")) {
      throw new IllegalArgumentException(
          "type of the device " + path + ": expected c, b or p, found \"" + type + "\"");
    }
  }

  /**
   * {@return a character device with the defaults of the runtime}
   *
   * @param path the absolute path of the node in the container
   * @param major the major number
   * @param minor the minor number
   */
  public static LinuxDevice character(String path, long major, long minor) {
    return new LinuxDevice(
        path, "c", major, minor, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
  }
}
