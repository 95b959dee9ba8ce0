package io.dra4j.spi;

import java.util.List;

/** Finds the watchers of hosts that are installed. */
public final class HostWatchers {

  private HostWatchers() {}

  /**
   * Finds the watchers on the class path and module path: those that {@link
   * java.util.ServiceLoader} finds, and those of modules in use that require this one only
   * optionally, such as {@code io.dra4j.netlink}.
   *
   * @return all watchers that are installed
   * @throws java.util.ServiceConfigurationError if one cannot be made
   */
  public static List<HostWatcher> installed() {
    return Installed.of(HostWatcher.class).services();
  }
}
