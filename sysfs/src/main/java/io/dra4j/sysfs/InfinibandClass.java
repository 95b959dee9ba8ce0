package io.dra4j.sysfs;

import io.dra4j.common.PrintableText;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.PciAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code /sys/class/infiniband} ({@code stable/sysfs-class-infiniband} of the kernel).
 * Software devices such as rxe do not link to hardware, but name the netdev they are built on. A
 * fact that is not in the kernel's format is left out with a warning; the device stays.
 */
final class InfinibandClass {

  private static final String INFINIBAND = "sys/class/infiniband";
  private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
  private static final Pattern GUID = Pattern.compile("[0-9a-f]{4}(:[0-9a-f]{4}){3}");
  private static final Pattern GID = Pattern.compile("[0-9a-f]{4}(:[0-9a-f]{4}){7}");

  /** {@code <unknown>} stands for states without a name, such as 9, the offline state of OPA. */
  private static final Pattern NUMBERED = Pattern.compile("[0-9]+: ([\\w. -]+|<unknown>)");

  /** For the link layer of EFA, Linux writes {@code Unknown}; {@code Unspecified} also occurs. */
  private static final Pattern LINK_LAYER =
      Pattern.compile("InfiniBand|Ethernet|Unknown|Unspecified");

  private static final Pattern GID_TYPE = Pattern.compile("IB/RoCE v1|RoCE v2");
  private static final Pattern COUNTER = Pattern.compile("[0-9]{1,20}");

  /** Older kernels write this for each counter of a port without counters. */
  private static final String NO_COUNTER = "N/A (no PMA)";

  private static final Pattern MASK = Pattern.compile("0x[0-9a-f]{1,8}");
  private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}\\uFFFD]{0,255}");
  private static final Pattern INTERFACE = Pattern.compile("(?!\\.{1,2}$)[^\\s/\\p{Cntrl}]{1,15}");

  /** The last 8 bytes of a GID that is not in use, as {@code ibv_devinfo} prints them. */
  private static final String NO_INTERFACE = ":0000:0000:0000:0000";

  /** The files of every device and port ({@code stable/sysfs-class-infiniband}). */
  private static final List<String> FACTS_OF_DEVICES =
      List.of("node_type", "node_guid", "sys_image_guid", "node_desc");

  private static final List<String> FACTS_OF_PORTS =
      List.of("state", "phys_state", "link_layer", "rate", "lid");

  /** The number of {@code RDMA_NODE_IB_SWITCH}. */
  private static final String SWITCH = "2:";

  /** The maximum number of unexpected names of a directory in a warning. */
  private static final int SHOWN = 8;

  /** Since Linux 5.13 ports have 32 bits: mlx5 makes one for each representor of a switch. */
  static final int MAX_PORT = 4_096;

  /** The maximum number of counters that are read; no driver has more. */
  private static final int MAX_COUNTERS = 1_024;

  private static final int MAX_LID = 0xff_ffff; // OPA's have 24 bits

  /** The maximum number of used ports, GIDs and keys to read; the largest hosts have a third. */
  static final int MAX_IN_USE = 100_000;

  /** The maximum of ports, GIDs and keys, used or not; 3,000 functions with 256 GIDs have fewer. */
  static final int MAX_PLACES = 1_000_000;

  private final SysfsTree tree;
  private int inUse;
  private int places;
  private boolean isFull;

  private final Function<String, Optional<PciAddress>> ofNetdev;
  private final Function<String, Optional<PciAddress>> ofRdmaDevice;
  private final BiConsumer<PciAddress, String> found;

  /**
   * Creates a reader for a tree.
   *
   * @param ofNetdev returns the PCI function that a netdev is on
   * @param ofRdmaDevice returns the PCI function that lists an RDMA device
   * @param found called with each RDMA device that is on a PCI function
   */
  InfinibandClass(
      SysfsTree tree,
      Function<String, Optional<PciAddress>> ofNetdev,
      Function<String, Optional<PciAddress>> ofRdmaDevice,
      BiConsumer<PciAddress, String> found) {
    this.tree = tree;
    this.ofNetdev = ofNetdev;
    this.ofRdmaDevice = ofRdmaDevice;
    this.found = found;
  }

  List<RdmaDevice> read() {
    List<RdmaDevice> devices = new ArrayList<>();
    for (String name : tree.list(INFINIBAND)) {
      String entry = INFINIBAND + "/" + name;
      Optional<SysfsTree.Directory> directory = tree.directory(entry);
      if (directory.isEmpty()) {
        tree.warn(entry, "is a broken link; only the name of the RDMA device is known");
        devices.add(RdmaDevice.named(name).build());
        continue;
      }
      devices.add(device(name, entry, directory.get()));
    }
    return devices;
  }

  private RdmaDevice device(String name, String entry, SysfsTree.Directory directory) {
    Optional<String> parent =
        text(directory, "parent", INTERFACE, "the name of a netdev")
            .filter(text -> !text.isEmpty());
    parent
        .filter(netdev -> tree.directory("sys/class/net/" + netdev).isEmpty())
        .ifPresent(
            netdev ->
                tree.warn(
                    directory.path() + "/parent",
                    "names " + netdev + ", which is not in /sys/class/net"));
    Optional<PciAddress> address =
        PciPath.parse(directory.path())
            .last()
            .or(() -> parent.flatMap(ofNetdev))
            .or(() -> function(entry + "/device"))
            .or(() -> ofRdmaDevice.apply(name));
    address.ifPresent(function -> found.accept(function, name));
    String nodeType = text(directory, "node_type", NUMBERED, "a type such as 1: CA").orElse("");
    RdmaDevice device =
        RdmaDevice.named(name)
            .address(address.orElse(null))
            .parent(parent.orElse(null))
            .nodeType(nodeType)
            .nodeGuid(guid(directory, "node_guid"))
            .sysImageGuid(guid(directory, "sys_image_guid"))
            .firmwareVersion(line(directory, "fw_ver"))
            .model(line(directory, "hca_type"))
            .boardId(line(directory, "board_id"))
            .description(line(directory, "node_desc"))
            .ports(ports(directory, nodeType.startsWith(SWITCH) ? 0 : 1))
            .build();
    tellMissing(directory, FACTS_OF_DEVICES);
    return device;
  }

  /** Warns about files that the kernel has for every device or port, but a capture may lack. */
  private void tellMissing(SysfsTree.Directory directory, List<String> names) {
    List<String> missing = names.stream().filter(directory::wasMissing).toList();
    if (!missing.isEmpty()) {
      tree.warn(directory.path(), "has no file " + String.join(", ", missing));
    }
  }

  private Optional<PciAddress> function(String link) {
    Optional<String> target = tree.target(link);
    target
        .filter(path -> tree.directory(path).isEmpty())
        .ifPresent(path -> tree.warn(link, "leads to /" + path + ", which does not exist"));
    return target.flatMap(path -> PciPath.parse(path).last());
  }

  /**
   * Reads the ports, from the first number on, which is 0 for a switch ({@code rdma_start_port}).
   */
  private List<RdmaPort> ports(SysfsTree.Directory device, int first) {
    List<RdmaPort> ports = new ArrayList<>();
    Optional<SysfsTree.Directory> all = inside(device, "ports");
    if (all.isEmpty()) {
      if (!device.list().contains("ports")) {
        tree.warn(device.path(), "has no directory ports: its ports are unknown");
      }
      return List.of();
    }
    List<Integer> numbers = numbers(all.get(), first, MAX_PORT);
    if (numbers.isEmpty() && !isFull) {
      tree.warn(all.get().path(), "has no port");
    }
    for (int number : numbers) {
      Optional<SysfsTree.Directory> directory = inside(all.get(), Integer.toString(number));
      if (directory.isPresent() && hasRoom(directory.get())) {
        ports.add(port(number, directory.get()));
      }
    }
    return ports;
  }

  /**
   * Returns a directory inside the directory of a device, where the kernel has no links. In a
   * captured tree many links could lead to one directory, so that a small tree takes endless time.
   */
  private Optional<SysfsTree.Directory> inside(SysfsTree.Directory directory, String name) {
    String path = directory.path() + "/" + name;
    Optional<SysfsTree.Directory> found = tree.directory(path);
    if (found.isPresent() && !found.get().path().equals(path)) {
      tree.warn(path, "is a link, but the kernel has no links here; it is left out");
      return Optional.empty();
    }
    return found;
  }

  /** Returns whether one more port, GID or key may be read, and counts it. */
  private boolean hasRoom(SysfsTree.Directory directory) {
    if (inUse == MAX_IN_USE) {
      full(directory, "more than " + MAX_IN_USE + " ports, GIDs and partition keys");
    }
    inUse++;
    return !isFull;
  }

  /** Adds a single warning for all entries that are left out. */
  private void full(SysfsTree.Directory directory, String found) {
    if (!isFull) {
      isFull = true;
      tree.warn(directory.path(), "RDMA devices have " + found + "; the rest is left out");
    }
  }

  private RdmaPort port(int number, SysfsTree.Directory directory) {
    RdmaPort.Builder port =
        RdmaPort.numbered(number)
            .state(afterNumber(state(directory, "state")))
            .physicalState(afterNumber(state(directory, "phys_state")))
            .gids(gids(directory))
            .pkeys(pkeys(directory));
    text(directory, "link_layer", LINK_LAYER, "InfiniBand or Ethernet")
        .filter(layer -> !layer.startsWith("Un"))
        .ifPresent(port::linkLayer);
    directory
        .text("rate")
        .map(text -> rate(directory, text))
        .ifPresent(r -> r.ifPresent(port::gigabitsPerSecond));
    lid(directory, "lid", port::lid);
    lid(directory, "sm_lid", port::subnetManagerLid);
    directory.number("lid_mask_count", 7).ifPresent(port::lidMaskCount); // 3 bits
    text(directory, "cap_mask", MASK, "a mask such as 0x02514868")
        .map(mask -> Long.parseLong(mask.substring(2), 16))
        .ifPresent(port::capabilityMask);
    tellMissing(directory, FACTS_OF_PORTS);
    return port.build();
  }

  private String state(SysfsTree.Directory directory, String name) {
    return text(directory, name, NUMBERED, "a state such as 4: ACTIVE").orElse("");
  }

  /** Reads a local identifier. The kernel writes 0 if there is none. */
  private void lid(SysfsTree.Directory directory, String name, IntConsumer lid) {
    Optional<String> text = directory.text(name);
    if (text.isEmpty()) {
      return;
    }
    OptionalInt number = KernelText.hexadecimal(text.get(), MAX_LID);
    if (number.isEmpty()) {
      expected(directory, name, "a local identifier such as 0x3a4", text.get());
    } else if (number.getAsInt() > 0) {
      lid.accept(number.getAsInt());
    }
  }

  private OptionalDouble rate(SysfsTree.Directory directory, String text) {
    OptionalDouble rate = rate(text);
    if (rate.isEmpty()) {
      expected(directory, "rate", "a rate such as 100 Gb/sec (4X EDR)", text);
    }
    return rate;
  }

  /** Returns the wanted counters of a port, first the counters of the architecture. */
  Map<String, Long> counters(String device, int port, Predicate<String> wanted) {
    Map<String, Long> counters = new LinkedHashMap<>();
    Optional<SysfsTree.Directory> directoryOfPort =
        tree.directory(INFINIBAND + "/" + device)
            .flatMap(directory -> inside(directory, "ports"))
            .flatMap(ports -> inside(ports, Integer.toString(port)));
    for (String kind : List.of("counters", "hw_counters")) {
      Optional<SysfsTree.Directory> directory = directoryOfPort.flatMap(one -> inside(one, kind));
      if (directory.isPresent()) {
        List<String> names = directory.get().list();
        if (names.size() > MAX_COUNTERS) {
          tree.warn(
              directory.get().path(),
              "has " + names.size() + " files; " + MAX_COUNTERS + " are read");
          names = names.subList(0, MAX_COUNTERS);
        }
        for (String name : names) {
          if (!name.equals("lifespan") && wanted.test(name)) { // lifespan is a setting
            // The kernel refuses to read counters that the hardware lacks.
            directory
                .get()
                .readable(name)
                .filter(text -> !text.equals(NO_COUNTER))
                .map(text -> counter(directory.get(), name, text))
                .ifPresent(count -> count.ifPresent(n -> counters.putIfAbsent(name, n)));
          }
        }
      }
    }
    return Collections.unmodifiableMap(counters);
  }

  /** Parses a counter, which has 64 bits without a sign. */
  private OptionalLong counter(SysfsTree.Directory directory, String name, String text) {
    if (COUNTER.matcher(text).matches()) {
      try {
        return OptionalLong.of(Long.parseUnsignedLong(text));
      } catch (NumberFormatException e) {
        // 20 digits that are more than 64 bits
      }
    }
    expected(directory, name, "a number from 0 to 18446744073709551615", text);
    return OptionalLong.empty();
  }

  /** Reads the GIDs in use; the kernel has a file for each entry of the table. */
  private List<RdmaGid> gids(SysfsTree.Directory port) {
    Optional<SysfsTree.Directory> table = inside(port, "gids");
    if (table.isEmpty()) {
      return List.of();
    }
    SysfsTree.Directory types = null;
    SysfsTree.Directory netdevs = null;
    boolean looked = false;
    List<RdmaGid> gids = new ArrayList<>();
    for (int index : numbers(table.get(), 0, 0xffff)) {
      String name = Integer.toString(index);
      Optional<String> gid = text(table.get(), name, GID, "a GID of eight groups of four digits");
      if (gid.isEmpty() || gid.get().endsWith(NO_INTERFACE)) {
        continue;
      }
      if (!hasRoom(table.get())) {
        break;
      }
      if (!looked) {
        types = attributes(port, "types");
        netdevs = attributes(port, "ndevs");
        looked = true;
      }
      // The kernel refuses to read facts that a GID of InfiniBand lacks, and removed GIDs.
      gids.add(
          new RdmaGid(
              index,
              gid.get(),
              types == null ? "" : types.readable(name).filter(matches(GID_TYPE)).orElse(""),
              netdevs == null
                  ? null
                  : netdevs.readable(name).filter(matches(INTERFACE)).orElse(null)));
    }
    return gids;
  }

  private SysfsTree.@Nullable Directory attributes(SysfsTree.Directory port, String name) {
    return inside(port, "gid_attrs").flatMap(directory -> inside(directory, name)).orElse(null);
  }

  /** Reads the keys in use; the membership bit alone is not a key (IBTA 10.9.2). */
  private List<Integer> pkeys(SysfsTree.Directory port) {
    Optional<SysfsTree.Directory> table = inside(port, "pkeys");
    if (table.isEmpty()) {
      return List.of();
    }
    List<Integer> pkeys = new ArrayList<>();
    for (int index : numbers(table.get(), 0, 0xffff)) {
      String name = Integer.toString(index);
      Optional<String> text = table.get().text(name);
      if (text.isPresent()) {
        OptionalInt pkey = KernelText.hexadecimal(text.get(), 0xffff);
        if (pkey.isEmpty()) {
          expected(table.get(), name, "a partition key such as 0xffff", text.get());
        } else if ((pkey.getAsInt() & 0x7fff) != 0) {
          if (!hasRoom(table.get())) {
            break;
          }
          pkeys.add(pkey.getAsInt());
        }
      }
    }
    return pkeys;
  }

  /** Returns the names in a directory, which the kernel creates from numbers, as sorted numbers. */
  private List<Integer> numbers(SysfsTree.Directory directory, int min, int max) {
    if (isFull) {
      return List.of();
    }
    List<String> names = directory.list();
    places += names.size();
    if (places > MAX_PLACES) {
      full(
          directory,
          "more than " + MAX_PLACES + " table entries for ports, GIDs and partition keys");
      return List.of();
    }
    List<Integer> numbers = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String text : names) {
      OptionalInt number = KernelText.decimal(text, max);
      if (number.orElse(-1) >= min && text.equals(Integer.toString(number.getAsInt()))) {
        numbers.add(number.getAsInt());
      } else {
        others.add(text);
      }
    }
    if (!others.isEmpty()) {
      tree.warn(
          directory.path(),
          "expected numbers from %d to %d, found %s; left out"
              .formatted(min, max, PrintableText.some(others, SHOWN, KernelText::quote)));
    }
    numbers.sort(null);
    return numbers;
  }

  private String guid(SysfsTree.Directory directory, String name) {
    return text(directory, name, GUID, "a GUID such as 0002:c903:00f9:bfa0").orElse("");
  }

  /** Returns free text, which may be empty. */
  private String line(SysfsTree.Directory directory, String name) {
    return text(directory, name, LINE, "one line of text").orElse("");
  }

  private Optional<String> text(
      SysfsTree.Directory directory, String name, Pattern form, String expected) {
    Optional<String> text = directory.text(name);
    if (text.isPresent() && !form.matcher(text.get()).matches()) {
      expected(directory, name, expected, text.get());
      return Optional.empty();
    }
    return text;
  }

  private void expected(SysfsTree.Directory directory, String name, String expected, String text) {
    tree.warn(
        directory.path() + "/" + name,
        "expected " + expected + ", found " + KernelText.quote(text));
  }

  private static Predicate<String> matches(Pattern form) {
    return form.asMatchPredicate();
  }

  /** {@return the name in a string such as {@code 4: ACTIVE}; {@code UNKNOWN} if there is none} */
  static String afterNumber(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(colon + 1).trim();
    return name.equals("<unknown>") ? "UNKNOWN" : name;
  }

  /** Returns the rate in a string such as {@code 2.5 Gb/sec (1X SDR)}. */
  static OptionalDouble rate(String text) {
    int end = text.indexOf(" Gb/sec");
    if (end <= 0 || end > 10 || !NUMBER.matcher(text.substring(0, end)).matches()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(Double.parseDouble(text.substring(0, end)));
  }
}
