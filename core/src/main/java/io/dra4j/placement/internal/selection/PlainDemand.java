package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import org.jspecify.annotations.Nullable;

/**
 * So many GPUs and NICs of a server, each as good as the other, and which of them are free: what
 * can be chosen together with the demand of others.
 *
 * @param kind the server
 * @param shape its tree
 * @param gpus how many GPUs
 * @param nics how many NICs
 * @param freeGpus the GPUs that are not in use
 * @param freeNics the NICs that are not in use
 * @param someGpus the GPUs to choose from
 * @param someNics the NICs to choose from
 * @param bundles what has to stay together; null if nothing
 * @param across the pairs of others across NUMA nodes
 */
public record PlainDemand(
    ServerModel kind,
    ServerTree shape,
    int gpus,
    int nics,
    long freeGpus,
    long freeNics,
    long someGpus,
    long someNics,
    TreeSetSolver.@Nullable Bundles bundles,
    int across) {}
