package io.dra4j.linux;

/**
 * What makes a namespace the same as another: the file that stands for it.
 *
 * @param device the number of the device that the file is on, the major number in the upper half
 * @param inode the number of its inode, which {@code ls -l /proc/self/ns} shows
 */
public record NamespaceId(long device, long inode) {

  /** As {@code /proc/self/ns} writes it. */
  @Override
  public String toString() {
    return "net:[" + inode + "]";
  }
}
