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
   * The readers on the class path and module path: those that {@link java.util.ServiceLoader}
   * finds, and those of modules in use that require this one only optionally, such as {@code
   * io.dra4j.netlink}. Of such a module that is on the module path and not in use, each reading
   * warns.
   *
   * @return all readers that are installed
   * @throws java.util.ServiceConfigurationError if one cannot be made
   */
  public static TopologyReaders installed() {
    Installed<TopologyReader> installed = Installed.of(TopologyReader.class);
    return new TopologyReaders(installed.services(), installed.warnings());
  }

  /**
   * These readers.
   *
   * @param readers the readers
   * @return the readers, to read together
   */
  public static TopologyReaders of(TopologyReader... readers) {
    return new TopologyReaders(List.of(readers), List.of());
  }

  /**
   * Reads a host.
   *
   * @param host the host
   * @return what all readers found
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
