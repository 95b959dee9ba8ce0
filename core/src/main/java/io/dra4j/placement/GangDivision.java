package io.dra4j.placement;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides the devices that a gang gets on a server among its pods: each pod gets whole pairs, or
 * whole bundles where devices have to stay together, nearest ones first.
 */
final class GangDivision {

  private record Unit(long gpus, long nics) {}

  private final List<Unit> units = new ArrayList<>();
  private long restOfGpus;
  private long restOfNics;
  private long gpus;
  private long nics;

  GangDivision(GangOptions.State state, long gpus, long nics) {
    this.restOfGpus = gpus;
    this.restOfNics = nics;
    ServerShape shape = state.shape();
    SetSolver.Bundles bundles = state.bundles();
    long leftGpus = gpus;
    long leftNics = nics;
    for (int v = 0; v < shape.nodes; v++) {
      if (bundles != null && !bundles.holds(shape, v)) {
        continue;
      }
      int ofGpus = bundles == null ? 1 : bundles.gpus();
      int ofNics = bundles == null ? 1 : bundles.nics();
      while (bundles == null || bundles.isGroup(shape, v)) {
        long someGpus = first(leftGpus & shape.gpus[v], ofGpus);
        long someNics = first(leftNics & shape.nics[v], ofNics);
        if (Long.bitCount(someGpus) < ofGpus || Long.bitCount(someNics) < ofNics) {
          break;
        }
        units.add(new Unit(someGpus, someNics));
        leftGpus &= ~someGpus;
        leftNics &= ~someNics;
      }
    }
    units.sort((one, other) -> Long.compareUnsigned(other.gpus, one.gpus));
  }

  /** Takes the devices of the next pod. */
  void take(int gpuCount, int nicCount) {
    gpus = 0;
    nics = 0;
    Unit unit = next(gpuCount, nicCount);
    while (unit != null) {
      gpus |= unit.gpus;
      nics |= unit.nics;
      units.remove(unit);
      unit = next(gpuCount - Long.bitCount(gpus), nicCount - Long.bitCount(nics));
    }
    // What pods want beyond pairs is what is in none, as far as there is such a thing.
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
  long gpus() {
    return gpus;
  }

  /** The NICs of the pod. */
  long nics() {
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
