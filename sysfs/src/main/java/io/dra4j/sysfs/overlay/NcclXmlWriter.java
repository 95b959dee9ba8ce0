package io.dra4j.sysfs.overlay;

import io.dra4j.topology.CpuModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import io.dra4j.topology.TopologyDevice;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the topology of a host as an NCCL topology file, for {@code NCCL_TOPO_FILE} of a pod that
 * cannot see the host's tree.
 *
 * <p>Devices have the place that {@link HostTopology#place} returns, which includes the corrections
 * of a {@link io.dra4j.topology.TreeOverlay}; facts that only a matrix has are not written. The
 * format has switches, but no bridges and no host bridges: it keeps whether two devices share a
 * switch, and their NUMA nodes. Bridges become switches as in NCCL ({@code ncclTopoGetXmlFromSys}
 * in {@code src/graph/xml.cc}): going up from a device, every second one.
 */
public final class NcclXmlWriter {

  /** The maximum number of NVLinks of a GPU (NVML_NVLINK_MAX_LINKS). */
  private static final int MAX_NVLINKS = 18;

  private static final String WHOLE_SWITCHES = "cpu:"; // the prefix of the root of such a place

  private final HostTopology topology;
  private final Map<PciAddress, TopologyDevice> bridges = new HashMap<>();
  private final Set<String> rootsOnHost = new HashSet<>(); // the devices of the host
  private final StringWriter text = new StringWriter();
  private final XMLStreamWriter xml;
  private int depth;

  private NcclXmlWriter(HostTopology topology) throws XMLStreamException {
    this.topology = topology;
    this.xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
    for (TopologyDevice bridge : topology.bridges()) {
      PciAddress address = bridge.address();
      if (address != null) {
        bridges.put(address, bridge);
      }
    }
    for (TopologyDevice device : topology.endpoints()) {
      String root = topology.place(device).root();
      String ofHost = device.location().root();
      if (root != null && ofHost != null && !ofHost.startsWith(WHOLE_SWITCHES)) {
        rootsOnHost.add(root);
      }
    }
  }

  /**
   * {@return the text of the file: all endpoints with a PCI address, and NICs without one}
   *
   * @param topology the host
   */
  public static String write(HostTopology topology) {
    try {
      return new NcclXmlWriter(topology).system();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }

  private static final class Switch {
    private final Map<PciAddress, Switch> switches = new LinkedHashMap<>();
    private final List<TopologyDevice> devices = new ArrayList<>();
  }

  private String system() throws XMLStreamException {
    Map<Integer, Switch> byNumaNode = new TreeMap<>();
    for (NumaNode node : topology.numaNodes()) {
      byNumaNode.put(node.id(), new Switch());
    }
    Set<PciAddress> shared = sharedBuses();
    Map<PciAddress, Integer> nodes = new HashMap<>();
    for (TopologyDevice device : topology.endpoints()) {
      List<PciAddress> switches = switches(device, shared);
      int node = numaNode(device);
      if (!switches.isEmpty()) { // a file has each switch once, even if its devices disagree
        Integer other = nodes.putIfAbsent(switches.get(0), node);
        node = other != null ? other : node;
      }
      Switch place = byNumaNode.computeIfAbsent(node, any -> new Switch());
      for (PciAddress bridge : switches) {
        place = place.switches.computeIfAbsent(bridge, any -> new Switch());
      }
      place.devices.add(device);
    }
    start("system");
    xml.writeAttribute("version", "1");
    for (Map.Entry<Integer, Switch> node : byNumaNode.entrySet()) {
      cpu(node.getKey(), node.getValue());
    }
    end();
    return text + "\n";
  }

  /**
   * Returns the NUMA node of a device; -1 if not known. On a host with one node, a device without a
   * node is in that node; a device that a file keeps apart from its only node is not, unless the
   * host has such a device. In a tree that was moved to a virtual machine, the nodes of the tree
   * are numbered after the nodes of the machine: paths only need them to differ.
   */
  private int numaNode(TopologyDevice device) {
    OptionalInt node = device.location().numaNode();
    if (node.isPresent()) {
      return node.getAsInt();
    }
    OptionalInt recorded = topology.place(device).numaNode();
    if (recorded.isPresent()) {
      return firstFreeNode() + recorded.getAsInt();
    }
    boolean isApart =
        isAmongSwitches(device) && !rootsOnHost.contains(topology.place(device).root());
    return topology.numaNodes().size() == 1 && !isApart ? topology.numaNodes().get(0).id() : -1;
  }

  private int firstFreeNode() {
    return topology.endpoints().stream()
        .mapToInt(device -> device.location().numaNode().orElse(-1) + 1)
        .max()
        .orElse(0);
  }

  private boolean isAmongSwitches(TopologyDevice device) {
    String root = topology.place(device).root();
    return root != null && root.startsWith(WHOLE_SWITCHES);
  }

  /** Returns the bridges that have several cards directly below them, as on buses before PCIe. */
  private Set<PciAddress> sharedBuses() {
    Map<PciAddress, Long> cards = new HashMap<>();
    Set<PciAddress> shared = new HashSet<>();
    for (TopologyDevice device : topology.endpoints()) {
      List<PciAddress> chain = topology.place(device).bridges();
      if (device.address() == null || chain.isEmpty() || isAmongSwitches(device)) {
        continue;
      }
      PciAddress last = chain.get(chain.size() - 1);
      Long other = cards.putIfAbsent(last, device.address().card());
      if (other != null && other != device.address().card()) {
        shared.add(last);
      }
    }
    return shared;
  }

  private List<PciAddress> switches(TopologyDevice device, Set<PciAddress> shared) {
    List<PciAddress> chain = topology.place(device).bridges();
    if (isAmongSwitches(device)) {
      return chain;
    }
    List<PciAddress> switches = new ArrayList<>();
    int last = chain.size() - 1;
    for (int i = last - 1; i >= 0; i -= 2) {
      switches.add(0, chain.get(i));
    }
    if (last >= 0 && shared.contains(chain.get(last))) {
      switches.add(chain.get(last));
    }
    return switches;
  }

  private void cpu(int node, Switch place) throws XMLStreamException {
    start("cpu");
    xml.writeAttribute("numaid", Integer.toString(node));
    for (NumaNode known : topology.numaNodes()) {
      if (known.id() == node && !known.cpus().isEmpty()) {
        xml.writeAttribute("affinity", CpuMask.ofList(known.cpus()));
      }
    }
    CpuModel cpu = topology.cpu().orElse(null);
    if (cpu != null) {
      xml.writeAttribute("arch", cpu.architecture());
      if (!cpu.vendor().isEmpty()) {
        xml.writeAttribute("vendor", cpu.vendor());
        xml.writeAttribute("familyid", Integer.toString(cpu.family()));
        xml.writeAttribute("modelid", Integer.toString(cpu.model()));
      }
    }
    contents(place);
    end();
  }

  private void contents(Switch place) throws XMLStreamException {
    for (Map.Entry<PciAddress, Switch> below : place.switches.entrySet()) {
      TopologyDevice bridge = bridges.get(below.getKey());
      start("pci");
      xml.writeAttribute("busid", below.getKey().toString());
      identity(bridge == null ? null : bridge.identity(), 0x060400);
      link(bridge == null ? null : bridge.link());
      contents(below.getValue());
      end();
    }
    for (TopologyDevice device : place.devices) {
      device(device);
    }
  }

  private void device(TopologyDevice device) throws XMLStreamException {
    if (device.address() == null) {
      nic(device);
      return;
    }
    boolean nic = device.kind() == DeviceKind.NIC && !device.names().isEmpty();
    boolean gpu = device.kind() == DeviceKind.GPU;
    if (nic || gpu) {
      start("pci");
    } else {
      empty("pci");
    }
    xml.writeAttribute("busid", device.address().toString());
    identity(device.identity(), classOf(device.kind()));
    link(device.link());
    if (nic) {
      nic(device);
    } else if (gpu) {
      gpu(device);
    }
    if (nic || gpu) {
      end();
    }
  }

  /** Returns the default class of a kind; -1 for none. */
  private static int classOf(DeviceKind kind) {
    return switch (kind) {
      case NIC -> 0x020000;
      case GPU -> 0x030200;
      case ACCELERATOR -> 0x120000;
      case NVME, DISK, CPU, MEMORY, DISPLAY, BRIDGE, OTHER, UNKNOWN -> -1;
    };
  }

  private void nic(TopologyDevice device) throws XMLStreamException {
    start("nic");
    int number = 0;
    for (String name : device.names()) {
      empty("net");
      xml.writeAttribute("name", name);
      xml.writeAttribute("dev", Integer.toString(number++));
    }
    end();
  }

  private void gpu(TopologyDevice device) throws XMLStreamException {
    List<DirectLink> links =
        topology.links().stream()
            .filter(link -> link.a().equals(device.id()) || link.b().equals(device.id()))
            .toList();
    IntSummaryStatistics nvLinks =
        links.stream()
            .filter(link -> link.type() == DirectLink.Type.NVLINK)
            .mapToInt(DirectLink::count)
            .summaryStatistics();
    boolean switched = nvLinks.getSum() > MAX_NVLINKS;
    start("gpu");
    if (switched) {
      link("nvlink", NcclXml.UNKNOWN_TARGET, NcclXml.NVSWITCH, nvLinks.getMax());
    }
    for (DirectLink link : links) {
      if (link.type() == DirectLink.Type.C2C) {
        c2c(link);
      } else if (link.type() != DirectLink.Type.NVLINK || !switched) {
        peer(link, link.a().equals(device.id()) ? link.b() : link.a());
      }
    }
    end();
  }

  /** Writes a C2C link. NCCL rejects a file without the rate; without a link it asks the driver. */
  private void c2c(DirectLink link) throws XMLStreamException {
    if (link.megabytesPerSecond() > 0) {
      empty("c2c");
      xml.writeAttribute("bw", Integer.toString(link.megabytesPerSecond()));
      xml.writeAttribute("count", Integer.toString(link.count()));
    }
  }

  private void peer(DirectLink link, String id) throws XMLStreamException {
    TopologyDevice peer = topology.device(id).orElse(null);
    PciAddress address = peer == null ? null : peer.address();
    if (peer != null && address != null) {
      PciIdentity identity = peer.identity();
      int peerClass = classCode(identity, classOf(peer.kind()));
      link(link.type().label(), address.toString(), peerClass, link.count());
    }
  }

  private void link(String type, String target, int targetClass, int count)
      throws XMLStreamException {
    empty(type);
    xml.writeAttribute("target", target);
    xml.writeAttribute("count", Integer.toString(count));
    if (targetClass >= 0) {
      xml.writeAttribute("tclass", String.format("0x%06x", targetClass));
    }
  }

  private static int classCode(@Nullable PciIdentity identity, int otherwise) {
    return identity == null || identity.classCode() == PciIdentity.UNKNOWN_CLASS
        ? otherwise
        : identity.classCode();
  }

  private void identity(@Nullable PciIdentity identity, int otherwise) throws XMLStreamException {
    int classCode = classCode(identity, otherwise);
    if (classCode >= 0) {
      xml.writeAttribute("class", String.format("0x%06x", classCode));
    }
    if (identity != null && (identity.vendor() | identity.device()) != 0) {
      xml.writeAttribute("vendor", String.format("0x%04x", identity.vendor()));
      xml.writeAttribute("device", String.format("0x%04x", identity.device()));
      xml.writeAttribute("subsystem_vendor", String.format("0x%04x", identity.subsystemVendor()));
      xml.writeAttribute("subsystem_device", String.format("0x%04x", identity.subsystemDevice()));
    }
  }

  private void link(@Nullable PcieLink link) throws XMLStreamException {
    xml.writeAttribute(
        "link_speed", link == null ? "" : link.megatransfersPerSecond() / 1_000.0 + " GT/s PCIe");
    xml.writeAttribute("link_width", link == null ? "0" : Integer.toString(link.width()));
  }

  private void start(String name) throws XMLStreamException {
    indent();
    xml.writeStartElement(name);
    depth++;
  }

  private void empty(String name) throws XMLStreamException {
    indent();
    xml.writeEmptyElement(name);
  }

  private void end() throws XMLStreamException {
    depth--;
    indent();
    xml.writeEndElement();
    xml.flush();
  }

  private void indent() throws XMLStreamException {
    if (depth > 0 || text.getBuffer().length() > 0) {
      xml.writeCharacters("\n" + "  ".repeat(depth));
    }
  }
}
