package io.dra4j.cli.topology;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.MatrixOverlay;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import io.dra4j.topology.TopologyOverlay;
import io.dra4j.topology.TreeOverlay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of host devices in a virtual machine. The file has a line for each device, with the
 * address on the host, blanks, the address in the machine and, if known, the number of the NUMA
 * node in the machine. {@code #} starts a comment.
 *
 * @param origin the name of the file
 * @param guestAddresses the addresses in the machine by those on the host
 * @param guestNodes the NUMA nodes in the machine, if given, by the addresses there
 */
record AddressMap(
    String origin,
    Map<PciAddress, PciAddress> guestAddresses,
    Map<PciAddress, Integer> guestNodes) {

  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_NODE = 1_023;
  private static final Pattern NODE = Pattern.compile("[0-9]{1,4}");
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,=]+");

  static AddressMap read(Path file) throws OverlayException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new OverlayException(file.toString(), 0, "is longer than " + MAX_BYTES + " bytes");
      }
      return parse(new String(bytes, StandardCharsets.UTF_8), file.toString());
    }
  }

  static AddressMap parse(String text, String origin) throws OverlayException {
    Map<PciAddress, PciAddress> addresses = new LinkedHashMap<>();
    Map<PciAddress, Integer> nodes = new HashMap<>();
    Set<PciAddress> guests = new HashSet<>();
    int number = 0;
    for (String line : text.replaceFirst("^\uFEFF", "").lines().toList()) { // a byte order mark
      number++;
      int comment = line.indexOf('#');
      String words = (comment < 0 ? line : line.substring(0, comment)).trim();
      if (words.isEmpty()) {
        continue;
      }
      Entry entry = entry(words);
      if (entry == null) {
        throw new OverlayException(
            origin,
            number,
            "expected the addresses on the host and in the virtual machine, and optionally the NUMA"
                + " node there, such as 0000:8f:00.0 0000:01:00.0 0");
      }
      if (addresses.putIfAbsent(entry.host, entry.guest) != null || !guests.add(entry.guest)) {
        throw new OverlayException(origin, number, "an address occurs twice");
      }
      if (entry.node >= 0) {
        nodes.put(entry.guest, entry.node);
      }
    }
    if (addresses.isEmpty()) {
      throw new OverlayException(origin, 0, "has no addresses");
    }
    return new AddressMap(origin, addresses, nodes);
  }

  private record Entry(PciAddress host, PciAddress guest, int node) {}

  /** Parses a line; returns null if it is not valid. */
  private static @Nullable Entry entry(String line) {
    List<String> words = new ArrayList<>(List.of(SEPARATOR.split(line, -1)));
    if (words.size() == 4 && words.get(2).equals("numa")) { // numa=0
      words.remove(2);
    }
    Optional<PciAddress> host = PciAddress.tryParse(words.get(0));
    Optional<PciAddress> guest =
        words.size() < 2 ? Optional.empty() : PciAddress.tryParse(words.get(1));
    int node = words.size() == 3 ? node(words.get(2)) : -1;
    boolean isWhole = words.size() == 2 || (words.size() == 3 && node >= 0);
    return host.isEmpty() || guest.isEmpty() || !isWhole
        ? null
        : new Entry(host.get(), guest.get(), node);
  }

  /** Parses the number of a NUMA node; returns -1 if it is not valid. */
  private static int node(String word) {
    int node = NODE.matcher(word).matches() ? Integer.parseInt(word) : MAX_NODE + 1;
    return node <= MAX_NODE ? node : -1;
  }

  /**
   * Returns the records with the addresses of the virtual machine; warnings count the devices that
   * it lacks. A matrix without addresses gets them from the trees of the same host.
   */
  List<TopologyOverlay> applyTo(List<TopologyOverlay> recorded, Consumer<String> warnings) {
    HostTopologyBuilder builder = HostTopology.builder();
    recorded.stream().filter(TreeOverlay.class::isInstance).forEach(builder::overlay);
    HostTopology host = builder.build();
    Map<PciAddress, Integer> nodes = nodesInGuest(host, warnings);
    List<TopologyOverlay> moved = new ArrayList<>();
    for (TopologyOverlay overlay : recorded) {
      if (overlay instanceof TreeOverlay tree) {
        moved.add(moved(tree, nodes, warnings));
      } else if (overlay instanceof MatrixOverlay matrix) {
        moved.add(moved(matrix, host, nodes, warnings));
      } else {
        moved.add(overlay);
      }
    }
    long unknown =
        host.devices().stream()
            .filter(device -> device.kind().isEndpoint())
            .filter(device -> device.location().numaNode().isPresent())
            .map(TopologyDevice::address)
            .filter(address -> address != null && guestAddresses.containsKey(address))
            .filter(address -> !nodes.containsKey(guestAddresses.get(address)))
            .count();
    if (unknown > 0) {
      warnings.accept(
          ("%s: devices with unknown NUMA node in the virtual machine: %d; add the number"
                  + " of the node as third word to the line of one device of each node")
              .formatted(origin, unknown));
    }
    return moved;
  }

  /** Returns the given nodes and those of devices that share a host node with these devices. */
  private Map<PciAddress, Integer> nodesInGuest(HostTopology host, Consumer<String> warnings) {
    Map<Integer, Set<Integer>> byNodeOfHost = new TreeMap<>();
    Map<PciAddress, Integer> onHost = new HashMap<>();
    for (TopologyDevice device : host.devices()) {
      PciAddress guest = device.address() == null ? null : guestAddresses.get(device.address());
      if (guest != null && device.location().numaNode().isPresent()) {
        int node = device.location().numaNode().getAsInt();
        onHost.put(guest, node);
        if (guestNodes.containsKey(guest)) {
          byNodeOfHost.computeIfAbsent(node, any -> new TreeSet<>()).add(guestNodes.get(guest));
        }
      }
    }
    byNodeOfHost.forEach(
        (node, inGuest) -> {
          if (inGuest.size() > 1) {
            warnings.accept(
                ("%s: devices of NUMA node %d of the host have nodes %s here; expected one"
                        + " node: their paths stay as recorded")
                    .formatted(origin, node, inGuest));
          }
        });
    Map<PciAddress, Integer> nodes = new HashMap<>(guestNodes);
    onHost.forEach(
        (guest, node) -> {
          Set<Integer> inGuest = byNodeOfHost.getOrDefault(node, Set.of());
          if (inGuest.size() == 1) {
            nodes.putIfAbsent(guest, inGuest.iterator().next());
          }
        });
    return nodes;
  }

  private TreeOverlay moved(
      TreeOverlay tree, Map<PciAddress, Integer> nodes, Consumer<String> warnings) {
    Map<PciAddress, PciAddress> unused = new HashMap<>(guestAddresses);
    int missing = 0;
    for (TopologyDevice device : tree.devices()) {
      boolean isMapped = device.address() != null && unused.remove(device.address()) != null;
      missing += !isMapped && device.address() != null && device.kind().isEndpoint() ? 1 : 0;
    }
    if (missing > 0) {
      warnings.accept(
          "%s: devices of %s without an address in the virtual machine: %d; left out"
              .formatted(origin, tree.origin(), missing));
    }
    if (!unused.isEmpty()) {
      List<String> addresses = unused.keySet().stream().map(PciAddress::toString).sorted().toList();
      warnings.accept(
          "%s: not in %s: %s".formatted(origin, tree.origin(), CommandMessages.some(addresses)));
    }
    return tree.withAddresses(guestAddresses, nodes);
  }

  private MatrixOverlay moved(
      MatrixOverlay matrix,
      HostTopology host,
      Map<PciAddress, Integer> nodes,
      Consumer<String> warnings) {
    MatrixOverlay moved = matrix.withAddresses(host, guestAddresses, nodes);
    int missing = matrix.rows().size() - moved.rows().size();
    if (missing > 0) {
      warnings.accept(
          "%s: rows of %s without an address in the virtual machine: %d; left out"
              .formatted(origin, matrix.origin(), missing));
    }
    return moved;
  }
}
