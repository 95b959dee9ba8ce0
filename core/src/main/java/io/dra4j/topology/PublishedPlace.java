package io.dra4j.topology;

import io.dra4j.model.Device;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The location of a published device, according to its attributes:
 *
 * <pre>{@code
 * OptionalInt node = PublishedPlace.of(slice.driver(), device).numaNode();
 * }</pre>
 *
 * <p>Each fact has a standard attribute and names that drivers used before there was one. The first
 * attribute with a readable value decides.
 *
 * @param address the PCI address; empty if it is not published or cannot be read
 * @param numaNode the NUMA node; the first number of a list, which is the device's own node
 * @param pcieRoots the PCIe roots (KEP-4381), more than one for a device that is near several of
 *     them (KEP-5491)
 */
public record PublishedPlace(
    Optional<PciAddress> address, OptionalInt numaNode, List<String> pcieRoots) {

  /** Copies the roots. {@inheritDoc} */
  public PublishedPlace {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(numaNode, "numaNode");
    pcieRoots = List.copyOf(Objects.requireNonNull(pcieRoots, "pcieRoots"));
  }

  /**
   * {@return the location of a device from its attributes; facts that are not published are empty}
   *
   * @param driver the driver that publishes the device; names without a domain are its own
   * @param device the device
   */
  public static PublishedPlace of(String driver, Device device) {
    Objects.requireNonNull(driver, "driver");
    Objects.requireNonNull(device, "device");
    return new PlaceReader(driver).read(device);
  }

  /** The root if it is the only one; if there are several, none is the device's own. */
  @Nullable String onlyRoot() {
    return pcieRoots.size() == 1 ? pcieRoots.get(0) : null;
  }
}
