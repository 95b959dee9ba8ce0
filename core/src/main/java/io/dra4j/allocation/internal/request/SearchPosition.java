package io.dra4j.allocation.internal.request;

import io.dra4j.model.ResourceClaim;
import org.jspecify.annotations.Nullable;

/** The progress of an allocation, for the message of an undecided outcome. Cheap to update. */
public final class SearchPosition {

  private String stage;
  private @Nullable ResourceClaim claim;
  private @Nullable String request;
  private @Nullable PlannedRequest target;

  /** Starts with a stage that concerns no claim. */
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

  /** Returns the position, which completes "stopped". */
  @Override
  public String toString() {
    if (target != null) {
      return stage + " " + target.displayName();
    }
    return claim == null ? stage : stage + " claim " + claim.displayName() + ", request " + request;
  }
}
