package io.dra4j.topology;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** The types of the paths between some devices of a host, computed once. */
public final class PathMatrix {

  private final ImmutableList<TopologyDevice> devices;
  private final PathType[] types;

  PathMatrix(ImmutableList<TopologyDevice> devices, PathType[] types) {
    this.devices = devices;
    this.types = types;
  }

  /** {@return the devices of the rows, which are also the devices of the columns} */
  public List<TopologyDevice> devices() {
    return devices;
  }

  /**
   * {@return the type of the path between two devices}
   *
   * @param row the position of one device in {@link #devices()}
   * @param column the position of the other device
   * @throws IndexOutOfBoundsException if there is no such device
   */
  public PathType path(int row, int column) {
    int size = devices.size();
    if (column < 0 || column >= size) {
      throw new IndexOutOfBoundsException(column);
    }
    return types[row * size + column];
  }
}
