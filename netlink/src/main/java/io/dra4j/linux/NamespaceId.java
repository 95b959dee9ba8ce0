package io.dra4j.linux;

/**
 * Identifies a namespace by its file: equal IDs denote the same namespace.
 *
 * @param device the number of the device that the file is on, the major number in the upper half
 * @param inode the number of its inode, which {@code ls -l /proc/self/ns} shows
 */
public record NamespaceId(long device, long inode) {

  /** Returns the ID as {@code /proc/self/ns} writes it. */
  @Override
  public String toString() {
    return "net:[" + inode + "]";
  }
}
