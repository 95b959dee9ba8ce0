package io.dra4j.topology;

import org.jspecify.annotations.Nullable;

/** The paths of one source between the devices of a host, by their indices. */
interface PathLayer {

  /** The type of the path between two different devices; null if this source does not have it. */
  @Nullable PathType type(int a, int b);

  TopologySource source();

  String origin();
}
