package io.dra4j.placement.internal.server;

/** What comes first where several sets of devices would do. */
public enum Objective {
  /** Bandwidth, then nearness, then few NUMA nodes, then what stays usable. */
  BEST,
  /** What stays usable, then few NUMA nodes, then bandwidth and nearness. */
  PACK,
  /** Bandwidth, then nearness, then many groups of devices. */
  SPREAD
}
