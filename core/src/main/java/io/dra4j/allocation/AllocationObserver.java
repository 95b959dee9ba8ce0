package io.dra4j.allocation;

/**
 * Receives the cost of allocations, for metrics. Called by the threads that allocate, after a
 * search and never within it; must be thread-safe if the allocator is used so, and return soon.
 */
public interface AllocationObserver {

  /**
   * A node was searched, with any outcome.
   *
   * @param statistics what that took
   */
  void searched(SearchStatistics statistics);

  /**
   * A node was not searched, because the claims do not fit on one that looks the same to them.
   *
   * @param node the name of the node
   */
  default void skipped(String node) {}
}
