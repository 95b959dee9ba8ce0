package io.dra4j.placement.internal.server;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** The uplinks of a server. Immutable. */
public final class Uplinks {

  /** The uplinks of switches and cards, the lowest ones first. */
  public final List<Uplink> all;

  private final List<Uplink> narrow; // a single pair can fill them
  private final DoubleSupplier fastestPair;

  /** Prepares uplinks, given the bandwidth of the server's fastest pair alone, in GB/s. */
  Uplinks(List<Uplink> all, DoubleSupplier fastestPair) {
    this.all = List.copyOf(all);
    this.fastestPair = fastestPair;
    this.narrow = // only small servers have uplinks; all of their paths are known
        all.stream()
            .filter(Uplink::isPublished)
            .filter(uplink -> uplink.gigabytesPerSecond() < fastestPair.getAsDouble())
            .toList();
  }

  /** Returns whether there are no uplinks. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns whether a single pair can fill an uplink, so that a longer path may be faster. */
  public boolean hasNarrow() {
    return !narrow.isEmpty();
  }

  /** The least bandwidth of the narrow uplinks on the way of a pair, in GB/s. */
  double narrowest(int gpu, int nic) {
    double least = Double.MAX_VALUE;
    for (Uplink uplink : narrow) {
      if (uplink.isCrossedBy(ServerTree.bit(gpu), ServerTree.bit(nic))) {
        least = Math.min(least, uplink.gigabytesPerSecond());
      }
    }
    return least;
  }

  /**
   * Whether no uplink is slower than the pairs of a set that go through it, so that uplinks do not
   * slow down the set.
   *
   * @param layout returns the tree of the devices
   */
  boolean haveRoom(
      long gpus, long nics, ServerOccupancy.Others others, Supplier<Optional<ServerTree>> layout) {
    int[] crossings = new int[all.size()];
    Arrays.setAll(crossings, i -> all.get(i).crossings(gpus, nics));
    if (haveRoom(crossings, others)) {
      return true;
    }
    ServerTree shape = layout.get().orElse(null);
    if (shape == null) {
      return false;
    }
    Arrays.fill(crossings, 0);
    for (NearestPairing.Pair pair : NearestPairing.of(shape, gpus, nics, ServerTree.MAX_DEVICES)) {
      for (int i = 0; i < crossings.length; i++) {
        crossings[i] += all.get(i).isCrossedBy(pair.gpu(), pair.nic()) ? 1 : 0;
      }
    }
    return haveRoom(crossings, others);
  }

  private boolean haveRoom(int[] crossings, ServerOccupancy.Others others) {
    for (int i = 0; i < crossings.length; i++) {
      int users = crossings[i] + others.ofUplink(i);
      if (crossings[i] > 0
          && (users > 1 || all.get(i).isPublished())
          && users * fastestPair.getAsDouble() > all.get(i).gigabytesPerSecond()) {
        return false;
      }
    }
    return true;
  }
}
