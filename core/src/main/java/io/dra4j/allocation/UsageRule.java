package io.dra4j.allocation;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A device that cannot be shared goes to one request only, except that admin access takes devices
 * in use too, though not one device twice in a claim (KEP-5018). A device taken with admin access
 * is in use for later requests of other claims all the same (the reference does so too).
 */
final class UsageRule implements Rule {

  private static final Refusal IN_USE = new Refusal("is in use");
  private static final Refusal SAME_CLAIM = new Refusal("is already in this claim");

  private final SearchContext context;
  private final int[] placements; // by ordinal, over all claims
  private final @Nullable BitSet[] byClaim;

  UsageRule(SearchContext context, int claims) {
    this.context = context;
    this.placements = new int[context.pools().candidates.length];
    this.byClaim = new BitSet[claims];
  }

  /** The cheap part of the question, asked before any selector is evaluated. */
  @Nullable Refusal check(Target target, Candidate candidate) {
    if (target.adminAccess) {
      BitSet ofClaim = byClaim[target.claimIndex];
      return ofClaim != null && ofClaim.get(candidate.ordinal) ? SAME_CLAIM : null;
    }
    return context.state().taken.get(candidate.ordinal) || placements[candidate.ordinal] > 0
        ? IN_USE
        : null;
  }

  @Override
  public @Nullable Refusal tryPlace(Target target, Candidate candidate) {
    Refusal refusal = check(target, candidate);
    if (refusal == null && !context.canBeShared(candidate)) {
      placements[candidate.ordinal]++;
      BitSet ofClaim = byClaim[target.claimIndex];
      if (ofClaim == null) {
        ofClaim = new BitSet();
        byClaim[target.claimIndex] = ofClaim;
      }
      ofClaim.set(candidate.ordinal);
    }
    return refusal;
  }

  @Override
  public void undo(Target target, Candidate candidate) {
    BitSet ofClaim = byClaim[target.claimIndex];
    if (ofClaim != null && !context.canBeShared(candidate)) {
      placements[candidate.ordinal]--;
      ofClaim.clear(candidate.ordinal);
    }
  }
}
