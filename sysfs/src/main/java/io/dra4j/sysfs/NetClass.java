package io.dra4j.sysfs;

import io.dra4j.spi.Netdev;
import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code /sys/class/net}, which shows the network namespace of its reader. */
final class NetClass {

  private static final String NET = "sys/class/net";

  /** NET_ADDR_RANDOM of {@code include/uapi/linux/netdevice.h}. */
  private static final String RANDOM = "1";

  private final SysfsTree tree;
  private final PciFunctions functions;
  private final Map<String, PciAddress> addresses = new HashMap<>();

  NetClass(SysfsTree tree, PciFunctions functions) {
    this.tree = tree;
    this.functions = functions;
  }

  List<Netdev> read() {
    List<Netdev> netdevs = new ArrayList<>();
    for (String name : tree.list(NET)) {
      if (name.equals("bonding_masters")) { // the one entry that is a file
        continue;
      }
      String entry = NET + "/" + name;
      Optional<SysfsTree.Directory> directory = tree.directory(entry);
      if (directory.isEmpty()) {
        tree.warn(entry, "is a broken link; left out");
        continue;
      }
      netdevs.add(netdev(name, entry, directory.get()));
    }
    return netdevs;
  }

  private Netdev netdev(String name, String entry, SysfsTree.Directory directory) {
    boolean virtual = directory.path().startsWith("sys/devices/virtual/");
    Optional<PciAddress> address =
        PciPath.parse(directory.path())
            .last()
            .or(() -> tree.target(entry + "/device").flatMap(path -> PciPath.parse(path).last()));
    address.ifPresent(
        function -> {
          addresses.put(name, function);
          if (!isRepresentor(directory)) {
            functions.addNetdev(function, name);
          }
        });
    String state = directory.text("operstate").orElse("");
    Netdev.Builder netdev =
        Netdev.named(name)
            .address(address.orElse(null))
            .virtual(virtual)
            .hardwareAddress(directory.text("address").orElse(""))
            .operationalState(state);
    directory.number("ifindex", Integer.MAX_VALUE).ifPresent(netdev::index);
    directory.number("mtu", Integer.MAX_VALUE).ifPresent(netdev::mtu);
    if (state.equals("up")) { // the kernel refuses to read the speed of a link that is down
      directory.number("speed", Integer.MAX_VALUE).ifPresent(netdev::megabitsPerSecond);
    }
    if (address.isPresent()) {
      directory.number("dev_port", 0xffff).ifPresent(netdev::devicePort); // 16 bits
    }
    return netdev.build();
  }

  /**
   * Returns whether a netdev represents a virtual function of the NIC in whose directory it is. Old
   * drivers do not name the ports of their switches; with them, only the NIC's own port has a
   * permanent address.
   */
  static boolean isRepresentor(SysfsTree.Directory netdev) {
    String port = netdev.readable("phys_port_name").orElse("");
    boolean hasSwitchId =
        (port.isEmpty() || Character.isDigit(port.charAt(0)))
            && !netdev.readable("phys_switch_id").orElse("").isEmpty();
    return port.isEmpty()
        ? hasSwitchId && netdev.readable("addr_assign_type").filter(RANDOM::equals).isPresent()
        : Netdev.isRepresentor(port, hasSwitchId);
  }

  /** Returns the function that a netdev is on. */
  Optional<PciAddress> ofNetdev(String name) {
    return Optional.ofNullable(addresses.get(name));
  }
}
