package io.dra4j.topology;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.StandardAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads locations of one driver's devices. Parses names once; names without domain are its own. */
final class PlaceReader {

  // The standard name, then DraNet's.
  private static final List<String> ADDRESS =
      List.of(StandardAttributes.PCI_BUS_ID, "dra.net/pciAddress");
  private static final List<QualifiedName> ADDRESS_NAMES = names(ADDRESS);

  // The names of NVIDIA, SR-IOV and Intel, and AMD.
  private static final List<String> OWN_ADDRESS =
      List.of("pciBusID", "pciAddress", "pciAddr", "parentPciAddr");

  private static final List<QualifiedName> NUMA_NODE =
      names(List.of(StandardAttributes.NUMA_NODE, "dra.net/numaNode", "dra.cpu/numaNodeID"));
  private static final List<String> OWN_NUMA_NODE = List.of("numaNode", "numaNodeID", "numa");

  private static final QualifiedName PCIE_ROOT = QualifiedName.of(StandardAttributes.PCIE_ROOT);

  /** Intel's driver used this name before the standard one, later with the bus alone. */
  private static final String OWN_PCI_ROOT = "pciRoot";

  private static final Pattern ROOT = Pattern.compile("(?:pci)?(?:([0-9a-f]{4,8}):)?([0-9a-f]{2})");

  private final String driver;
  private final List<QualifiedName> ownAddress;
  private final List<QualifiedName> ownNumaNode;
  private final QualifiedName ownPciRoot;

  PlaceReader(String driver) {
    this.driver = driver;
    ownAddress = names(driver, OWN_ADDRESS);
    ownNumaNode = names(driver, OWN_NUMA_NODE);
    ownPciRoot = QualifiedName.of(driver, OWN_PCI_ROOT);
  }

  static List<QualifiedName> names(List<String> texts) {
    return texts.stream().map(QualifiedName::of).toList();
  }

  static List<QualifiedName> names(String driver, List<String> texts) {
    return texts.stream().map(text -> QualifiedName.of(driver, text)).toList();
  }

  PublishedPlace read(Device device) {
    Map<String, DeviceAttribute> attributes = device.attributes();
    Optional<PciAddress> address = address(attributes);
    return new PublishedPlace(address, numaNode(attributes), pcieRoots(attributes, address));
  }

  /** Returns the attributes that hold PCI addresses, each once, with their names for messages. */
  Map<QualifiedName, String> addressNames() {
    Map<QualifiedName, String> names = new LinkedHashMap<>();
    for (int i = 0; i < ADDRESS.size(); i++) {
      names.put(ADDRESS_NAMES.get(i), ADDRESS.get(i));
    }
    for (int i = 0; i < OWN_ADDRESS.size(); i++) {
      names.putIfAbsent(ownAddress.get(i), OWN_ADDRESS.get(i));
    }
    return names;
  }

  private Optional<PciAddress> address(Map<String, DeviceAttribute> attributes) {
    Optional<PciAddress> address = address(ADDRESS_NAMES, attributes);
    return address.isPresent() ? address : address(ownAddress, attributes);
  }

  private Optional<PciAddress> address(
      List<QualifiedName> names, Map<String, DeviceAttribute> attributes) {
    for (QualifiedName name : names) {
      if (name.in(driver, attributes) instanceof DeviceAttribute.StringValue text) {
        Optional<PciAddress> address = PciAddress.tryParse(text.value());
        if (address.isPresent()) {
          return address;
        }
      }
    }
    return Optional.empty();
  }

  private OptionalInt numaNode(Map<String, DeviceAttribute> attributes) {
    OptionalInt node = numaNode(NUMA_NODE, attributes);
    return node.isPresent() ? node : numaNode(ownNumaNode, attributes);
  }

  private OptionalInt numaNode(List<QualifiedName> names, Map<String, DeviceAttribute> attributes) {
    for (QualifiedName name : names) {
      @Nullable DeviceAttribute value = name.in(driver, attributes);
      long node = -1;
      if (value instanceof DeviceAttribute.IntValue number) {
        node = number.value();
      } else if (value instanceof DeviceAttribute.IntValues numbers
          && !numbers.values().isEmpty()) {
        node = numbers.values().get(0); // the node of the device comes first, then nodes near it
      }
      if (node >= 0 && node <= Integer.MAX_VALUE) {
        return OptionalInt.of((int) node);
      }
    }
    return OptionalInt.empty();
  }

  private List<String> pcieRoots(
      Map<String, DeviceAttribute> attributes, Optional<PciAddress> address) {
    DeviceAttribute value = PCIE_ROOT.in(driver, attributes);
    if (value == null) {
      return ownRoot(attributes, address);
    }
    if (value instanceof DeviceAttribute.StringValue root) {
      return root.value().isEmpty() ? List.of() : List.of(root.value());
    }
    return value instanceof DeviceAttribute.StringValues roots
        ? roots.values().stream().filter(root -> !root.isEmpty()).toList()
        : List.of();
  }

  private List<String> ownRoot(
      Map<String, DeviceAttribute> attributes, Optional<PciAddress> address) {
    if (ownPciRoot.in(driver, attributes) instanceof DeviceAttribute.StringValue text) {
      Matcher root = ROOT.matcher(text.value());
      if (root.matches()) {
        String domain =
            root.group(1) != null
                ? root.group(1)
                : address.map(pci -> "%04x".formatted(pci.domain())).orElse("0000");
        return List.of("pci" + domain + ":" + root.group(2));
      }
    }
    return List.of();
  }
}
