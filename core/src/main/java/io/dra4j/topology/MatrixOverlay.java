package io.dra4j.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A recorded matrix of paths, as {@code nvidia-smi topo -m} prints it. It names GPUs by their
 * index, which is the order of their PCI addresses, and NICs by their RDMA devices; it has no
 * addresses.
 *
 * @param origin where it was read
 * @param rows the devices in the order of the columns
 */
public record MatrixOverlay(String origin, List<Row> rows) implements TopologyOverlay {

  /** Copies the rows. {@inheritDoc} */
  public MatrixOverlay {
    rows = List.copyOf(rows);
  }

  @Override
  public TopologySource source() {
    return TopologySource.NVIDIA_SMI;
  }

  @Override
  public OverlayContribution contribution() {
    return new MatrixContribution(this);
  }

  @Override
  public OverlayMatch match(HostTopology host) {
    return new OverlayMatch(
        MatrixRows.match(this, host.devices(), new ArrayList<>()).count(), rows.size());
  }

  /**
   * One row of the matrix.
   *
   * @param label how the matrix calls the device, for example {@code GPU0} or {@code NIC3}
   * @param kind {@link DeviceKind#GPU} or {@link DeviceKind#NIC}
   * @param name the name of the device on the host, for example {@code mlx5_3}; the label if the
   *     matrix gives none
   * @param numaNode the NUMA node it is attached to, if the matrix says so
   * @param paths the types of the paths to the other devices by their labels; a pair joined by
   *     NVLink has none
   * @param nvLinks the numbers of NVLinks to the other devices by their labels
   */
  public record Row(
      String label,
      DeviceKind kind,
      String name,
      OptionalInt numaNode,
      Map<String, PathType> paths,
      Map<String, Integer> nvLinks) {

    /** Copies the maps. {@inheritDoc} */
    public Row {
      paths = Map.copyOf(paths);
      nvLinks = Map.copyOf(nvLinks);
    }
  }
}
