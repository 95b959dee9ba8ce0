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
 * Reads the RDMA devices of {@code /sys}, and nothing else, for callers that read them repeatedly.
 * {@link SysfsReader} reads the same facts as a part of a whole host. An instance remembers the
 * directories that it has seen. Thread-safe.
 */
public final class InfinibandReader {

  private final KnownDirectories knownDirectories = new KnownDirectories();

  /** Creates a reader. */
  public InfinibandReader() {}

  /**
   * {@return the devices with their ports, by name; empty for none or a host without {@code sys}}
   *
   * @param host the host, live or captured
   * @param warnings receives sentences about entries that could not be read, each naming a file
   */
  public List<RdmaDevice> devices(Host host, Consumer<String> warnings) {
    return SysfsTree.open(host, warnings, knownDirectories)
        .map(tree -> infiniband(tree).read())
        .orElse(List.of());
  }

  /**
   * {@return the character devices of all RDMA devices, by class and name: {@code
   * infiniband_verbs}, {@code infiniband_mad}, {@code infiniband_cm} and {@code rdma_cm}}
   *
   * @param host the host, live or captured
   * @param problems receives the name of an RDMA device, and a sentence that names a file of its
   *     character device that could not be read; the name is absent if the RDMA device is not known
   */
  public List<InfinibandNode> nodes(Host host, BiConsumer<Optional<String>, String> problems) {
    InfinibandNodes nodes = new InfinibandNodes(problems);
    return SysfsTree.open(host, nodes::warn, knownDirectories).map(nodes::read).orElse(List.of());
  }

  /**
   * Reads the counters of a port, of the architecture ({@code counters}) and of the hardware
   * ({@code hw_counters}). Some drivers query the device for each counter.
   *
   * @param host the host, live or captured
   * @param device the name of the RDMA device
   * @param port the number of the port, from 1
   * @param warnings receives sentences about entries that could not be read, each naming a file
   * @return the counters by name, of 64 bits without a sign ({@link Long#toUnsignedString(long)});
   *     counters that the hardware lacks are left out; empty if there are none or no such port
   * @throws IllegalArgumentException if the name is not valid for an RDMA device
   */
  public Map<String, Long> counters(Host host, String device, int port, Consumer<String> warnings) {
    return counters(host, device, port, name -> true, warnings);
  }

  /**
   * Reads some counters of a port, and does not query the device for others.
   *
   * @param host the host, live or captured
   * @param device the name of the RDMA device
   * @param port the number of the port, from 1
   * @param wanted returns whether the counter of a name is read
   * @param warnings receives sentences about entries that could not be read, each naming a file
   * @return the counters by name, of 64 bits without a sign ({@link Long#toUnsignedString(long)});
   *     counters that the hardware lacks are left out; empty if there are none or no such port
   * @throws IllegalArgumentException if the name is not valid for an RDMA device
   */
  public Map<String, Long> counters(
      Host host, String device, int port, Predicate<String> wanted, Consumer<String> warnings) {
    if (device.isEmpty() || device.matches("\\.{1,2}") || device.contains("/")) {
      throw new IllegalArgumentException("not a valid name of an RDMA device: " + device);
    }
    return SysfsTree.open(host, warnings, knownDirectories)
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

  /** {@return a netdev's PCI function; {@link InfinibandClass} checks that the name is no path} */
  private static Optional<PciAddress> ofNetdev(SysfsTree tree, String name) {
    String entry = "sys/class/net/" + name;
    return tree.directory(entry)
        .flatMap(directory -> PciPath.parse(directory.path()).last())
        .or(() -> tree.target(entry + "/device").flatMap(path -> PciPath.parse(path).last()));
  }
}
