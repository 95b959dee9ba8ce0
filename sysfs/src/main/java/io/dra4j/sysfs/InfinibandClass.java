package io.dra4j.sysfs;

import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads {@code /sys/class/infiniband}. Software devices such as rxe have no hardware to link to,
 * but name the netdev they are built on.
 */
final class InfinibandClass {

  private static final String INFINIBAND = "sys/class/infiniband";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

  private final SysfsTree tree;
  private final PciFunctions functions;
  private final NetClass net;

  InfinibandClass(SysfsTree tree, PciFunctions functions, NetClass net) {
    this.tree = tree;
    this.functions = functions;
    this.net = net;
  }

  List<RdmaDevice> read() {
    List<RdmaDevice> devices = new ArrayList<>();
    for (String name : tree.list(INFINIBAND)) {
      String entry = INFINIBAND + "/" + name;
      Optional<SysfsTree.Folder> folder = tree.folder(entry);
      if (folder.isEmpty()) {
        tree.warn(entry, "leads nowhere; left out");
        continue;
      }
      devices.add(device(name, entry, folder.get()));
    }
    return devices;
  }

  private RdmaDevice device(String name, String entry, SysfsTree.Folder folder) {
    Optional<String> parent = folder.text("parent");
    Optional<PciAddress> address =
        PciPath.parse(folder.path())
            .last()
            .or(() -> parent.flatMap(net::ofNetdev))
            .or(() -> function(entry + "/device"))
            .or(() -> functions.ofRdmaDevice(name));
    address.ifPresent(function -> functions.addRdmaDevice(function, name));
    return new RdmaDevice(
        name,
        address.orElse(null),
        parent.orElse(null),
        folder.text("node_type").orElse(""),
        folder.text("node_guid").orElse(""),
        folder.text("sys_image_guid").orElse(""),
        folder.text("fw_ver").orElse(""),
        ports(folder));
  }

  private Optional<PciAddress> function(String link) {
    return tree.target(link).flatMap(path -> PciPath.parse(path).last());
  }

  private List<RdmaPort> ports(SysfsTree.Folder device) {
    List<RdmaPort> ports = new ArrayList<>();
    for (String name : device.list("ports")) {
      OptionalInt number = KernelText.decimal(name, 0xff); // ibv_port numbers have 8 bits
      if (number.isPresent()) {
        tree.folder(device.path() + "/ports/" + name)
            .ifPresent(folder -> ports.add(port(number.getAsInt(), folder)));
      }
    }
    ports.sort((a, b) -> Integer.compare(a.number(), b.number()));
    return ports;
  }

  private static RdmaPort port(int number, SysfsTree.Folder folder) {
    Optional<String> lid = folder.text("lid");
    return new RdmaPort(
        number,
        afterNumber(folder.text("state").orElse("")),
        afterNumber(folder.text("phys_state").orElse("")),
        rate(folder.text("rate").orElse("")),
        folder.text("link_layer").orElse(""),
        lid.isPresent() ? KernelText.hexadecimal(lid.get(), 0xffff) : OptionalInt.empty());
  }

  /** The name in a text such as {@code 4: ACTIVE}. */
  static String afterNumber(String text) {
    int colon = text.indexOf(':');
    return colon < 0 ? text : text.substring(colon + 1).trim();
  }

  /** The rate in a text such as {@code 2.5 Gb/sec (1X SDR)}. */
  static OptionalDouble rate(String text) {
    int end = text.indexOf(" Gb/sec");
    if (end <= 0 || end > 10 || !NUMBER.matcher(text.substring(0, end)).matches()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(Double.parseDouble(text.substring(0, end)));
  }
}
