package io.dra4j.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A recorded matrix of paths, as {@code nvidia-smi topo -m} prints it. It names GPUs by their
 * index, which is the order of their PCI addresses, and NICs by their RDMA devices; it has no
 * addresses. A matrix of amd-smi names GPUs by their addresses.
 *
 * @param origin the place where it was read, for messages
 * @param source {@link TopologySource#NVIDIA_SMI} or {@link TopologySource#AMD_SMI}
 * @param rows the devices in the order of the columns
 */
public record MatrixOverlay(String origin, TopologySource source, List<Row> rows)
    implements TopologyOverlay {

  private static final int NVIDIA = 0x10de;
  private static final int AMD = 0x1002;

  /**
   * Copies the rows. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the source does not write matrices
   */
  public MatrixOverlay {
    if (!source.isMatrix()) {
      throw new IllegalArgumentException(
          "source: expected NVIDIA_SMI or AMD_SMI, found " + source.label());
    }
    rows = List.copyOf(rows);
  }

  /**
   * Creates a matrix of nvidia-smi.
   *
   * @param origin the place where it was read, for messages
   * @param rows the devices in the order of the columns
   */
  public MatrixOverlay(String origin, List<Row> rows) {
    this(origin, TopologySource.NVIDIA_SMI, rows);
  }

  /** Whether the tool may list GPUs of this vendor; true if the vendor is not known. */
  boolean mayList(@Nullable PciIdentity identity) {
    int vendor = source == TopologySource.AMD_SMI ? AMD : NVIDIA;
    return identity == null || identity.vendor() == vendor || identity.vendor() == 0;
  }

  DirectLink.Type linkType() {
    return source == TopologySource.AMD_SMI ? DirectLink.Type.XGMI : DirectLink.Type.NVLINK;
  }

  /**
   * {@return a device for each row of the matrix, for a topology without its host; its id is the
   * label} A NIC gets the NUMA node of the GPUs near it.
   */
  public List<TopologyDevice> devices() {
    Map<String, OptionalInt> nodes = new HashMap<>();
    rows.forEach(row -> nodes.put(row.label(), row.numaNode()));
    List<TopologyDevice> devices = new ArrayList<>();
    for (Row row : rows) {
      OptionalInt node = row.numaNode();
      for (Row other : rows) {
        PathType path = other.paths().getOrDefault(row.label(), row.paths().get(other.label()));
        if (node.isEmpty() && path != null && path.isWithin(PathType.NUMA_NODE)) {
          node = nodes.getOrDefault(other.label(), OptionalInt.empty());
        }
      }
      devices.add(
          new TopologyDevice(
              row.label(),
              row.kind(),
              PciAddress.tryParse(row.name()).orElse(null),
              null,
              new Location(null, List.of(), node),
              null,
              null,
              null,
              row.name().equals(row.label()) ? List.of() : List.of(row.name())));
    }
    return devices;
  }

  /**
   * {@return this matrix, recorded on the host of a virtual machine, for the virtual machine} The
   * names of rows become the addresses of their devices in the machine. Rows of devices that the
   * machine does not have, or whose addresses are unknown, are left out. So are the NUMA nodes of
   * the host, because the machine has its own numbers.
   *
   * @param host another record of the host, which has the addresses of the devices
   * @param guestAddresses the addresses in the virtual machine by those on the host
   * @param nodes the NUMA nodes in the virtual machine by the addresses there; devices without an
   *     entry have no known node
   */
  public MatrixOverlay withAddresses(
      HostTopology host,
      Map<PciAddress, PciAddress> guestAddresses,
      Map<PciAddress, Integer> nodes) {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(guestAddresses, "guestAddresses");
    Objects.requireNonNull(nodes, "nodes");
    Map<String, String> ids = MatrixRows.match(this, host.devices(), new ArrayList<>()).idByLabel();
    Map<String, PciAddress> guests = new HashMap<>();
    for (Row row : rows) {
      Optional.ofNullable(ids.get(row.label()))
          .flatMap(host::device)
          .map(TopologyDevice::address)
          .or(() -> PciAddress.tryParse(row.name()))
          .map(guestAddresses::get)
          .ifPresent(guest -> guests.put(row.label(), guest));
    }
    List<Row> moved = new ArrayList<>();
    for (Row row : rows) {
      PciAddress guest = guests.get(row.label());
      if (guest != null) {
        Integer node = nodes.get(guest);
        moved.add(
            new Row(
                label(row.label(), guests),
                row.kind(),
                guest.toString(),
                node == null ? OptionalInt.empty() : OptionalInt.of(node),
                relabelled(row.paths(), guests),
                relabelled(row.links(), guests)));
      }
    }
    return new MatrixOverlay(origin, source, moved);
  }

  /** The label, where an address is replaced by the address in the machine. */
  private static String label(String label, Map<String, PciAddress> guests) {
    PciAddress guest = guests.get(label);
    return guest != null && PciAddress.tryParse(label).isPresent() ? guest.toString() : label;
  }

  /** The entries of a row for devices that the machine has. */
  private static <T> Map<String, T> relabelled(
      Map<String, T> cells, Map<String, PciAddress> guests) {
    Map<String, T> moved = new HashMap<>();
    cells.forEach(
        (label, cell) -> {
          if (guests.containsKey(label)) {
            moved.put(label(label, guests), cell);
          }
        });
    return moved;
  }

  /** {@return whether any row has an address as label, as in matrices of amd-smi} */
  public boolean hasAddresses() {
    return rows.stream().anyMatch(row -> PciAddress.tryParse(row.name()).isPresent());
  }

  @Override
  public OverlayMatch match(HostTopology host) {
    Objects.requireNonNull(host, "host");
    return MatrixRows.match(this, host.devices(), new ArrayList<>()).found();
  }

  /**
   * One row of the matrix.
   *
   * @param label the label of the device in the matrix, for example {@code GPU0} or {@code NIC3}
   * @param kind {@link DeviceKind#GPU} or {@link DeviceKind#NIC}
   * @param name the name or the PCI address of the device on the host, for example {@code mlx5_3};
   *     the label if the matrix has no name
   * @param numaNode the NUMA node it is attached to, if the matrix has it
   * @param paths the types of the paths to the other devices by their labels; no entry for a pair
   *     joined by NVLink
   * @param links the numbers of direct links, such as NVLinks, to the other devices by their labels
   */
  public record Row(
      String label,
      DeviceKind kind,
      String name,
      OptionalInt numaNode,
      Map<String, PathType> paths,
      Map<String, Integer> links) {

    /** Copies the maps. {@inheritDoc} */
    public Row {
      paths = Map.copyOf(paths);
      links = Map.copyOf(links);
    }
  }
}
