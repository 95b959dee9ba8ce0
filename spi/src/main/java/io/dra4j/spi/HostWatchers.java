package io.dra4j.spi;

import java.util.List;

/** Finds the installed watchers of hosts. */
public final class HostWatchers {

  private HostWatchers() {}

  /**
   * {@return all installed watchers on the class path and module path: the watchers that {@link
   * java.util.ServiceLoader} finds, and the watchers of modules in use that require this module
   * only optionally, such as {@code io.dra4j.netlink}}
   *
   * @throws java.util.ServiceConfigurationError if a watcher cannot be created
   */
  public static List<HostWatcher> installed() {
    return Installed.of(HostWatcher.class).services();
  }
}
