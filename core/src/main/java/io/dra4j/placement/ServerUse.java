package io.dra4j.placement;

import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeView;
import io.dra4j.model.ClaimKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What of a server is in use.
 *
 * @param freeGpus the GPUs that nobody has, of the first 64
 * @param freeNics the NICs that nobody has, of the first 64
 * @param usersOfSockets the pairs of claims that have devices, as far as such pairs can only be
 *     made across NUMA nodes
 */
record ServerUse(long freeGpus, long freeNics, int usersOfSockets) {

  /**
   * Looks at the devices of a node.
   *
   * @param candidates gives the devices of the node by ordinal
   */
  static ServerUse of(
      DeviceInventory inventory,
      NodeView view,
      IntFunction<Candidate> candidates,
      ServerKind kind) {
    long freeGpus = free(view, candidates, kind.gpuOrdinals);
    long freeNics = free(view, candidates, kind.nicOrdinals);
    long usedGpus = ServerShape.first(kind.gpus()) & ~freeGpus;
    long usedNics = ServerShape.first(kind.nics()) & ~freeNics;
    int users = 0;
    if (kind.sharesSockets() && usedGpus != 0 && usedNics != 0) {
      Map<ClaimKey, long[]> held = new HashMap<>();
      hold(inventory, candidates, kind.gpuOrdinals, usedGpus, 0, held);
      hold(inventory, candidates, kind.nicOrdinals, usedNics, 1, held);
      for (long[] masks : held.values()) {
        users += masks[0] != 0 && masks[1] != 0 ? kind.across(masks[0], masks[1]) : 0;
      }
    }
    return new ServerUse(freeGpus, freeNics, users);
  }

  private static long free(NodeView view, IntFunction<Candidate> candidates, int[] ordinals) {
    long mask = 0;
    for (int i = 0; i < Math.min(ordinals.length, ServerShape.MAX_DEVICES); i++) {
      mask |= view.isTaken(candidates.apply(ordinals[i])) ? 0 : ServerShape.bit(i);
    }
    return mask;
  }

  private static void hold(
      DeviceInventory inventory,
      IntFunction<Candidate> candidates,
      int[] ordinals,
      long used,
      int side,
      Map<ClaimKey, long[]> held) {
    for (long rest = used; rest != 0; rest &= ~Long.highestOneBit(rest)) {
      int device = Long.numberOfLeadingZeros(rest);
      for (ClaimKey claim : inventory.holdersOf(candidates.apply(ordinals[device]).id())) {
        held.computeIfAbsent(claim, any -> new long[2])[side] |= ServerShape.bit(device);
      }
    }
  }
}
