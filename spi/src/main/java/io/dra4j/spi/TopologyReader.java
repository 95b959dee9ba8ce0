package io.dra4j.spi;

/**
 * Reads facts about a host: one source, such as the PCI tree of {@code /sys} or the kernel's list
 * of links.
 *
 * <p>What every reader keeps to:
 *
 * <ul>
 *   <li>It reads below {@link Host#root()} only, follows no link out of it, and asks the kernel
 *       itself only if the host {@link Host#isLive()}.
 *   <li>It changes nothing on the host.
 *   <li>What it reads is untrusted: it reads at most 64 KiB of a file and ends in bounded time
 *       whatever the tree holds.
 *   <li>An entry that it cannot make sense of costs that entry only, and a {@linkplain
 *       HostInventory.Builder#warn warning} that names the file and what is wrong.
 *   <li>It never throws on account of what the host holds. A source that is not there contributes
 *       nothing, which is worth a warning only where every host has it.
 *   <li>It is immutable and thread-safe; reading the same host again gives the same facts in the
 *       same order.
 * </ul>
 *
 * <p>Readers are found by {@link java.util.ServiceLoader}, through {@link TopologyReaders}, and
 * need a public constructor without parameters.
 */
public interface TopologyReader {

  /**
   * What it reads, in one word.
   *
   * @return for example {@code sysfs}
   */
  String name();

  /**
   * When it reads among other readers: those with lower numbers first, so that later ones find what
   * the earlier ones contributed.
   *
   * @return 0 for readers that need no facts of other readers
   */
  default int order() {
    return 0;
  }

  /**
   * Reads the host.
   *
   * @param host the host
   * @param inventory takes the facts, and has those of the readers before
   */
  void read(Host host, HostInventory.Builder inventory);
}
