package io.dra4j.allocation.internal.request;

import io.dra4j.inventory.internal.NodeDevice;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The devices that are placed in one search for all claims, for rules that depend on them.
 * Maintained by {@code Placer}: a device is added after every rule has accepted it, and removed
 * before any rule is undone.
 */
public final class PlacedDevices {

  private final SearchContext context;
  private final int[] exclusive; // by ordinal, exclusive placements
  private final int[] shares; // by ordinal
  private final int[] placements; // by ordinal, of every kind
  private final @Nullable BitSet[] byClaim; // exclusive devices

  public PlacedDevices(SearchContext context, int claims) {
    this.context = context;
    this.exclusive = new int[context.candidates().size()];
    this.shares = new int[context.candidates().size()];
    this.placements = new int[context.candidates().size()];
    this.byClaim = new BitSet[claims];
  }

  /** Returns whether the device is placed for any claim, and not as a share. */
  public boolean isTaken(NodeDevice candidate) {
    return exclusive[candidate.ordinal()] > 0;
  }

  /** Returns whether the device is placed for this claim, and not as a share. */
  public boolean isIn(int claim, NodeDevice candidate) {
    BitSet ofClaim = byClaim[claim];
    return ofClaim != null && ofClaim.get(candidate.ordinal());
  }

  /** Returns whether a claim, in this search or before it, has a share of the device. */
  public boolean hasShare(NodeDevice candidate) {
    return context.canBeShared(candidate)
        && (shares[candidate.ordinal()] > 0 || context.view().isShared(candidate));
  }

  /** Returns whether the device is placed for any claim, in any way. */
  public boolean isPlaced(NodeDevice candidate) {
    return placements[candidate.ordinal()] > 0;
  }

  public void add(PlannedRequest target, NodeDevice candidate) {
    placements[candidate.ordinal()]++;
    if (context.canBeShared(candidate)) {
      shares[candidate.ordinal()]++;
      return;
    }
    if (keepsOthersAway(target)) {
      exclusive[candidate.ordinal()]++;
    }
    BitSet ofClaim = byClaim[target.claimIndex];
    if (ofClaim == null) {
      ofClaim = new BitSet();
      byClaim[target.claimIndex] = ofClaim;
    }
    ofClaim.set(candidate.ordinal());
  }

  public void remove(PlannedRequest target, NodeDevice candidate) {
    placements[candidate.ordinal()]--;
    if (context.canBeShared(candidate)) {
      shares[candidate.ordinal()]--;
      return;
    }
    if (keepsOthersAway(target)) {
      exclusive[candidate.ordinal()]--;
    }
    BitSet ofClaim = byClaim[target.claimIndex];
    if (ofClaim != null) {
      ofClaim.clear(candidate.ordinal());
    }
  }

  private boolean keepsOthersAway(PlannedRequest target) {
    return !target.adminAccess || !context.fixes(Quirk.ADMIN_ACCESS_BLOCKS_OTHERS);
  }
}
