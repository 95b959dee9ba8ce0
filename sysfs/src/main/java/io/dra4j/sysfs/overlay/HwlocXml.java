package io.dra4j.sysfs.overlay;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads exports of hwloc ({@code lstopo --of xml}) in formats 2.0 and 3.0. PCI bridges nest as in
 * the kernel. The NUMA node of a device is the node of the part of the machine above its host
 * bridge, if that part has exactly one node with CPUs.
 *
 * <p>Link speeds are not read: they are the speeds at the moment of the export, and are written as
 * bandwidths without speed and width. The bandwidth of NVLinks is not read either, because it does
 * not give the number of links.
 */
public final class HwlocXml {

  private static final Pattern PCI_TYPE =
      Pattern.compile(
          "([0-9a-f]{4}) \\[([0-9a-f]{4}):([0-9a-f]{4})] \\[([0-9a-f]{4}):([0-9a-f]{4})].*");
  private static final Pattern BUSES =
      Pattern.compile("([0-9a-f]{4,8}):\\[([0-9a-f]{2})-[0-9a-f]{2}]");

  private static final int MAX_DISTANCES = 64 * 64;

  private final String origin;
  private final Consumer<String> warnings;
  private final boolean format3;
  private final List<TopologyDevice> devices = new ArrayList<>();
  private final List<TopologyDevice> bridges = new ArrayList<>();
  private final List<NumaNode> numaNodes = new ArrayList<>();
  private final HwlocMemories memories = new HwlocMemories();

  private HwlocXml(String origin, Consumer<String> warnings, boolean format3) {
    this.origin = origin;
    this.warnings = warnings;
    this.format3 = format3;
  }

  /**
   * {@return the recorded topology, read from a file}
   *
   * @param file the file
   * @param warnings receives a sentence for each invalid entry that is left out
   * @throws OverlayException if the file is not an export of hwloc 2 or 3
   * @throws IOException if the file cannot be read
   */
  public static TreeOverlay read(Path file, Consumer<String> warnings)
      throws OverlayException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString(), warnings);
    }
  }

  /**
   * {@return the recorded topology, read from a stream}
   *
   * @param in the text; is not closed
   * @param origin the name of the text in messages
   * @param warnings receives a sentence for each invalid entry that is left out
   * @throws OverlayException if the file is not an export of hwloc 2 or 3
   * @throws IOException if the file cannot be read
   */
  public static TreeOverlay read(InputStream in, String origin, Consumer<String> warnings)
      throws OverlayException, IOException {
    XmlElement topology = XmlDocument.read(in, origin, "topology");
    String version = topology.attribute("version");
    if (!version.startsWith("2.") && !version.startsWith("3.")) {
      throw new OverlayException(
          origin,
          topology.line(),
          "expected format 2.0 or 3.0 of hwloc, found "
              + (version.isEmpty() ? "one without version" : KernelText.quote(version)));
    }
    HwlocXml reader = new HwlocXml(origin, warnings, version.startsWith("3."));
    reader.memories.addAll(topology);
    reader.children(topology, new Place(Location.UNKNOWN, OptionalInt.empty()));
    for (XmlElement child : topology.children()) {
      if (child.name().equals("distances2") && child.attribute("name").equals("NUMALatency")) {
        reader.distances(child);
      }
    }
    return TreeOverlay.builder(origin, TopologySource.HWLOC_XML, TreeOverlay.Levels.BRIDGES)
        .devices(reader.devices)
        .bridges(reader.bridges)
        .numaNodes(reader.numaNodes)
        .build();
  }

  private record Place(Location location, OptionalInt socket) {}

  private void children(XmlElement element, Place place) {
    for (XmlElement child : element.children()) {
      if (child.name().equals("object")) {
        object(child, place);
      }
    }
  }

  private void object(XmlElement element, Place place) {
    switch (element.attribute("type")) {
      case "Bridge" -> bridge(element, place);
      case "PCIDev" -> {
        device(element, place.location);
        children(element, place);
      }
      case "OSDev", "Misc" -> {}
      case "NUMANode" -> numaNode(element, place);
      case "Package" ->
          children(
              element,
              new Place(
                  normal(element, place.location),
                  KernelText.decimal(element.attribute("os_index"), 0xffff)));
      default -> children(element, new Place(normal(element, place.location), place.socket));
    }
  }

  /** Returns the place of objects below a part of the machine that is not an I/O object. */
  private Location normal(XmlElement element, Location above) {
    String mask = element.attribute("nodeset");
    if (mask.isEmpty()) {
      return above;
    }
    return new Location(null, List.of(), memories.nodeOf(CpuMask.parse(mask)));
  }

  private void numaNode(XmlElement element, Place place) {
    OptionalInt id = KernelText.decimal(element.attribute("os_index"), 1_023);
    if (id.isEmpty()) {
      warn(element, "expected an os_index from 0 to 1023");
      return;
    }
    numaNodes.add(
        new NumaNode(
            id.getAsInt(),
            memories.hasCpus(id.getAsInt()) ? CpuMask.toList(element.attribute("cpuset")) : "",
            place.socket,
            List.of()));
  }

  /** Reads the SLIT: rows and columns in the order of indexes, which are Linux's node numbers. */
  private void distances(XmlElement element) {
    List<Integer> nodes = numbers(element, "indexes");
    List<Integer> values = numbers(element, "u64values");
    int size = nodes.size();
    boolean complete =
        element.attribute("indexing").equals("os")
            && size == numaNodes.size()
            && values.size() == size * size
            && numaNodes.stream().allMatch(node -> nodes.contains(node.id()));
    if (!complete) {
      warn(element, "expected a distance for each pair of NUMA nodes");
      return;
    }
    List<Integer> order = nodes.stream().sorted().map(nodes::indexOf).toList();
    numaNodes.replaceAll(
        node -> {
          int row = nodes.indexOf(node.id()) * size;
          List<Integer> distances = order.stream().map(to -> values.get(row + to)).toList();
          return new NumaNode(node.id(), node.cpus(), node.socket(), distances);
        });
  }

  /** Returns the numbers in the elements of this name; none if one of them is not a number. */
  private static List<Integer> numbers(XmlElement element, String name) {
    List<Integer> numbers = new ArrayList<>();
    for (XmlElement child : element.children()) {
      if (child.name().equals(name)) {
        for (String word : child.text().toString().trim().split("\\s+", -1)) {
          OptionalInt number = KernelText.decimal(word, 0xffff);
          if (number.isEmpty() || numbers.size() == MAX_DISTANCES) {
            return List.of();
          }
          numbers.add(number.getAsInt());
        }
      }
    }
    return numbers;
  }

  private void bridge(XmlElement element, Place place) {
    Location above = place.location;
    if (element.attribute("bridge_type").startsWith("0-")) {
      Matcher buses = BUSES.matcher(element.attribute("bridge_pci"));
      String root = buses.matches() ? "pci" + buses.group(1) + ":" + buses.group(2) : null;
      if (root == null) {
        warn(element, "expected a bridge_pci such as 0000:[2b-3b]");
        return;
      }
      children(element, new Place(new Location(root, List.of(), above.numaNode()), place.socket));
      return;
    }
    Optional<PciAddress> address = PciAddress.tryParse(element.attribute("pci_busid"));
    if (address.isEmpty()) {
      warn(element, "expected a pci_busid such as 0000:8f:00.0");
      return;
    }
    bridges.add(
        new TopologyDevice(
            address.get().toString(),
            DeviceKind.BRIDGE,
            address.get(),
            identity(element),
            above,
            null,
            null,
            null,
            List.of()));
    List<PciAddress> chain = new ArrayList<>(above.bridges());
    chain.add(address.get());
    children(element, new Place(new Location(above.root(), chain, above.numaNode()), place.socket));
  }

  private void device(XmlElement element, Location place) {
    Optional<PciAddress> address = PciAddress.tryParse(element.attribute("pci_busid"));
    if (address.isEmpty()) {
      warn(element, "expected a pci_busid such as 0000:8f:00.0");
      return;
    }
    PciIdentity identity = identity(element);
    List<String> names = new ArrayList<>();
    boolean network = false;
    for (XmlElement child : element.children()) {
      String name = child.attribute("name");
      if (child.attribute("type").equals("OSDev") && !name.isEmpty()) {
        names.add(name);
        network |= isNetwork(child.attribute("osdev_type"));
      }
    }
    DeviceKind kind = identity == null ? DeviceKind.OTHER : identity.kind();
    devices.add(
        new TopologyDevice(
            address.get().toString(),
            network ? DeviceKind.NIC : kind,
            address.get(),
            identity,
            place,
            null,
            null,
            null,
            names));
  }

  /** {@return whether the type (an enum in format 2, bits in 3) is network or OpenFabrics} */
  private boolean isNetwork(String type) {
    int number = KernelText.decimal(type, 0xffff).orElse(0);
    return format3 ? (number & (1 << 4 | 1 << 5)) != 0 : number == 2 || number == 3;
  }

  private @Nullable PciIdentity identity(XmlElement element) {
    Matcher type = PCI_TYPE.matcher(element.attribute("pci_type"));
    if (!type.matches()) {
      warn(element, "expected a pci_type such as 0302 [10de:1db8] [10de:131d] a1");
      return null;
    }
    return new PciIdentity(
        hexadecimal(type.group(1)) << 8, // the programming interface is not exported
        hexadecimal(type.group(2)),
        hexadecimal(type.group(3)),
        hexadecimal(type.group(4)),
        hexadecimal(type.group(5)));
  }

  private static int hexadecimal(String digits) {
    return Integer.parseInt(digits, 16);
  }

  private void warn(XmlElement element, String problem) {
    warnings.accept(
        origin
            + ":"
            + element.line()
            + ": "
            + KernelText.quote(element.attribute("type"))
            + ": "
            + problem
            + "; left out");
  }
}
