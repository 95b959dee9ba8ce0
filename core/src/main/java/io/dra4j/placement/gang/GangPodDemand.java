package io.dra4j.placement.gang;

import io.dra4j.placement.internal.selection.DeviceSetRequest;
import io.dra4j.placement.internal.selection.DeviceSetSelector;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import org.jspecify.annotations.Nullable;

/**
 * What one pod wants of the GPUs and NICs of a server, and which of them are free.
 *
 * @param kind the server
 * @param shape its tree
 * @param gpus how many GPUs
 * @param nics how many NICs
 * @param freeGpus the GPUs that nobody has
 * @param freeNics the NICs that nobody has
 * @param someGpus those that the pod may have
 * @param someNics those that the pod may have
 * @param bundles what has to stay together; null if nothing
 * @param across the pairs of others across NUMA nodes
 */
public record GangPodDemand(
    ServerModel kind,
    ServerTree shape,
    int gpus,
    int nics,
    long freeGpus,
    long freeNics,
    long someGpus,
    long someNics,
    TreeSetSolver.@Nullable Bundles bundles,
    int across) {

  public GangPodDemand(ServerModel kind, DeviceSetRequest wanted, DeviceSetSelector.Plain plain) {
    this(
        kind,
        plain.shape(),
        wanted.count(true),
        wanted.count(false),
        wanted.use.freeGpus(),
        wanted.use.freeNics(),
        plain.gpus(),
        plain.nics(),
        plain.bundles(),
        wanted.use.others().pairsAcross());
  }
}
