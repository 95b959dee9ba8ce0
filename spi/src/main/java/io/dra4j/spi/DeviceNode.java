package io.dra4j.spi;

import org.jspecify.annotations.Nullable;

/**
 * A device file that containers get, as in {@code deviceNodes} of the Container Device Interface.
 *
 * @param path the path in the container, for example {@code /dev/infiniband/uverbs0}
 * @param hostPath the path on the host; usually the same
 * @param kind the kind of file
 * @param major the major number
 * @param minor the minor number
 * @param permissions the operations that the container may perform: some of {@code r}, {@code w}
 *     and {@code m}; {@code rwm} by default
 * @param uid the owner of the file in the container; null for the owner on the host
 * @param gid the group of the file in the container; null for the group on the host
 * @param fileMode the mode of the file in the container, such as 0660; null for the mode on the
 *     host
 */
public record DeviceNode(
    String path,
    String hostPath,
    Kind kind,
    long major,
    long minor,
    String permissions,
    @Nullable Long uid,
    @Nullable Long gid,
    @Nullable Integer fileMode) {

  /** The kind of a device file. */
  public enum Kind {
    /** A character device. */
    CHARACTER,
    /** A block device. */
    BLOCK
  }

  /**
   * Rejects paths that are not absolute and permissions that do not exist. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a path does not begin with a slash, or {@code permissions}
   *     is not some of r, w and m
   */
  public DeviceNode {
    if (!path.startsWith("/") || !hostPath.startsWith("/")) {
      throw new IllegalArgumentException(
          "device node '%s' of '%s': both must be absolute paths".formatted(path, hostPath));
    }
    if (!permissions.matches("(?!.*(.).*\\1)[rwm]{1,3}")) {
      throw new IllegalArgumentException(
          "device node '%s': permissions: expected some of r, w and m, found '%s'"
              .formatted(path, permissions));
    }
    if (fileMode != null && (fileMode < 0 || fileMode > 07777)) {
      throw new IllegalArgumentException(
          "device node '%s': file mode: expected 0 to 07777, found 0%o".formatted(path, fileMode));
    }
    if ((uid != null && uid < 0) || (gid != null && gid < 0)) {
      throw new IllegalArgumentException(
          "device node '%s': owner and group must not be negative".formatted(path));
    }
  }

  /**
   * Creates a device file with the same path, owner, group and mode on the host and in the
   * container, and with the permissions {@code rwm} (read, write and mknod).
   *
   * @param path the path of the file
   * @param kind the kind of file
   * @param major the major number
   * @param minor the minor number
   */
  public DeviceNode(String path, Kind kind, long major, long minor) {
    this(path, path, kind, major, minor, "rwm", null, null, null);
  }

  /**
   * {@return this device file with another path on the host}
   *
   * @param value the path on the host
   * @throws IllegalArgumentException if the path does not begin with a slash
   */
  public DeviceNode onHostAt(String value) {
    return new DeviceNode(path, value, kind, major, minor, permissions, uid, gid, fileMode);
  }

  /**
   * {@return this device file with other permissions}
   *
   * @param value some of {@code r}, {@code w} and {@code m}
   * @throws IllegalArgumentException if there are no such permissions
   */
  public DeviceNode withPermissions(String value) {
    return new DeviceNode(path, hostPath, kind, major, minor, value, uid, gid, fileMode);
  }

  /**
   * {@return this device file with another owner, group and mode in the container}
   *
   * @param newUid the owner; null for the owner on the host
   * @param newGid the group; null for the group on the host
   * @param newMode the mode, such as 0660; null for the mode on the host
   * @throws IllegalArgumentException if a number is negative, or the mode above 07777
   */
  public DeviceNode ownedBy(
      @Nullable Long newUid, @Nullable Long newGid, @Nullable Integer newMode) {
    return new DeviceNode(path, hostPath, kind, major, minor, permissions, newUid, newGid, newMode);
  }
}
