package io.dra4j.allocation;

/**
 * Receives the cost of allocations, for metrics. Called by the threads that allocate, after a
 * search and never within it. Must return soon, and must be thread-safe if several threads use the
 * allocator.
 */
public interface AllocationObserver {

  /**
   * A node was searched, with any outcome.
   *
   * @param statistics the cost of the search
   */
  void searched(SearchStatistics statistics);

  /**
   * A node was not searched: the claims do not fit on another node that is equivalent for them.
   *
   * @param node the name of the node
   */
  default void skipped(String node) {}
}
