package io.dra4j.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds a synthetic {@code /sys} of a machine without a capture. It has the names, units and
 * formats of the kernel's files that a reader of topology reads.
 *
 * <pre>{@code
 * SyntheticHost host = new SyntheticHost("two-gpus").numaNode(0, "0-15", 10);
 * SyntheticBus port = host.root("pci0000:8a", 0).bridge("0000:8a:00.0");
 * port.function("0000:8b:00.0", 0x030200, 0x10de, 0x2901).driver("nvidia");
 * CapturedHost captured = host.build();
 * }</pre>
 *
 * <p>A builder: mutable, for one thread.
 */
public final class SyntheticHost {

  private static final String NODES = "sys/devices/system/node/";

  private final String name;
  private final SysfsTree tree = new SysfsTree();
  private final TreeMap<Integer, String> cpuLists = new TreeMap<>();
  private final List<SyntheticFunction> functions = new ArrayList<>();
  private int interfaces;

  /**
   * Creates a machine without devices.
   *
   * @param name the name for {@link CapturedHost#name}
   */
  public SyntheticHost(String name) {
    this.name = name;
    tree.directory("sys/bus/pci/devices");
    tree.directory("sys/class/net");
    networkInterface("sys/devices/virtual/net", "lo", 772, 0);
  }

  /**
   * Adds a NUMA node.
   *
   * @param node its number
   * @param cpuList its processors as the kernel lists them, for example {@code 0-15,32-47}; empty
   *     for a node of memory only
   * @param distances the SLIT distances to all nodes, in the order of the nodes
   * @return this
   */
  public SyntheticHost numaNode(int node, String cpuList, int... distances) {
    String directory = NODES + "node" + node;
    cpuLists.put(node, cpuList);
    tree.attribute(directory + "/cpulist", cpuList);
    tree.attribute(directory + "/cpumap", mask(cpuList));
    tree.attribute(
        directory + "/distance",
        Arrays.stream(distances).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
    return this;
  }

  /**
   * Adds a socket with processors, each a separate core.
   *
   * @param socket its number
   * @param cpuList its processors as the kernel lists them
   * @return this
   */
  public SyntheticHost socket(int socket, String cpuList) {
    int core = 0;
    for (int cpu : cpus(cpuList)) {
      String directory = "sys/devices/system/cpu/cpu%d/topology".formatted(cpu);
      tree.attribute(directory + "/physical_package_id", socket);
      tree.attribute(directory + "/package_cpus", mask(cpuList));
      tree.attribute(directory + "/core_id", core++);
      tree.attribute(directory + "/core_cpus", mask(String.valueOf(cpu)));
    }
    return this;
  }

  /**
   * Adds a PCIe root.
   *
   * @param path its directory below {@code /sys/devices}: {@code pci0000:8a}, or with its parents,
   *     as on Azure: {@code LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/<GUID>/pci0001:00}
   * @param numaNode the NUMA node of its functions, unless they set another; -1 if not known
   * @return its bus
   */
  public SyntheticBus root(String path, int numaNode) {
    return new SyntheticBus(this, "sys/devices/" + path, numaNode);
  }

  /**
   * Adds a network interface that belongs to no PCI function, for example a bridge or one on the
   * VMBus.
   *
   * @param path the directory of its device below {@code /sys/devices}; {@code virtual} for an
   *     interface without a device
   * @param interfaceName its name
   * @param megabits the speed in Mbit/s
   * @return this
   */
  public SyntheticHost networkInterface(String path, String interfaceName, int megabits) {
    String device = "sys/devices/" + path;
    String directory = networkInterface(device + "/net", interfaceName, 1, megabits);
    if (!path.equals("virtual")) {
      tree.link(directory + "/device", device);
    }
    return this;
  }

  /**
   * Adds a software RDMA device (rxe), which has no device link and names its interface instead.
   *
   * @param rdmaName its name
   * @param interfaceName the interface that it is on
   * @return this
   */
  public SyntheticHost softwareRdma(String rdmaName, String interfaceName) {
    String directory =
        rdmaDevice("sys/devices/virtual", rdmaName, "Ethernet", "2.5 Gb/sec (1X SDR)");
    tree.attribute(directory + "/parent", interfaceName);
    return this;
  }

  /**
   * {@return the record of the machine in its present state}
   *
   * @throws IllegalArgumentException if an entry is below a file or link
   */
  public CapturedHost build() {
    if (!cpuLists.isEmpty()) {
      String all = list(cpuLists.navigableKeySet());
      tree.attribute(NODES + "online", all);
      tree.attribute(NODES + "possible", all);
      for (String state : List.of("online", "possible", "present")) {
        tree.attribute("sys/devices/system/cpu/" + state, list(allCpus()));
      }
    }
    functions.forEach(SyntheticFunction::writeConfigSpace);
    return tree.host(name);
  }

  // ---- For buses and functions ----

  SysfsTree tree() {
    return tree;
  }

  void add(SyntheticFunction function) {
    functions.add(function);
  }

  Stream<SyntheticFunction> functions() {
    return functions.stream();
  }

  String cpuList(int numaNode) {
    // Without a node the kernel reports all processors.
    return cpuLists.getOrDefault(numaNode, list(allCpus()));
  }

  String cpuMask(int numaNode) {
    return mask(cpuList(numaNode));
  }

  /**
   * Writes an interface into a directory {@code net}; returns its directory. Type: ARPHRD_ETHER 1,
   * _INFINIBAND 32, _LOOPBACK 772.
   */
  String networkInterface(String net, String interfaceName, int type, int megabits) {
    interfaces++;
    String directory = net + "/" + interfaceName;
    tree.attribute(directory + "/address", hardwareAddress(type));
    tree.attribute(directory + "/addr_len", type == 32 ? 20 : 6);
    tree.attribute(directory + "/ifindex", interfaces);
    tree.attribute(directory + "/iflink", interfaces);
    tree.attribute(directory + "/mtu", type == 772 ? 65536 : type == 32 ? 4092 : 1500);
    tree.attribute(directory + "/operstate", type == 772 ? "unknown" : "up");
    tree.attribute(directory + "/type", type);
    if (megabits > 0) {
      tree.attribute(directory + "/speed", megabits);
    }
    tree.attribute(
        directory + "/uevent", "INTERFACE=%s\nIFINDEX=%d".formatted(interfaceName, interfaces));
    tree.link(directory + "/subsystem", "sys/class/net");
    tree.link("sys/class/net/" + interfaceName, directory);
    return directory;
  }

  private String hardwareAddress(int type) {
    return switch (type) {
      case 772 -> "00:00:00:00:00:00";
      case 32 ->
          "00:00:10:49:fe:80:00:00:00:00:00:00:02:00:00:ff:fe:00:%02x:%02x"
              .formatted(interfaces >> 8, interfaces & 0xff);
      default -> "02:00:00:00:%02x:%02x".formatted(interfaces >> 8, interfaces & 0xff);
    };
  }

  /** Writes an RDMA device with one active port below its device; returns its directory. */
  String rdmaDevice(String device, String rdmaName, String linkLayer, String rate) {
    interfaces++;
    String guid = guid(interfaces);
    String directory = device + "/infiniband/" + rdmaName;
    tree.attribute(directory + "/node_type", "1: CA");
    tree.attribute(directory + "/node_guid", guid);
    tree.attribute(directory + "/sys_image_guid", guid);
    tree.attribute(directory + "/node_desc", rdmaName);
    String port = directory + "/ports/1";
    tree.attribute(port + "/state", "4: ACTIVE");
    tree.attribute(port + "/phys_state", "5: LinkUp");
    tree.attribute(port + "/link_layer", linkLayer);
    tree.attribute(port + "/rate", rate);
    tree.attribute(
        port + "/lid", linkLayer.equals("InfiniBand") ? "0x%x".formatted(interfaces) : "0x0");
    tree.attribute(port + "/gids/0", "fe80:0000:0000:0000:" + guid);
    tree.attribute(
        port + "/gid_attrs/types/0", linkLayer.equals("InfiniBand") ? "IB/RoCE v1" : "RoCE v2");
    tree.link(directory + "/subsystem", "sys/class/infiniband");
    tree.link("sys/class/infiniband/" + rdmaName, directory);
    return directory;
  }

  private static String guid(int number) {
    return String.format(Locale.ROOT, "0200:00ff:fe00:%04x", number);
  }

  // ---- The kernel's lists and masks of processors ----

  private SortedSet<Integer> allCpus() {
    SortedSet<Integer> all = new TreeSet<>();
    cpuLists.values().forEach(list -> all.addAll(cpus(list)));
    return all;
  }

  private static SortedSet<Integer> cpus(String list) {
    SortedSet<Integer> cpus = new TreeSet<>();
    for (String range : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      int dash = range.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
      for (int cpu = first; cpu <= last; cpu++) {
        cpus.add(cpu);
      }
    }
    return cpus;
  }

  private static String list(SortedSet<Integer> numbers) {
    int[] sorted = numbers.stream().mapToInt(Integer::intValue).toArray();
    List<String> ranges = new ArrayList<>();
    for (int first = 0, next; first < sorted.length; first = next) {
      next = first + 1;
      while (next < sorted.length && sorted[next] == sorted[next - 1] + 1) {
        next++;
      }
      ranges.add(
          next - first == 1
              ? String.valueOf(sorted[first])
              : sorted[first] + "-" + sorted[next - 1]);
    }
    return String.join(",", ranges);
  }

  /** Returns a mask in words of 32 bits, the highest first, as the kernel prints it. */
  private static String mask(String list) {
    SortedSet<Integer> cpus = cpus(list);
    int words = cpus.isEmpty() ? 1 : cpus.last() / 32 + 1;
    int[] bits = new int[words];
    cpus.forEach(cpu -> bits[cpu / 32] |= 1 << cpu % 32);
    StringBuilder text = new StringBuilder();
    for (int word = words - 1; word >= 0; word--) {
      text.append(String.format(Locale.ROOT, word == words - 1 ? "%x" : ",%08x", bits[word]));
    }
    return text.toString();
  }
}
