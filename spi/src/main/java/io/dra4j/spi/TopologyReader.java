package io.dra4j.spi;

/**
 * Reads facts about a host: one source, such as the PCI tree of {@code /sys} or the kernel's list
 * of links.
 *
 * <p>Rules for every reader:
 *
 * <ul>
 *   <li>It reads only below {@link Host#root()}, follows no link out of it, and makes system calls
 *       only if the host {@link Host#isLive()}.
 *   <li>It changes nothing on the host.
 *   <li>Its input is untrusted: it reads at most 64 KiB of a file, and ends in bounded time for any
 *       tree.
 *   <li>It leaves out only the entries that it cannot understand, with a {@linkplain
 *       HostInventory.Builder#warn warning} that names the file and the problem.
 *   <li>It never throws because of the content of the host. A missing source contributes nothing.
 *       It deserves a warning only if every host has this source.
 *   <li>It is immutable and thread-safe; reading the same host again gives the same facts in the
 *       same order.
 * </ul>
 *
 * <p>Readers are found by {@link java.util.ServiceLoader}, through {@link TopologyReaders}, and
 * need a public constructor without parameters.
 */
public interface TopologyReader {

  /** {@return the name of the source that it reads, in one word, for example {@code sysfs}} */
  String name();

  /**
   * {@return the position among other readers; 0 for readers that need no facts of other readers}
   * Readers with lower numbers read first, so that later readers find the facts of earlier ones.
   */
  default int order() {
    return 0;
  }

  /**
   * Reads the host.
   *
   * @param host the host
   * @param inventory receives the facts, and has the facts of the earlier readers
   */
  void read(Host host, HostInventory.Builder inventory);
}
