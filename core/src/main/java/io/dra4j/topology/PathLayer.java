package io.dra4j.topology;

import org.jspecify.annotations.Nullable;

/** What one source says about the paths between the devices of a host, by their indices. */
interface PathLayer {

  /** The type of the path between two different devices; null if this source does not know. */
  @Nullable PathType type(int a, int b);

  TopologySource source();

  String origin();
}
