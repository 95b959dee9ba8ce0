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
 * addresses. Those of amd-smi name GPUs by their addresses.
 *
 * @param origin where it was read
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
   * @throws IllegalArgumentException if the source writes no matrices
   */
  public MatrixOverlay {
    if (!source.isMatrix()) {
      throw new IllegalArgumentException("source: want one of matrices, got " + source.label());
    }
    rows = List.copyOf(rows);
  }

  /**
   * A matrix of nvidia-smi.
   *
   * @param origin where it was read
   * @param rows the devices in the order of the columns
   */
  public MatrixOverlay(String origin, List<Row> rows) {
    this(origin, TopologySource.NVIDIA_SMI, rows);
  }

  /** Whether the tool lists GPUs of this vendor; it may where the vendor is not known. */
  boolean mayList(@Nullable PciIdentity identity) {
    int vendor = source == TopologySource.AMD_SMI ? AMD : NVIDIA;
    return identity == null || identity.vendor() == vendor || identity.vendor() == 0;
  }

  DirectLink.Type linkType() {
    return source == TopologySource.AMD_SMI ? DirectLink.Type.XGMI : DirectLink.Type.NVLINK;
  }

  /**
   * The devices of the matrix, for a topology without the host that it is about: labels are their
   * ids. A NIC is in the NUMA node of the GPUs that are near it.
   *
   * @return a device for each row
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
   * The matrix of a virtual machine, of one that was recorded on its host: rows have the addresses
   * that their devices have in the machine, as names. Rows of devices that the machine does not
   * have, and of those whose addresses are not known, are left out. So are the NUMA nodes of the
   * host, since the machine numbers its own.
   *
   * @param host what else was recorded on the host, which has the addresses of the devices
   * @param guestAddresses the addresses in the virtual machine by those on the host
   * @param nodes the NUMA nodes in the virtual machine by the addresses there; those of other
   *     devices are not known
   * @return the matrix of the virtual machine
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

  /** A label that is an address becomes that of the machine. */
  private static String label(String label, Map<String, PciAddress> guests) {
    PciAddress guest = guests.get(label);
    return guest != null && PciAddress.tryParse(label).isPresent() ? guest.toString() : label;
  }

  /** What a row says of the devices that the machine has. */
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

  /**
   * Returns whether a row has an address of its own, as those of amd-smi have.
   *
   * @return whether the matrix has addresses
   */
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
   * @param label how the matrix calls the device, for example {@code GPU0} or {@code NIC3}
   * @param kind {@link DeviceKind#GPU} or {@link DeviceKind#NIC}
   * @param name the name or the PCI address of the device on the host, for example {@code mlx5_3};
   *     the label if the matrix gives none
   * @param numaNode the NUMA node it is attached to, if the matrix says so
   * @param paths the types of the paths to the other devices by their labels; a pair joined by
   *     NVLink has none
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
