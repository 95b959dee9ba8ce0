package io.dra4j.topology;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Paths that were recorded pair by pair. */
final class MatrixLayer implements PathLayer {

  private final String origin;
  private final TopologySource source;
  private final int[] rows; // by device index; -1 for devices that are not in the matrix
  private final @Nullable PathType[] types;
  private final int size;

  MatrixLayer(String origin, TopologySource source, int devices, int size) {
    this.origin = origin;
    this.source = source;
    this.size = size;
    this.rows = new int[devices];
    this.types = new @Nullable PathType[size * size];
    Arrays.fill(rows, -1);
  }

  /** Sets the row of the device with this index. */
  void row(int device, int row) {
    rows[device] = row;
  }

  /** Sets the type of the path between two rows, in both directions. */
  void path(int rowA, int rowB, PathType type) {
    types[rowA * size + rowB] = type;
    types[rowB * size + rowA] = type;
  }

  @Override
  public @Nullable PathType type(int a, int b) {
    return rows[a] < 0 || rows[b] < 0 ? null : types[rows[a] * size + rows[b]];
  }

  @Override
  public TopologySource source() {
    return source;
  }

  @Override
  public String origin() {
    return origin;
  }
}
