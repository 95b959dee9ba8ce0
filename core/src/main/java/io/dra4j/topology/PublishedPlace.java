package io.dra4j.topology;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.StandardAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a published device sits, according to its attributes:
 *
 * <pre>{@code
 * OptionalInt node = PublishedPlace.of(slice.driver(), device).numaNode();
 * }</pre>
 *
 * <p>Each fact has a standard attribute and names that drivers used before there was one. The first
 * attribute that says something readable decides.
 *
 * @param address the PCI address; empty if it is not published or cannot be read
 * @param numaNode the NUMA node; of a list its first number, which is the device's own
 * @param pcieRoots the PCIe roots (KEP-4381), more than one for a device that is near several of
 *     them (KEP-5491)
 */
public record PublishedPlace(
    Optional<PciAddress> address, OptionalInt numaNode, List<String> pcieRoots) {

  // The standard name, then DraNet's, then drivers' own: NVIDIA's, those of SR-IOV and Intel,
  // AMD's.
  static final List<String> ADDRESS =
      List.of(
          StandardAttributes.PCI_BUS_ID,
          "dra.net/pciAddress",
          "pciBusID",
          "pciAddress",
          "pciAddr",
          "parentPciAddr");
  private static final List<String> NUMA_NODE =
      List.of(
          StandardAttributes.NUMA_NODE,
          "dra.net/numaNode",
          "dra.cpu/numaNodeID",
          "numaNode",
          "numaNodeID",
          "numa");

  /** Intel's driver had it before the standard one, later with the bus alone. */
  private static final String PCI_ROOT = "pciRoot";

  private static final Pattern ROOT = Pattern.compile("(?:pci)?(?:([0-9a-f]{4,8}):)?([0-9a-f]{2})");

  /** Copies the roots. {@inheritDoc} */
  public PublishedPlace {
    Objects.requireNonNull(address, "PublishedPlace.address: want an optional address, got null");
    Objects.requireNonNull(numaNode, "PublishedPlace.numaNode: want an optional number, got null");
    pcieRoots =
        List.copyOf(
            Objects.requireNonNull(pcieRoots, "PublishedPlace.pcieRoots: want a list, got null"));
  }

  /**
   * Reads the place of a device from its attributes.
   *
   * @param driver the driver that publishes the device; names without a domain are its own
   * @param device the device
   * @return the place, with what is not published left empty
   */
  public static PublishedPlace of(String driver, Device device) {
    Objects.requireNonNull(driver, "driver: want the name of a driver, got null");
    Objects.requireNonNull(device, "device: want a device, got null");
    return new PublishedPlace(
        address(driver, device), numaNode(driver, device), pcieRoots(driver, device));
  }

  /** The root if it is the only one: of several, none is the device's own. */
  @Nullable String onlyRoot() {
    return pcieRoots.size() == 1 ? pcieRoots.get(0) : null;
  }

  private static Optional<PciAddress> address(String driver, Device device) {
    for (String name : ADDRESS) {
      if (attribute(driver, device, name) instanceof DeviceAttribute.StringValue text) {
        Optional<PciAddress> address = PciAddress.tryParse(text.value());
        if (address.isPresent()) {
          return address;
        }
      }
    }
    return Optional.empty();
  }

  private static OptionalInt numaNode(String driver, Device device) {
    for (String name : NUMA_NODE) {
      DeviceAttribute value = attribute(driver, device, name);
      long node = -1;
      if (value instanceof DeviceAttribute.IntValue number) {
        node = number.value();
      } else if (value instanceof DeviceAttribute.IntValues numbers
          && !numbers.values().isEmpty()) {
        node = numbers.values().get(0); // the node of the device comes first, then those near it
      }
      if (node >= 0 && node <= Integer.MAX_VALUE) {
        return OptionalInt.of((int) node);
      }
    }
    return OptionalInt.empty();
  }

  private static List<String> pcieRoots(String driver, Device device) {
    DeviceAttribute value = attribute(driver, device, StandardAttributes.PCIE_ROOT);
    if (value == null) {
      return ownRoot(driver, device);
    }
    List<String> roots =
        value instanceof DeviceAttribute.StringValue root
            ? List.of(root.value())
            : value instanceof DeviceAttribute.StringValues several ? several.values() : List.of();
    return roots.stream().filter(root -> !root.isEmpty()).toList();
  }

  private static List<String> ownRoot(String driver, Device device) {
    if (attribute(driver, device, PCI_ROOT) instanceof DeviceAttribute.StringValue text) {
      Matcher root = ROOT.matcher(text.value());
      if (root.matches()) {
        String domain =
            root.group(1) != null
                ? root.group(1)
                : address(driver, device)
                    .map(address -> "%04x".formatted(address.domain()))
                    .orElse("0000");
        return List.of("pci" + domain + ":" + root.group(2));
      }
    }
    return List.of();
  }

  /** A name without domain is the driver's own. */
  static @Nullable DeviceAttribute attribute(String driver, Device device, String name) {
    return QualifiedName.of(driver, name).in(driver, device.attributes());
  }
}
