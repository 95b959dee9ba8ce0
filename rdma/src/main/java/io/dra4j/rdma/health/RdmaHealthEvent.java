package io.dra4j.rdma.health;

import java.time.Instant;

/**
 * A problem of an RDMA device began or ended.
 *
 * @param problem the problem, as it was last seen
 * @param begins whether it began; otherwise it ended
 * @param at when that was seen
 */
public record RdmaHealthEvent(RdmaProblem problem, boolean begins, Instant at) {}
