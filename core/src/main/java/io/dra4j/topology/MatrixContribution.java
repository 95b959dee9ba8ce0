package io.dra4j.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contribution of a recorded matrix: the NUMA nodes of existing devices, and a layer of paths.
 */
final class MatrixContribution extends OverlayContribution {

  private final MatrixOverlay matrix;
  private @Nullable MatrixRows rows;

  MatrixContribution(MatrixOverlay matrix) {
    this.matrix = matrix;
  }

  @Override
  void addTo(TopologyParts parts) {
    // A matrix has no addresses, so it cannot report that a device is missing.
  }

  @Override
  List<TopologyDevice> correct(List<TopologyDevice> sorted, List<String> warnings) {
    MatrixRows matched = MatrixRows.match(matrix, sorted, warnings);
    rows = matched;
    return matched.withNumaNodes(sorted);
  }

  @Override
  PathLayer layer(List<TopologyDevice> sorted, TopologyParts parts) {
    return matched().layer(sorted);
  }

  @Override
  List<DirectLink> links() {
    return matched().links();
  }

  private MatrixRows matched() {
    if (rows == null) {
      throw new IllegalStateException(matrix.origin() + ": correct() comes first");
    }
    return rows;
  }
}
