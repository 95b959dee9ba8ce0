package io.dra4j.spi;

import java.nio.file.Path;
import java.time.Clock;

/**
 * The machine that readers read: this machine, or a captured one. Everything is read below {@link
 * #root()}, so a directory tree can represent a machine.
 */
public final class Host {

  private final Path root;
  private final Clock clock;
  private final boolean live;

  private Host(Path root, Clock clock, boolean live) {
    this.root = root;
    this.clock = clock;
    this.live = live;
  }

  /** {@return the live host, the machine that this process runs on} */
  public static Host live() {
    return new Host(Path.of("/"), Clock.systemUTC(), true);
  }

  /**
   * {@return a captured machine}
   *
   * @param root the directory that represents {@code /}, on any file system: it has a directory
   *     {@code sys}, and may have a directory {@code proc}
   */
  public static Host captured(Path root) {
    return new Host(root.toAbsolutePath(), Clock.systemUTC(), false);
  }

  /**
   * {@return this host with another clock}
   *
   * @param otherClock the clock
   */
  public Host withClock(Clock otherClock) {
    return new Host(root, otherClock, live);
  }

  /** {@return the root of its file system, an absolute path} */
  public Path root() {
    return root;
  }

  /** {@return the clock of the host} */
  public Clock clock() {
    return clock;
  }

  /** {@return whether the process runs on this machine, so that system calls describe it} */
  public boolean isLive() {
    return live;
  }

  @Override
  public String toString() {
    return live ? "this host" : "the host captured in " + root;
  }
}
