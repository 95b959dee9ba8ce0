package io.dra4j.sysfs;

import io.dra4j.spi.PciFunction;
import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.Location;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.PciIdentity;
import io.dra4j.topology.PcieLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code /sys/bus/pci/devices}. The place of a function comes only from the text of its link,
 * so trees without the bridges' own entries or configuration spaces lose nothing.
 */
final class PciFunctions {

  private static final String DEVICES = "sys/bus/pci/devices";

  /** The class of bridges from PCI to PCI (PCI Code and ID Assignment Specification). */
  private static final int CLASS_OF_BRIDGES = 0x06_04_00;

  /** PCI trees are at most 256 buses deep; real ones have a tenth of that. */
  private static final int MAX_DEPTH = 64;

  /** The files of a bridge that are read; listing the directory would take longer. */
  private static final List<String> OF_BRIDGES = List.of("driver", "iommu_group", "max_link_speed");

  /** The files of a bridge to read without an IOMMU, where a search for missing files is slow. */
  private static final List<String> WITHOUT_GROUPS = List.of("driver", "max_link_speed");

  /** A function with the facts that distinguish bridges from other functions. */
  private record Entry(
      PciAddress address,
      String path,
      PciPath place,
      SysfsTree.Directory directory,
      Uevent uevent,
      @Nullable PciIdentity identity) {

    boolean isBridge() {
      return identity != null && identity.kind() == DeviceKind.BRIDGE;
    }

    boolean hasNoClass() {
      return identity == null || identity.classCode() == PciIdentity.UNKNOWN_CLASS;
    }

    Entry asBridge() {
      PciIdentity bridge =
          identity == null
              ? new PciIdentity(CLASS_OF_BRIDGES, 0, 0, 0, 0)
              : new PciIdentity(
                  CLASS_OF_BRIDGES,
                  identity.vendor(),
                  identity.device(),
                  identity.subsystemVendor(),
                  identity.subsystemDevice());
      return new Entry(address, path, place, directory, uevent, bridge);
    }
  }

  private final SysfsTree tree;
  private final @Nullable PciIds ids;
  private final Map<PciAddress, PciFunction> functions = new TreeMap<>();
  private final Map<PciAddress, SysfsTree.Directory> netDirectories = new TreeMap<>();
  private final Map<PciAddress, TreeSet<String>> netdevs = new TreeMap<>();
  private final Map<PciAddress, TreeSet<String>> rdmaDevices = new TreeMap<>();

  PciFunctions(SysfsTree tree, @Nullable PciIds ids) {
    this.tree = tree;
    this.ids = ids;
  }

  void read() {
    List<Entry> entries = listed();
    if (entries.isEmpty()) {
      search()
          .forEach(
              (address, path) ->
                  tree.directory(path)
                      .ifPresent(
                          directory ->
                              entries.add(entry(address, path, PciPath.parse(path), directory))));
    }
    List<Entry> named = withBridges(entries);
    for (Entry entry : named) {
      if (!entry.isBridge()) {
        functions.put(entry.address(), function(entry, entry.directory().list()));
      }
    }
    boolean grouped = functions.values().stream().anyMatch(f -> f.iommuGroup().isPresent());
    for (Entry entry : named) {
      if (entry.isBridge()) {
        functions.put(entry.address(), function(entry, grouped ? OF_BRIDGES : WITHOUT_GROUPS));
      }
    }
    connectPorts();
  }

  /** Returns the functions that {@code /sys/bus/pci/devices} lists. */
  private List<Entry> listed() {
    Map<PciAddress, String> searched = null;
    List<Entry> entries = new ArrayList<>();
    for (String name : tree.list(DEVICES)) {
      Optional<PciAddress> parsed = PciAddress.tryParse(name);
      if (parsed.isEmpty()) {
        tree.warn(DEVICES + "/" + KernelText.quote(name), "is not a PCI address; left out");
        continue;
      }
      PciAddress address = parsed.get();
      String entry = DEVICES + "/" + name;
      Optional<SysfsTree.Directory> directory = tree.directory(entry);
      if (directory.isEmpty()) {
        tree.warn(entry, "is a broken link; left out");
        continue;
      }
      String path = directory.get().path();
      if (path.equals(entry)) { // a directory where the kernel has a link
        searched = searched == null ? search() : searched;
        path = searched.getOrDefault(address, entry);
      }
      PciPath place = PciPath.parse(path);
      if (place.root() != null && !place.last().equals(parsed)) {
        tree.warn(entry, "leads to another device: " + KernelText.quote(path) + "; left out");
        continue;
      }
      entries.add(entry(address, path, place, directory.get()));
    }
    return entries;
  }

  /** A function without a class is a bridge if others are below it; else its kind is unknown. */
  private List<Entry> withBridges(List<Entry> entries) {
    Set<PciAddress> bridges = new HashSet<>();
    entries.forEach(entry -> bridges.addAll(entry.place().bridges()));
    List<Entry> named = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      boolean isBridge = entry.hasNoClass() && bridges.contains(entry.address());
      if (entry.hasNoClass() && entry.identity() != null && !isBridge) {
        tree.warn(entry.directory().path(), "has no readable class; its kind is unknown");
      }
      named.add(isBridge ? entry.asBridge() : entry);
    }
    return named;
  }

  /** Returns the functions below {@code /sys/devices/pci*}, for trees without links to them. */
  private Map<PciAddress, String> search() {
    Map<PciAddress, String> found = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>();
    for (String name : tree.list("sys/devices")) {
      if (name.startsWith("pci")) {
        open.add("sys/devices/" + name);
      }
    }
    while (!open.isEmpty() && found.size() < SysfsTree.MAX_ENTRIES) {
      String path = open.remove();
      for (String name : tree.list(path)) {
        Optional<PciAddress> address = PciAddress.tryParse(name);
        String below = path + "/" + name;
        if (address.isPresent() && found.putIfAbsent(address.get(), below) == null) {
          if (PciPath.parse(below).functions().size() < MAX_DEPTH) {
            open.add(below);
          }
        } else if (name.startsWith("pci") && PciPath.parse("sys/" + name).root() != null) {
          open.add(below);
        }
      }
    }
    return found;
  }

  private Entry entry(
      PciAddress address, String path, PciPath place, SysfsTree.Directory directory) {
    Uevent uevent = Uevent.parse(directory.text("uevent").orElse(""));
    return new Entry(address, path, place, directory, uevent, identity(uevent, directory));
  }

  private PciFunction function(Entry entry, List<String> names) {
    PciAddress address = entry.address();
    SysfsTree.Directory directory = entry.directory();
    PciIdentity identity = entry.identity();
    FunctionFiles files = new FunctionFiles(entry);
    names.forEach(files::read);
    files.virtualFunctions.sort(null);
    PciFunction.Builder function =
        PciFunction.at(address)
            .identity(identity)
            .driver(files.driver)
            .location(
                new Location(
                    entry.place().root(),
                    entry.place().bridges(),
                    directory.number("numa_node", NumaNodes.MAX_NODE)))
            .pcieRoot(PciPath.pcieRoot(address, entry.path()).orElse(null))
            .physicalFunction(files.physicalFunction)
            .totalVirtualFunctions(files.totalVirtualFunctions)
            .virtualFunctions(files.virtualFunctions)
            .otherNames(files.otherNames);
    if (identity != null && ids != null) {
      function
          .vendorName(ids.vendor(identity.vendor()))
          .deviceName(ids.device(identity.vendor(), identity.device()));
    }
    if (files.hasLink) {
      directory
          .text("max_link_speed")
          .ifPresent(
              speed ->
                  function
                      .link(link(directory, "current_link_speed", "current_link_width"))
                      .maxLink(
                          KernelText.link(speed, directory.text("max_link_width").orElse(""))));
    }
    files.iommuGroup.ifPresent(function::iommuGroup);
    return function.build();
  }

  /** The facts in the files of one function. */
  private final class FunctionFiles {

    private final Entry entry;
    private final List<PciAddress> virtualFunctions = new ArrayList<>();
    private final List<String> otherNames = new ArrayList<>();
    private @Nullable String driver;
    private OptionalInt iommuGroup = OptionalInt.empty();
    private @Nullable PciAddress physicalFunction;
    private int totalVirtualFunctions;
    private boolean hasLink;

    FunctionFiles(Entry entry) {
      this.entry = entry;
      this.driver = entry.uevent().driver();
    }

    void read(String name) {
      PciAddress address = entry.address();
      SysfsTree.Directory directory = entry.directory();
      switch (name) {
        case "net" -> netDirectories.put(address, directory);
        case "infiniband" -> directory.list(name).forEach(device -> addRdmaDevice(address, device));
        case "nvme", "accel" -> otherNames.addAll(directory.list(name));
        case "drm" ->
            directory.list(name).stream()
                .filter(drm -> drm.startsWith("card") || drm.startsWith("renderD"))
                .forEach(otherNames::add);
        case "driver" -> {
          if (entry.uevent().identity() == null) { // otherwise the file also has the driver
            driver = directory.linkName(name).orElse(null);
          }
        }
        case "iommu_group" ->
            iommuGroup =
                directory
                    .linkName(name)
                    .map(group -> KernelText.decimal(group, Integer.MAX_VALUE))
                    .orElse(OptionalInt.empty());
        case "physfn" -> physicalFunction = linkedFunction(directory, name).orElse(null);
        case "sriov_totalvfs" ->
            totalVirtualFunctions = directory.number(name, 0xffff).orElse(0); // SR-IOV: 16 bits
        case "max_link_speed" -> hasLink = true;
        default -> {
          if (name.startsWith("virtfn")) {
            linkedFunction(directory, name).ifPresent(virtualFunctions::add);
          } else if (name.startsWith("virtio")) {
            directory.list(name + "/net").forEach(netdev -> addNetdev(address, netdev));
          }
        }
      }
    }
  }

  /** Returns the numbers of a function from its uevent file, or from one file for each number. */
  private @Nullable PciIdentity identity(Uevent uevent, SysfsTree.Directory directory) {
    if (uevent.identity() != null) {
      return uevent.identity();
    }
    OptionalInt classCode = hexadecimal(directory, "class", 0xff_ffff);
    OptionalInt vendor = hexadecimal(directory, "vendor", 0xffff);
    OptionalInt device = hexadecimal(directory, "device", 0xffff);
    if (classCode.isEmpty() && vendor.isEmpty() && device.isEmpty()) {
      tree.warn(directory.path(), "has no class, vendor or device; only its place is known");
      return null;
    }
    if (vendor.isEmpty()) {
      tree.warn(directory.path(), "has no readable vendor; it is unknown");
    }
    if (device.isEmpty()) {
      tree.warn(directory.path(), "has no readable device; it is unknown");
    }
    return new PciIdentity(
        classCode.orElse(PciIdentity.UNKNOWN_CLASS),
        vendor.orElse(0),
        device.orElse(0),
        hexadecimal(directory, "subsystem_vendor", 0xffff).orElse(0),
        hexadecimal(directory, "subsystem_device", 0xffff).orElse(0));
  }

  private OptionalInt hexadecimal(SysfsTree.Directory directory, String name, int max) {
    Optional<String> text = directory.text(name);
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    OptionalInt number = KernelText.hexadecimal(text.get(), max);
    if (number.isEmpty()) {
      tree.warn(
          directory.path() + "/" + name,
          "expected a number such as 0x8086, found " + KernelText.quote(text.get()));
    }
    return number;
  }

  private static @Nullable PcieLink link(
      SysfsTree.Directory directory, String speed, String width) {
    Optional<String> text = directory.text(speed);
    return text.isEmpty() ? null : KernelText.link(text.get(), directory.text(width).orElse(""));
  }

  private Optional<PciAddress> linkedFunction(SysfsTree.Directory directory, String name) {
    Optional<PciAddress> function = directory.linkName(name).flatMap(PciAddress::tryParse);
    if (function.isEmpty()) {
      tree.warn(directory.path() + "/" + name, "expected a link to a PCI function");
    }
    return function;
  }

  /**
   * Sets the port above each function: the last bridge of its place. The ports of a switch have
   * none, because they are connected inside the switch.
   */
  private void connectPorts() {
    functions.replaceAll(
        (address, function) -> {
          List<PciAddress> bridges = function.location().bridges();
          PciFunction port =
              bridges.isEmpty() ? null : functions.get(bridges.get(bridges.size() - 1));
          return port == null || port.maxLink() == null || function.kind() == DeviceKind.BRIDGE
              ? function
              : function.toBuilder().portLink(port.maxLink()).build();
        });
  }

  void addNetdev(PciAddress address, String name) {
    netdevs.computeIfAbsent(address, any -> new TreeSet<>()).add(name);
  }

  void addRdmaDevice(PciAddress address, String name) {
    rdmaDevices.computeIfAbsent(address, any -> new TreeSet<>()).add(name);
  }

  /** Returns the function that lists an RDMA device. */
  Optional<PciAddress> ofRdmaDevice(String name) {
    return rdmaDevices.entrySet().stream()
        .filter(entry -> entry.getValue().contains(name))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Returns all functions, with the names that were found for them. */
  List<PciFunction> named() {
    // Trees without the class of network devices list them here; other trees have warned already.
    netDirectories.forEach(
        (address, directory) -> {
          if (!netdevs.containsKey(address)) {
            directory.list("net").stream()
                .filter(
                    netdev ->
                        tree.directory(directory.path() + "/net/" + netdev)
                            .filter(NetClass::isRepresentor)
                            .isEmpty())
                .forEach(netdev -> addNetdev(address, netdev));
          }
        });
    List<PciFunction> named = new ArrayList<>(functions.size());
    for (PciFunction function : functions.values()) {
      List<String> names = new ArrayList<>();
      names.addAll(netdevs.getOrDefault(function.address(), new TreeSet<>()));
      names.addAll(rdmaDevices.getOrDefault(function.address(), new TreeSet<>()));
      named.add(names.isEmpty() ? function : function.toBuilder().names(names).build());
    }
    return named;
  }
}
