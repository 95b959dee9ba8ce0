package io.dra4j.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Several readers that together read a host. Immutable and thread-safe if the readers are. */
public final class TopologyReaders {

  private final List<TopologyReader> readers;
  private final List<String> warnings;

  private TopologyReaders(List<TopologyReader> readers, List<String> warnings) {
    this.warnings = warnings;
    List<TopologyReader> sorted = new ArrayList<>(readers);
    sorted.sort(Comparator.comparingInt(TopologyReader::order).thenComparing(TopologyReader::name));
    this.readers = List.copyOf(sorted);
  }

  /**
   * {@return all installed readers on the class path and module path: the readers that {@link
   * java.util.ServiceLoader} finds, and the readers of modules in use that require this module only
   * optionally, such as {@code io.dra4j.netlink}} If such a module is on the module path but not in
   * use, each reading adds a warning.
   *
   * @throws java.util.ServiceConfigurationError if a reader cannot be created
   */
  public static TopologyReaders installed() {
    Installed<TopologyReader> installed = Installed.of(TopologyReader.class);
    return new TopologyReaders(installed.services(), installed.warnings());
  }

  /**
   * {@return a combination of readers}
   *
   * @param readers the readers
   */
  public static TopologyReaders of(TopologyReader... readers) {
    return new TopologyReaders(List.of(readers), List.of());
  }

  /**
   * {@return the facts that all readers read from a host}
   *
   * @param host the host
   */
  public HostInventory read(Host host) {
    HostInventory.Builder inventory = HostInventory.builder();
    warnings.forEach(inventory::warn);
    for (TopologyReader reader : readers) {
      reader.read(host, inventory);
    }
    return inventory.build();
  }
}
