package io.dra4j.spi;

/**
 * A device file that containers get.
 *
 * @param path where the file is, on the host and in the container, for example {@code
 *     /dev/infiniband/uverbs0}
 * @param kind what kind of file it is
 * @param major the major number
 * @param minor the minor number
 */
public record DeviceNode(String path, Kind kind, long major, long minor) {

  /** What a device file is. */
  public enum Kind {
    /** A character device. */
    CHARACTER,
    /** A block device. */
    BLOCK
  }

  /**
   * Refuses paths that are not absolute. {@inheritDoc}
   *
   * @throws IllegalArgumentException if {@code path} does not begin with a slash
   */
  public DeviceNode {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("device node '" + path + "' is not an absolute path");
    }
  }
}
