package io.dra4j.rdma.health;

import java.time.Instant;

/**
 * The beginning or end of a problem of an RDMA device.
 *
 * @param problem the problem, as last observed
 * @param begins whether the problem began; otherwise it ended
 * @param at the time of the observation
 */
public record RdmaHealthEvent(RdmaProblem problem, boolean begins, Instant at) {}
