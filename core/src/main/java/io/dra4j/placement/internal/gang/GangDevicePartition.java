package io.dra4j.placement.internal.gang;

import io.dra4j.placement.internal.server.NearestPairing;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides the devices that a gang gets on a server among its pods. Each pod gets whole pairs, or
 * whole bundles if devices must stay together, nearest ones first.
 */
public final class GangDevicePartition {

  private record Unit(long gpus, long nics) {}

  private final List<Unit> units = new ArrayList<>();
  private long restOfGpus;
  private long restOfNics;
  private long gpus;
  private long nics;

  /**
   * Prepares a division.
   *
   * @param gpus the GPUs of all pods
   * @param nics the NICs of all pods
   * @param pairs the number of pairs that the pods can have, each pair within one pod
   */
  public GangDevicePartition(GangOptions.State state, long gpus, long nics, int pairs) {
    this.restOfGpus = gpus;
    this.restOfNics = nics;
    ServerTree shape = state.shape();
    TreeSetSolver.Bundles bundles = state.bundles();
    if (bundles == null) {
      for (NearestPairing.Pair pair : NearestPairing.of(shape, gpus, nics, pairs)) {
        units.add(new Unit(pair.gpu(), pair.nic()));
      }
      return;
    }
    for (int v = 0; v < shape.nodes; v++) {
      if (bundles.isGroup(shape, v)) {
        addBundles(shape, bundles, gpus & shape.gpus[v], nics & shape.nics[v]);
      }
    }
    units.sort((one, other) -> Long.compareUnsigned(other.gpus, one.gpus));
  }

  /** Creates bundles from the devices of a group: the nearest pairs first, then the rest. */
  private void addBundles(ServerTree shape, TreeSetSolver.Bundles bundles, long gpus, long nics) {
    int size = Math.min(Long.bitCount(gpus) / bundles.gpus(), Long.bitCount(nics) / bundles.nics());
    int pairsOfOne = Math.min(bundles.gpus(), bundles.nics());
    List<NearestPairing.Pair> pairs = NearestPairing.of(shape, gpus, nics, size * pairsOfOne);
    long leftGpus = gpus;
    long leftNics = nics;
    for (NearestPairing.Pair pair : pairs) {
      leftGpus &= ~pair.gpu();
      leftNics &= ~pair.nic();
    }
    for (int i = 0; i < size; i++) {
      long someGpus = 0;
      long someNics = 0;
      for (NearestPairing.Pair pair : pairs.subList(i * pairsOfOne, (i + 1) * pairsOfOne)) {
        someGpus |= pair.gpu();
        someNics |= pair.nic();
      }
      long moreGpus = first(leftGpus, bundles.gpus() - pairsOfOne);
      long moreNics = first(leftNics, bundles.nics() - pairsOfOne);
      leftGpus &= ~moreGpus;
      leftNics &= ~moreNics;
      units.add(new Unit(someGpus | moreGpus, someNics | moreNics));
    }
  }

  /** Takes the devices of the next pod. */
  public void take(int gpuCount, int nicCount) {
    gpus = 0;
    nics = 0;
    Unit unit = next(gpuCount, nicCount);
    while (unit != null) {
      gpus |= unit.gpus;
      nics |= unit.nics;
      units.remove(unit);
      unit = next(gpuCount - Long.bitCount(gpus), nicCount - Long.bitCount(nics));
    }
    // Devices that pods want beyond pairs come from the devices outside of pairs, if there are any.
    long paired = 0;
    long pairedNics = 0;
    for (Unit each : units) {
      paired |= each.gpus;
      pairedNics |= each.nics;
    }
    restOfGpus &= ~gpus;
    restOfNics &= ~nics;
    int moreGpus = gpuCount - Long.bitCount(gpus);
    int moreNics = nicCount - Long.bitCount(nics);
    gpus |= first(restOfGpus & ~paired, moreGpus);
    nics |= first(restOfNics & ~pairedNics, moreNics);
    gpus |= first(restOfGpus & ~gpus, gpuCount - Long.bitCount(gpus));
    nics |= first(restOfNics & ~nics, nicCount - Long.bitCount(nics));
    restOfGpus &= ~gpus;
    restOfNics &= ~nics;
    long left = restOfGpus;
    long leftNics = restOfNics;
    units.removeIf(each -> (each.gpus & ~left) != 0 || (each.nics & ~leftNics) != 0);
  }

  private @Nullable Unit next(int gpuCount, int nicCount) {
    for (Unit unit : units) {
      if (Long.bitCount(unit.gpus) <= gpuCount && Long.bitCount(unit.nics) <= nicCount) {
        return unit;
      }
    }
    return null;
  }

  /** The GPUs of the pod. */
  public long gpus() {
    return gpus;
  }

  /** The NICs of the pod. */
  public long nics() {
    return nics;
  }

  private static long first(long mask, int count) {
    long some = 0;
    for (int i = 0; i < count; i++) {
      some |= Long.highestOneBit(mask & ~some);
    }
    return some;
  }
}
