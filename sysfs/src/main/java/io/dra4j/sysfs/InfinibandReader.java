package io.dra4j.sysfs;

import io.dra4j.spi.Host;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.topology.PciAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads what {@code /sys} reports of RDMA devices, and nothing else: for those who look again and
 * again. {@link SysfsReader} reads the same as a part of a whole host. An instance remembers which
 * folders it has seen; it is thread-safe.
 */
public final class InfinibandReader {

  private final KnownFolders knownFolders = new KnownFolders();

  /** Makes a reader. */
  public InfinibandReader() {}

  /**
   * Reads the devices with their ports.
   *
   * @param host the host, live or captured
   * @param warnings takes sentences about what could not be read, each naming a file
   * @return the devices by name; empty if there are none or the host has no {@code sys}
   */
  public List<RdmaDevice> devices(Host host, Consumer<String> warnings) {
    return SysfsTree.open(host, warnings, knownFolders)
        .map(tree -> infiniband(tree).read())
        .orElse(List.of());
  }

  /**
   * Reads which character devices there are: those of {@code infiniband_verbs}, {@code
   * infiniband_mad} and {@code infiniband_cm}, and {@code rdma_cm}.
   *
   * @param host the host, live or captured
   * @param problems takes the name of an RDMA device, and what could not be read of a character
   *     device of it: a sentence that names a file; the name is absent where it is not known which
   *     device that is
   * @return the character devices of all RDMA devices, by class and name
   */
  public List<InfinibandNode> nodes(Host host, BiConsumer<Optional<String>, String> problems) {
    InfinibandNodes nodes = new InfinibandNodes(problems);
    return SysfsTree.open(host, nodes::warn, knownFolders).map(nodes::read).orElse(List.of());
  }

  /**
   * Reads the counters of a port: those of the architecture ({@code counters}) and those of the
   * hardware ({@code hw_counters}), by their names. Drivers may ask the device for each.
   *
   * @param host the host, live or captured
   * @param device the name of the RDMA device
   * @param port the number of the port, from 1
   * @param warnings takes sentences about what could not be read, each naming a file
   * @return the counters by name, of 64 bits without a sign ({@link Long#toUnsignedString(long)});
   *     those that the hardware does not count are left out; empty if there are none or no such
   *     port
   * @throws IllegalArgumentException if the name could not be that of a device
   */
  public Map<String, Long> counters(Host host, String device, int port, Consumer<String> warnings) {
    return counters(host, device, port, name -> true, warnings);
  }

  /**
   * Reads some counters of a port, and asks the device for no others.
   *
   * @param host the host, live or captured
   * @param device the name of the RDMA device
   * @param port the number of the port, from 1
   * @param wanted whether the counter of a name is read
   * @param warnings takes sentences about what could not be read, each naming a file
   * @return the counters by name, of 64 bits without a sign ({@link Long#toUnsignedString(long)});
   *     those that the hardware does not count are left out; empty if there are none or no such
   *     port
   * @throws IllegalArgumentException if the name could not be that of a device
   */
  public Map<String, Long> counters(
      Host host, String device, int port, Predicate<String> wanted, Consumer<String> warnings) {
    if (device.isEmpty() || device.matches("\\.{1,2}") || device.contains("/")) {
      throw new IllegalArgumentException("no name of an RDMA device: " + device);
    }
    return SysfsTree.open(host, warnings, knownFolders)
        .map(tree -> infiniband(tree).counters(device, port, wanted))
        .orElse(Map.of());
  }

  private static InfinibandClass infiniband(SysfsTree tree) {
    return new InfinibandClass(
        tree,
        netdev -> ofNetdev(tree, netdev),
        device -> Optional.empty(),
        (function, device) -> {});
  }

  /** The name is one part of a path: {@link InfinibandClass} takes no other. */
  private static Optional<PciAddress> ofNetdev(SysfsTree tree, String name) {
    String entry = "sys/class/net/" + name;
    return tree.folder(entry)
        .flatMap(folder -> PciPath.parse(folder.path()).last())
        .or(() -> tree.target(entry + "/device").flatMap(path -> PciPath.parse(path).last()));
  }
}
