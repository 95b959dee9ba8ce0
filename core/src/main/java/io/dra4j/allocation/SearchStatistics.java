package io.dra4j.allocation;

/**
 * The cost of one search, for metrics.
 *
 * @param node the node that was searched
 * @param candidates the number of devices that the node could use if none were in use
 * @param steps the number of positions that were visited, counted since the last restart of the
 *     search
 * @param cuts the number of positions at which a bound excluded all solutions
 * @param fits whether the claims fit; also false if the search ended without an answer
 */
public record SearchStatistics(String node, int candidates, long steps, long cuts, boolean fits) {}
