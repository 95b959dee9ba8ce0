package io.dra4j.placement.internal.server;

/** The order of the criteria by which sets of devices are compared. */
public enum Objective {
  /**
   * Bandwidth, then nearness, then few NUMA nodes, then the usefulness of the remaining devices.
   */
  BEST,
  /** The usefulness of the remaining devices, then few NUMA nodes, then bandwidth and nearness. */
  PACK,
  /** Bandwidth, then nearness, then many groups of devices. */
  SPREAD
}
