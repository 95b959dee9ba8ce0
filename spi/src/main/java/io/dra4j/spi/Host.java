package io.dra4j.spi;

import java.nio.file.Path;
import java.time.Clock;

/**
 * The machine that readers read: this one, or a captured one. Everything that comes from a host is
 * read below {@link #root()}, so that a tree of files stands for a machine.
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

  /**
   * The machine that this process runs on.
   *
   * @return the live host
   */
  public static Host live() {
    return new Host(Path.of("/"), Clock.systemUTC(), true);
  }

  /**
   * A captured machine.
   *
   * @param root the folder that stands for {@code /}: it has a folder {@code sys}, perhaps {@code
   *     proc}; of any file system
   * @return the host
   */
  public static Host captured(Path root) {
    return new Host(root.toAbsolutePath(), Clock.systemUTC(), false);
  }

  /**
   * The same host at another time.
   *
   * @param otherClock gives the time
   * @return the host
   */
  public Host withClock(Clock otherClock) {
    return new Host(root, otherClock, live);
  }

  /**
   * Where its file system begins.
   *
   * @return an absolute path
   */
  public Path root() {
    return root;
  }

  /**
   * Its clock.
   *
   * @return the clock of the host
   */
  public Clock clock() {
    return clock;
  }

  /**
   * Whether it is the machine that this process runs on, so that system calls describe it too.
   *
   * @return whether it is
   */
  public boolean isLive() {
    return live;
  }

  @Override
  public String toString() {
    return live ? "this host" : "the host captured in " + root;
  }
}
