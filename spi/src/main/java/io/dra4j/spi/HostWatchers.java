package io.dra4j.spi;

import java.util.List;
import java.util.ServiceLoader;

/** Finds the watchers of hosts that are installed. */
public final class HostWatchers {

  private HostWatchers() {}

  /**
   * Finds the watchers on the class path and module path.
   *
   * @return all watchers that {@link ServiceLoader} finds
   * @throws java.util.ServiceConfigurationError if one cannot be made
   */
  public static List<HostWatcher> installed() {
    return ServiceLoader.load(HostWatcher.class).stream().map(ServiceLoader.Provider::get).toList();
  }
}
