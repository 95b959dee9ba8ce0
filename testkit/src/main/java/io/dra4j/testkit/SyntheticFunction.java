package io.dra4j.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IntSummaryStatistics;
import java.util.List;

/** One PCI function of a {@link SyntheticHost}. Its methods add to it and return it. */
public final class SyntheticFunction {

  private static final List<String> SPEEDS = List.of("2.5", "5.0", "8.0", "16.0", "32.0", "64.0");

  private final SyntheticHost host;
  private final SysfsTree tree;
  private final SyntheticBus bus;
  private final String address;
  private final String path;
  private final int pciClass;
  private final int vendor;
  private final int device;
  private int numaNode;
  private int linkSpeed;
  private int linkWidth;
  private int virtualFunctions;

  SyntheticFunction(
      SyntheticHost host, SyntheticBus bus, String address, int pciClass, int vendor, int device) {
    if (!address.matches("[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\\.[0-7]")) {
      throw new IllegalArgumentException("expected a PCI address like 0000:8f:00.0: " + address);
    }
    this.host = host;
    this.tree = host.tree();
    this.bus = bus;
    this.address = address;
    this.path = bus.path() + "/" + address;
    this.pciClass = pciClass;
    this.vendor = vendor;
    this.device = device;
    host.add(this);
    attribute("class", "0x%06x".formatted(pciClass));
    attribute("vendor", "0x%04x".formatted(vendor));
    attribute("device", "0x%04x".formatted(device));
    attribute("revision", "0x00");
    subsystem(vendor, 0);
    numaNode(bus.numaNode());
    driver("");
    tree.link(path + "/subsystem", "sys/bus/pci");
    tree.link("sys/bus/pci/devices/" + address, path);
  }

  /**
   * Adds any file of the function, also one that the kernel would not write.
   *
   * @param name the name of the file, or its path below the function's directory
   * @param value its text, to which a line end is added
   * @return this
   */
  public SyntheticFunction attribute(String name, String value) {
    tree.attribute(path + "/" + name, value);
    return this;
  }

  /**
   * Sets the vendor and device of the card.
   *
   * @param subsystemVendor the vendor of 16 bits
   * @param subsystemDevice the device of 16 bits
   * @return this
   */
  public SyntheticFunction subsystem(int subsystemVendor, int subsystemDevice) {
    attribute("subsystem_vendor", "0x%04x".formatted(subsystemVendor));
    return attribute("subsystem_device", "0x%04x".formatted(subsystemDevice));
  }

  /**
   * Sets the NUMA node.
   *
   * @param node the node; -1 if the firmware does not report it
   * @return this
   */
  public SyntheticFunction numaNode(int node) {
    numaNode = node;
    attribute("numa_node", String.valueOf(node));
    attribute("local_cpulist", host.cpuList(node));
    return attribute("local_cpus", host.cpuMask(node));
  }

  /**
   * Sets the driver.
   *
   * @param name the name of the driver, for example {@code mlx5_core}
   * @return this
   */
  public SyntheticFunction driver(String name) {
    if (!name.isEmpty()) {
      tree.link(path + "/driver", "sys/bus/pci/drivers/" + name);
      tree.link("sys/bus/pci/drivers/%s/%s".formatted(name, address), path);
    }
    return attribute(
        "uevent",
        (name.isEmpty() ? "" : "DRIVER=" + name + "\n")
            + "PCI_CLASS=%X\nPCI_ID=%04X:%04X\nPCI_SLOT_NAME=%s"
                .formatted(pciClass, vendor, device, address));
  }

  /**
   * Sets the PCIe link, both maximum and current.
   *
   * @param speed the speed as sysfs writes it: {@code 32.0 GT/s PCIe}
   * @param width the number of lanes
   * @return this
   */
  public SyntheticFunction link(String speed, int width) {
    linkSpeed = SPEEDS.indexOf(speed.substring(0, Math.max(0, speed.indexOf(' ')))) + 1;
    linkWidth = width;
    return attribute("max_link_speed", speed)
        .attribute("max_link_width", String.valueOf(width))
        .attribute("current_link_speed", speed)
        .attribute("current_link_width", String.valueOf(width));
  }

  /**
   * Sets the IOMMU group.
   *
   * @param group the number of the group
   * @return this
   */
  public SyntheticFunction iommuGroup(int group) {
    String directory = "sys/kernel/iommu_groups/" + group;
    tree.link(path + "/iommu_group", directory);
    tree.link(directory + "/devices/" + address, path);
    return this;
  }

  /**
   * Adds an Ethernet interface.
   *
   * @param name the name of the interface
   * @param megabits the speed in Mbit/s
   * @return this
   */
  public SyntheticFunction ethernet(String name, int megabits) {
    return networkInterface(name, 1, megabits);
  }

  /**
   * Adds an interface for IP over InfiniBand.
   *
   * @param name the name of the interface
   * @return this
   */
  public SyntheticFunction ipOverInfiniBand(String name) {
    return networkInterface(name, 32, 0);
  }

  private SyntheticFunction networkInterface(String name, int type, int megabits) {
    String directory = host.networkInterface(path + "/net", name, type, megabits);
    tree.link(directory + "/device", path);
    return this;
  }

  /**
   * Adds an RDMA device with one active port.
   *
   * @param name the name of the device
   * @param linkLayer {@code Ethernet} or {@code InfiniBand}
   * @param rate the rate as sysfs writes it: {@code 400 Gb/sec (4X NDR)}
   * @return this
   */
  public SyntheticFunction rdma(String name, String linkLayer, String rate) {
    String directory = host.rdmaDevice(path, name, linkLayer, rate);
    tree.link(directory + "/device", path);
    return this;
  }

  /**
   * Adds a graphics device with its render node.
   *
   * @param number the number of the card; its render node is {@code renderD128} and up
   * @return this
   */
  public SyntheticFunction drm(int number) {
    for (String name : List.of("card" + number, "renderD" + (128 + number))) {
      classDevice("drm", name);
    }
    return this;
  }

  /**
   * Adds an NVMe controller.
   *
   * @param number the number of the controller
   * @return this
   */
  public SyntheticFunction nvme(int number) {
    String directory = classDevice("nvme", "nvme" + number);
    tree.attribute(directory + "/address", address);
    tree.attribute(directory + "/model", "Synthetic NVMe");
    tree.attribute(directory + "/state", "live");
    tree.attribute(directory + "/transport", "pcie");
    return driver("nvme");
  }

  private String classDevice(String kind, String name) {
    String directory = "%s/%s/%s".formatted(path, kind, name);
    tree.link(directory + "/device", path);
    tree.link(directory + "/subsystem", "sys/class/" + kind);
    tree.link("sys/class/%s/%s".formatted(kind, name), directory);
    return directory;
  }

  /**
   * Adds a virtual function.
   *
   * @param virtualAddress its address, on the bus of this function
   * @param virtualDevice its device ID; the vendor is the same
   * @return the virtual function
   */
  public SyntheticFunction virtualFunction(String virtualAddress, int virtualDevice) {
    SyntheticFunction virtual = bus.function(virtualAddress, pciClass, vendor, virtualDevice);
    virtual.numaNode(numaNode);
    tree.link(virtual.path + "/physfn", path);
    tree.link(path + "/virtfn" + virtualFunctions, virtual.path);
    virtualFunctions++;
    attribute("sriov_numvfs", String.valueOf(virtualFunctions));
    attribute("sriov_totalvfs", String.valueOf(Math.max(8, virtualFunctions)));
    return virtual;
  }

  /** {@return the bus behind the function, a bridge; functions on it inherit the NUMA node} */
  public SyntheticBus busBehind() {
    return new SyntheticBus(host, path, numaNode);
  }

  /**
   * Adds a root that the function hides, as Intel's Volume Management Device does.
   *
   * @param name the name of the root, for example {@code pci10000:e0}
   * @return its bus
   */
  public SyntheticBus rootBehind(String name) {
    return new SyntheticBus(host, path + "/" + name, numaNode);
  }

  // ---- Config space, from which hwloc and lspci read the buses behind a bridge ----

  /** Called when all functions are known. */
  void writeConfigSpace() {
    ByteBuffer space = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    boolean bridge = pciClass >> 8 == 0x0604;
    space.putShort(0x00, (short) vendor).putShort(0x02, (short) device);
    space.putShort(0x06, (short) 0x10); // status: has a list of capabilities
    space.putInt(0x08, pciClass << 8);
    space.put(0x0e, (byte) (bridge ? 1 : 0));
    space.put(0x34, (byte) 0x60);
    if (bridge) {
      IntSummaryStatistics behind = busesBehind();
      space.put(0x18, (byte) busOf(address));
      space.put(0x19, (byte) behind.getMin()).put(0x1a, (byte) behind.getMax());
      attribute("secondary_bus_number", String.valueOf(behind.getMin()));
      attribute("subordinate_bus_number", String.valueOf(behind.getMax()));
    }
    space.put(0x60, (byte) 0x10); // PCI Express
    space.putShort(0x62, (short) (bridge ? 0x42 : 0x02)); // version 2, a root port or an endpoint
    space.putInt(0x6c, linkSpeed | linkWidth << 4);
    space.putShort(0x72, (short) (linkSpeed | linkWidth << 4));
    tree.file(path + "/config", space.array());
  }

  private IntSummaryStatistics busesBehind() {
    IntSummaryStatistics buses =
        host.functions()
            .filter(other -> other.path.startsWith(path + "/"))
            .filter(other -> domainOf(other.address).equals(domainOf(address)))
            .mapToInt(other -> busOf(other.address))
            .summaryStatistics();
    if (buses.getCount() == 0) {
      buses.accept(Math.min(0xff, busOf(address) + 1));
    }
    return buses;
  }

  private static int busOf(String address) {
    int colon = address.indexOf(':');
    return Integer.parseInt(address.substring(colon + 1, colon + 3), 16);
  }

  private static String domainOf(String address) {
    return address.substring(0, address.indexOf(':'));
  }
}
