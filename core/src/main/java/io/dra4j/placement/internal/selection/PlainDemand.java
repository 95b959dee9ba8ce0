package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import org.jspecify.annotations.Nullable;

/**
 * A demand for numbers of interchangeable GPUs and NICs of a server, with the free ones, that can
 * be met together with the demands of others.
 *
 * @param kind the server
 * @param shape its tree
 * @param gpus the number of GPUs
 * @param nics the number of NICs
 * @param freeGpus the GPUs that are not in use
 * @param freeNics the NICs that are not in use
 * @param someGpus the GPUs to choose from
 * @param someNics the NICs to choose from
 * @param bundles the devices that must stay together; null if there are none
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
