package io.dra4j.sysfs.overlay;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.CpuModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologySource;
import io.dra4j.topology.TreeOverlay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads NCCL topology files ({@code NCCL_TOPO_FILE}, {@code NCCL_TOPO_DUMP_FILE}), versions 1 and
 * 2, of NCCL and RCCL ({@code src/graph/xml.cc}).
 *
 * <p>In such a file each {@code pci} element with children is a whole switch, and host bridges are
 * missing: devices of one {@code cpu} element without a common switch are somewhere in one NUMA
 * node. A NIC whose PCI function NCCL does not find is written at the first CPU, independent of its
 * real place ({@code ncclTopoFillNet}).
 */
public final class NcclXml {

  /** The target that NCCL writes if a virtual machine does not see the other end. */
  static final String UNKNOWN_TARGET = "fffffff:ffff:ff";

  static final int NVSWITCH = 0x06_8000;
  private static final int CPU = 0x06_8001; // NVLink to POWER processors
  private static final int MAX_REPEATED = 100;
  private static final int MAX_SWITCHED_GPUS = 256; // each GPU is connected to each other
  private static final Set<String> VERSIONS = Set.of("1", "2"); // of NCCL, of RCCL

  /** The allowed children of elements. NCCL skips others, which are mistakes or newer elements. */
  private static final Map<String, Set<String>> PARTS =
      Map.of(
          "system", Set.of("cpu"),
          "cpu", Set.of("pci", "nic"),
          "pci", Set.of("pci", "gpu", "nic", "pcilink"),
          "gpu", Set.of("nvlink", "xgmi", "c2c"),
          "nic", Set.of("net"));

  private final String origin;
  private final Consumer<String> warnings;
  private final List<TopologyDevice> devices = new ArrayList<>();
  private final List<TopologyDevice> bridges = new ArrayList<>();
  private final List<NumaNode> numaNodes = new ArrayList<>();
  private final Map<Pair, Integer> links = new LinkedHashMap<>();
  private final Map<Pair, Integer> rates = new LinkedHashMap<>();
  private final Map<String, Integer> linksToSwitches = new LinkedHashMap<>();
  private final Set<String> unplaced = new HashSet<>();
  private final Map<String, Repeated> repeated = new LinkedHashMap<>();
  private @Nullable CpuModel cpu;

  /** A problem of many elements, with its first line and its count. */
  private record Repeated(int line, int count) {}

  private record Pair(String a, String b, DirectLink.Type type) {}

  private NcclXml(String origin, Consumer<String> warnings) {
    this.origin = origin;
    this.warnings = warnings;
  }

  /**
   * {@return the recorded topology, read from a file}
   *
   * @param file the file
   * @param warnings receives a sentence for each invalid entry that is left out
   * @throws OverlayException if it is not a topology file of NCCL (version 1) or RCCL (version 2)
   * @throws IOException if it cannot be read
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
   * @throws OverlayException if it is not a topology file of NCCL (version 1) or RCCL (version 2)
   * @throws IOException if it cannot be read
   */
  public static TreeOverlay read(InputStream in, String origin, Consumer<String> warnings)
      throws OverlayException, IOException {
    XmlElement system = XmlDocument.read(in, origin, "system");
    String version = system.attribute("version");
    if (!version.isEmpty() && !VERSIONS.contains(version)) {
      throw new OverlayException(
          origin,
          system.line(),
          "expected version 1 of NCCL or 2 of RCCL, found " + KernelText.quote(version));
    }
    NcclXml reader = new NcclXml(origin, warnings);
    if (version.isEmpty()) {
      reader.repeat(
          system, "<system>: has no version, so NCCL would reject the file; read as version 1");
    }
    reader.checkParts(system);
    boolean isFirst = true;
    for (XmlElement element : reader.ofOneHost(system)) {
      if (element.name().equals("cpu")) {
        reader.cpu(element, isFirst);
        isFirst = false;
      }
    }
    reader.repeated.forEach(
        (problem, seen) ->
            warnings.accept(
                origin
                    + ":"
                    + seen.line()
                    + ": "
                    + problem
                    + (seen.count() > 1 ? " (" + seen.count() + " times)" : "")));
    return reader.overlay();
  }

  /**
   * Selects one host of a file. If NVLinks connect hosts, NCCL writes several hosts into one file,
   * which can have the same addresses ({@code ncclTopoFuseXml} in {@code src/graph/xml.cc}).
   */
  private List<XmlElement> ofOneHost(XmlElement system) {
    List<String> hosts =
        system.children().stream()
            .map(NcclXml::host)
            .filter(host -> !host.isEmpty())
            .distinct()
            .toList();
    if (hosts.size() < 2) {
      return system.children();
    }
    warnings.accept(
        "%s: has %d hosts; only the first one is read, with host_hash %s"
            .formatted(origin, hosts.size(), KernelText.quote(hosts.get(0))));
    return system.children().stream()
        .filter(element -> host(element).isEmpty() || host(element).equals(hosts.get(0)))
        .toList();
  }

  private static String host(XmlElement element) {
    return element.attribute("host_hash").toLowerCase(Locale.ROOT);
  }

  private void checkParts(XmlElement element) {
    Set<String> known = PARTS.getOrDefault(element.name(), Set.of());
    for (XmlElement child : element.children()) {
      if (known.contains(child.name())) {
        checkParts(child);
      } else {
        repeat(
            child,
            "element %s in <%s>: expected %s; left out"
                .formatted(
                    KernelText.quote(child.name()),
                    element.name(),
                    known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  private void repeat(XmlElement element, String problem) {
    if (repeated.size() < MAX_REPEATED || repeated.containsKey(problem)) {
      repeated.merge(
          problem,
          new Repeated(element.line(), 1),
          (first, next) -> new Repeated(first.line(), first.count() + 1));
    }
  }

  private TreeOverlay overlay() {
    return TreeOverlay.builder(origin, TopologySource.NCCL_XML, TreeOverlay.Levels.SWITCHES)
        .devices(devices)
        .bridges(bridges)
        .numaNodes(numaNodes)
        .links(allLinks())
        .cpu(cpu)
        .unplaced(unplaced)
        .build();
  }

  private void cpu(XmlElement element, boolean isFirst) {
    String id = element.attribute("numaid");
    OptionalInt node = KernelText.decimal(id, 1_023);
    if (node.isEmpty() && !id.equals("-1")) {
      warn(element, "expected a numaid from -1 to 1023, found " + KernelText.quote(id));
      return;
    }
    if (cpu == null && !element.attribute("arch").isEmpty()) {
      cpu =
          new CpuModel(
              element.attribute("arch"),
              element.attribute("vendor"),
              KernelText.decimal(element.attribute("familyid"), 0xffff).orElse(0),
              KernelText.decimal(element.attribute("modelid"), 0xffff).orElse(0));
    }
    if (node.isPresent()) {
      numaNodes.add(
          new NumaNode(
              node.getAsInt(),
              CpuMask.toList(element.attribute("affinity")),
              OptionalInt.empty(),
              List.of()));
    }
    Location here = new Location("cpu:" + id, List.of(), node);
    for (XmlElement child : element.children()) {
      if (child.name().equals("pci")) {
        pci(child, here);
      } else if (child.name().equals("nic")) {
        nic(child, here, isFirst);
      }
    }
  }

  private void pci(XmlElement element, Location above) {
    Optional<PciAddress> address = PciAddress.tryParse(element.attribute("busid"));
    if (address.isEmpty()) {
      warn(
          element,
          "expected a busid such as 0000:8f:00.0, found "
              + KernelText.quote(element.attribute("busid")));
      return;
    }
    PciIdentity identity = identity(element);
    boolean holdsPci = element.children().stream().anyMatch(child -> child.name().equals("pci"));
    boolean bridge = holdsPci || (identity != null && identity.kind() == DeviceKind.BRIDGE);
    TopologyDevice device =
        new TopologyDevice(
            address.get().toString(),
            bridge ? DeviceKind.BRIDGE : kind(element, identity),
            address.get(),
            identity,
            above,
            null,
            null,
            link(element),
            names(element),
            rate(nets(element)),
            null);
    (bridge ? bridges : devices).add(device);
    List<PciAddress> chain = new ArrayList<>(above.bridges());
    chain.add(address.get());
    Location below = new Location(above.root(), chain, above.numaNode());
    for (XmlElement child : element.children()) {
      if (child.name().equals("pci")) {
        pci(child, below);
      } else if (child.name().equals("gpu")) {
        gpu(child, device.id(), above);
      }
    }
  }

  /** Reads a NIC without PCI function in the file, as in virtual machines. */
  private void nic(XmlElement element, Location here, boolean isFirstCpu) {
    for (XmlElement net : element.children()) {
      String name = net.attribute("name");
      if (net.name().equals("net") && !name.isEmpty()) {
        String id = "net:" + name;
        devices.add(
            new TopologyDevice(
                id,
                DeviceKind.NIC,
                null,
                null,
                here,
                null,
                null,
                null,
                List.of(name),
                rate(Stream.of(net)),
                null));
        if (isFirstCpu) {
          unplaced.add(id);
        }
      }
    }
  }

  private void gpu(XmlElement element, String id, Location here) {
    for (XmlElement child : element.children()) {
      int count = KernelText.decimal(child.attribute("count"), 1_024).orElse(0);
      switch (child.name()) {
        case "nvlink" -> peer(child, id, count, DirectLink.Type.NVLINK);
        case "xgmi" -> peer(child, id, count, DirectLink.Type.XGMI);
        case "c2c" -> {
          if (here.numaNode().isPresent() && count > 0) {
            String node = DirectLink.numaNode(here.numaNode().getAsInt());
            Pair pair = new Pair(id, node, DirectLink.Type.C2C);
            links.merge(pair, count, Integer::sum);
            rates.put(pair, KernelText.decimal(child.attribute("bw"), 10_000_000).orElse(0));
          }
        }
        default -> {}
      }
    }
  }

  private void peer(XmlElement element, String id, int count, DirectLink.Type type) {
    String name = element.attribute("target");
    boolean unknown = type == DirectLink.Type.NVLINK && name.equals(UNKNOWN_TARGET);
    int targetClass =
        KernelText.hexadecimal(element.attribute("tclass"), 0xff_ffff)
            .orElse(unknown ? NVSWITCH : 0);
    Optional<PciAddress> target = PciAddress.tryParse(name);
    if (count == 0) {
      warn(element, "expected a count from 1 to 1024");
    } else if (targetClass == NVSWITCH) {
      linksToSwitches.merge(id, count, Integer::sum);
    } else if (targetClass == CPU) {
      return; // not between devices
    } else if (target.isEmpty()) {
      warn(element, "expected a target such as 0000:8f:00.0, found " + KernelText.quote(name));
    } else if (!target.get().toString().equals(id)) { // some clouds' files link a GPU to itself
      links.merge(new Pair(id, target.get().toString(), type), count, Integer::sum);
    }
  }

  /** {@return the links through NVSwitches: all pairs of GPUs, at the slower connection's speed} */
  private List<DirectLink> allLinks() {
    List<DirectLink> all = new ArrayList<>();
    links.forEach(
        (pair, count) ->
            all.add(new DirectLink(pair.a, pair.b, pair.type, count, rates.getOrDefault(pair, 0))));
    if (linksToSwitches.size() > MAX_SWITCHED_GPUS) {
      warnings.accept(
          origin
              + ": expected at most "
              + MAX_SWITCHED_GPUS
              + " GPUs at NVSwitches, found "
              + linksToSwitches.size()
              + "; their NVLinks are left out");
      return all;
    }
    List<Map.Entry<String, Integer>> switched = List.copyOf(linksToSwitches.entrySet());
    for (int i = 0; i < switched.size(); i++) {
      for (int j = i + 1; j < switched.size(); j++) {
        Map.Entry<String, Integer> a = switched.get(i);
        Map.Entry<String, Integer> b = switched.get(j);
        int count = Math.min(a.getValue(), b.getValue());
        all.add(new DirectLink(a.getKey(), b.getKey(), DirectLink.Type.NVLINK, count));
      }
    }
    return all;
  }

  private static DeviceKind kind(XmlElement element, @Nullable PciIdentity identity) {
    for (XmlElement child : element.children()) {
      if (child.name().equals("gpu")) {
        return DeviceKind.GPU;
      }
      if (child.name().equals("nic")) {
        return DeviceKind.NIC;
      }
    }
    return identity == null ? DeviceKind.UNKNOWN : identity.kind();
  }

  private static Stream<XmlElement> nets(XmlElement element) {
    return element.children().stream()
        .filter(child -> child.name().equals("nic"))
        .flatMap(nic -> nic.children().stream());
  }

  private static List<String> names(XmlElement element) {
    return nets(element).map(net -> net.attribute("name")).filter(name -> !name.isEmpty()).toList();
  }

  /** {@return the rate of the fastest network device; NCCL writes 10 Gbit/s if not known} */
  private OptionalLong rate(Stream<XmlElement> nets) {
    return nets.mapToLong(this::rate).filter(rate -> rate > 0).max();
  }

  private int rate(XmlElement net) {
    String speed = net.attribute("speed");
    OptionalInt rate = KernelText.decimal(speed, 100_000_000);
    if (rate.isEmpty() && !speed.isEmpty()) {
      repeat(
          net,
          "<net>: expected a speed in Mbit/s, found "
              + KernelText.quote(speed)
              + "; the speed is left out");
    }
    return rate.orElse(0);
  }

  private @Nullable PciIdentity identity(XmlElement element) {
    String text = element.attribute("class");
    if (text.isEmpty()) {
      return null;
    }
    OptionalInt classCode = KernelText.hexadecimal(text, 0xff_ffff);
    if (classCode.isEmpty()) {
      warn(element, "expected a class such as 0x030200, found " + KernelText.quote(text));
      return null;
    }
    return new PciIdentity(
        classCode.getAsInt(),
        KernelText.hexadecimal(element.attribute("vendor"), 0xffff).orElse(0),
        KernelText.hexadecimal(element.attribute("device"), 0xffff).orElse(0),
        KernelText.hexadecimal(element.attribute("subsystem_vendor"), 0xffff).orElse(0),
        KernelText.hexadecimal(element.attribute("subsystem_device"), 0xffff).orElse(0));
  }

  /**
   * Reads the link of a function. NCCL writes a width of 0 if one end of the link does not report
   * its width, as below a virtual root, and counts it as 16 lanes ({@code ncclTopoAddPci} in {@code
   * src/graph/topo.cc}).
   */
  private @Nullable PcieLink link(XmlElement element) {
    String width = element.attribute("link_width");
    String speed = element.attribute("link_speed");
    boolean isUnknown = width.isEmpty() || width.equals("0");
    PcieLink link = KernelText.link(speed, isUnknown ? "16" : width);
    if (link == null && !speed.isEmpty() && !speed.startsWith("Unknown")) {
      repeat(
          element,
          "<pci>: expected a link_speed such as 32.0 GT/s PCIe and a link_width from 0 to 32, "
              + "found "
              + KernelText.quote(speed)
              + " and "
              + KernelText.quote(width)
              + "; the speed is left out");
    }
    return link;
  }

  private void warn(XmlElement element, String problem) {
    warnings.accept(
        origin + ":" + element.line() + ": <" + element.name() + ">: " + problem + "; left out");
  }
}
