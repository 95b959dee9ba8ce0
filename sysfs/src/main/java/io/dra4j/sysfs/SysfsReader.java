package io.dra4j.sysfs;

import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.TopologyReader;
import java.util.Optional;

/**
 * Reads the facts that Linux reports in {@code /sys} and {@code /proc}: PCI functions, NUMA nodes,
 * network and RDMA devices ({@code Documentation/ABI/testing/sysfs-bus-pci}, {@code
 * sysfs-devices-node}, {@code sysfs-class-net}, {@code stable/sysfs-class-infiniband} of the
 * kernel).
 *
 * <p>Names of vendors and devices come from the host's pci.ids, or from the pci.ids of this machine
 * if a captured host has none. An instance keeps the content of these files.
 */
public final class SysfsReader implements TopologyReader {

  private final PciIdsFile pciIds = new PciIdsFile();
  private final KnownDirectories knownDirectories = new KnownDirectories();

  /** Creates a reader. */
  public SysfsReader() {}

  /**
   * {@return the facts that this reader alone reads from a host}
   *
   * @param host the host
   */
  public static HostInventory read(Host host) {
    HostInventory.Builder inventory = HostInventory.builder();
    new SysfsReader().read(host, inventory);
    return inventory.build();
  }

  @Override
  public String name() {
    return "sysfs";
  }

  @Override
  public void read(Host host, HostInventory.Builder inventory) {
    Optional<SysfsTree> opened = SysfsTree.open(host, inventory::warn, knownDirectories);
    if (opened.isEmpty()) {
      return;
    }
    SysfsTree tree = opened.get();
    tree.text("proc/sys/kernel/hostname").ifPresent(inventory::name);
    ProcessorFile.read(tree).ifPresent(inventory::cpu);
    new NumaNodes(tree).read().forEach(inventory::numaNode);
    PciFunctions functions = new PciFunctions(tree, pciIds.of(host));
    functions.read();
    NetClass net = new NetClass(tree, functions);
    net.read().forEach(inventory::netdev);
    new InfinibandClass(tree, net::ofNetdev, functions::ofRdmaDevice, functions::addRdmaDevice)
        .read()
        .forEach(inventory::rdmaDevice);
    functions.named().forEach(inventory::pciFunction);
  }
}
