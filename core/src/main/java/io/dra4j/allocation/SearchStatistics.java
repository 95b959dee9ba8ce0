package io.dra4j.allocation;

/**
 * What one search took, for metrics.
 *
 * @param node the node that was searched
 * @param candidates how many devices the node could use if none were in use
 * @param steps how many positions were looked at; where the search began again with bounds, those
 *     since then
 * @param cuts how often a bound said that there is nothing from a position on
 * @param fits whether the claims fit; false also where the search ended without an answer
 */
public record SearchStatistics(String node, int candidates, long steps, long cuts, boolean fits) {}
