package io.dra4j.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** Several readers that together read a host. Immutable and thread-safe if the readers are. */
public final class TopologyReaders {

  private final List<TopologyReader> readers;

  private TopologyReaders(List<TopologyReader> readers) {
    List<TopologyReader> sorted = new ArrayList<>(readers);
    sorted.sort(Comparator.comparingInt(TopologyReader::order).thenComparing(TopologyReader::name));
    this.readers = List.copyOf(sorted);
  }

  /**
   * The readers on the class path and module path.
   *
   * @return all readers that {@link ServiceLoader} finds
   * @throws java.util.ServiceConfigurationError if one cannot be made
   */
  public static TopologyReaders installed() {
    return new TopologyReaders(
        ServiceLoader.load(TopologyReader.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /**
   * These readers.
   *
   * @param readers the readers
   * @return the readers, to read together
   */
  public static TopologyReaders of(TopologyReader... readers) {
    return new TopologyReaders(List.of(readers));
  }

  /**
   * Reads a host.
   *
   * @param host the host
   * @return what all readers found
   */
  public HostInventory read(Host host) {
    HostInventory.Builder inventory = HostInventory.builder();
    for (TopologyReader reader : readers) {
      reader.read(host, inventory);
    }
    return inventory.build();
  }
}
