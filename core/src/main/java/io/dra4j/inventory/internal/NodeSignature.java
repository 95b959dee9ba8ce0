package io.dra4j.inventory.internal;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a node that are relevant for some claims: the shapes of its pools, which of
 * their devices are in use, and the features that the node declares. Claims that do not fit on a
 * node do not fit on any node with an equal signature.
 */
public final class NodeSignature {

  private final PoolSignature[] pools;
  private final BitSet[] taken;
  private final List<String> declared;
  private final int hash;

  NodeSignature(PoolSignature[] pools, BitSet[] taken, List<String> declared) {
    this.pools = pools;
    this.taken = taken;
    this.declared = declared;
    this.hash = 31 * (31 * Arrays.hashCode(pools) + Arrays.hashCode(taken)) + declared.hashCode();
  }

  /** {@return the signature's approximate memory in bytes, as if it shared nothing with others} */
  public long bytes() {
    long bytes = 100;
    for (PoolSignature pool : pools) {
      bytes += pool.bytes();
    }
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeSignature shape
        && hash == shape.hash
        && Arrays.equals(pools, shape.pools)
        && Arrays.equals(taken, shape.taken)
        && declared.equals(shape.declared);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
