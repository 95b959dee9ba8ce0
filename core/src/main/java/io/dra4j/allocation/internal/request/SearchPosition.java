package io.dra4j.allocation.internal.request;

import io.dra4j.model.ResourceClaim;
import org.jspecify.annotations.Nullable;

/** How far an allocation has come, for the message of an undecided one. Cheap to move. */
public final class SearchPosition {

  private String stage;
  private @Nullable ResourceClaim claim;
  private @Nullable String request;
  private @Nullable PlannedRequest target;

  /** Begins with something that is about no claim. */
  public SearchPosition(String stage) {
    this.stage = stage;
  }

  public void at(String newStage, ResourceClaim atClaim, String atRequest) {
    stage = newStage;
    claim = atClaim;
    request = atRequest;
  }

  public void at(String newStage, PlannedRequest atTarget) {
    stage = newStage;
    target = atTarget;
  }

  /** Completes "stopped". */
  @Override
  public String toString() {
    if (target != null) {
      return stage + " " + target.displayName();
    }
    return claim == null ? stage : stage + " claim " + claim.displayName() + ", request " + request;
  }
}
