package io.dra4j.sysfs;

import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path below {@code /sys/devices} as a path through the PCI tree. Everything up to the first host
 * bridge is left out, because ACPI, VMBus and platform devices may be above it. Parts that are
 * neither host bridge nor function are also left out, such as {@code virtio0/net/eth0} at the end.
 *
 * @param root the first host bridge, for example {@code pci0000:8c}; null if there is none
 * @param functions the functions from top to bottom
 */
record PciPath(@Nullable String root, List<PciAddress> functions) {

  private static final Pattern ROOT = Pattern.compile("pci[0-9a-f]{4,8}:[0-9a-f]{2}");

  /** Reads a path such as {@code sys/devices/pci0000:8c/0000:8c:01.0/0000:8d:00.0}. */
  static PciPath parse(String path) {
    String root = null;
    List<PciAddress> functions = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (part.startsWith("pci") && ROOT.matcher(part).matches()) {
        root = root == null ? part : root; // VMD has another host bridge below an endpoint
      } else if (root != null) {
        PciAddress.tryParse(part).ifPresent(functions::add);
      }
    }
    return new PciPath(root, List.copyOf(functions));
  }

  /** Returns the last function of the path. */
  Optional<PciAddress> last() {
    return functions.isEmpty()
        ? Optional.empty()
        : Optional.of(functions.get(functions.size() - 1));
  }

  /** Returns the functions above the last one. */
  List<PciAddress> bridges() {
    return functions.isEmpty() ? functions : functions.subList(0, functions.size() - 1);
  }

  /**
   * Returns the attribute {@code pcieRoot} of the function at the end of a path below {@code
   * /sys/bus/pci}, by the rules of {@code k8s.io/dynamic-resource-allocation/deviceattribute}: the
   * path must begin with a host bridge, and the address must have four digits of domain.
   */
  static Optional<String> pcieRoot(PciAddress address, String path) {
    String prefix = "sys/devices/pci";
    if (!path.startsWith(prefix) || !path.endsWith("/" + address) || address.domain() > 0xffff) {
      return Optional.empty();
    }
    int from = "sys/devices/".length();
    return Optional.of(path.substring(from, path.indexOf('/', from)));
  }
}
