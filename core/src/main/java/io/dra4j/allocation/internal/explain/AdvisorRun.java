package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.explanation.AdvisorContext;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The shared state and results of the advisors of one explanation. */
public final class AdvisorRun implements AdvisorContext {

  /** The maximum number of suggestions. */
  static final int MAX_SUGGESTIONS = 5;

  /** More parts are not analysed, because the cost grows with the square of their number. */
  public static final int MAX_PARTS = 2_048;

  /** The reason why claims with more parts are not analysed. */
  public static final String TOO_MANY_PARTS =
      "the claims have more than " + MAX_PARTS + " requests, selectors and constraints";

  private final ExplanationSource source;
  private final DeviceInventory inventory;
  private final String node;
  private final List<ResourceClaim> claims;
  private final List<Reason> reasons;
  private final Budget budget;
  private @Nullable String gap; // the first reason why the results are incomplete
  private boolean helped;

  public AdvisorRun(
      ExplanationSource source,
      DeviceInventory inventory,
      String node,
      List<ResourceClaim> claims,
      List<Reason> reasons,
      Budget budget) {
    this.source = source;
    this.inventory = inventory;
    this.node = node;
    this.claims = List.copyOf(claims);
    this.reasons = List.copyOf(reasons);
    this.budget = budget;
  }

  @Override
  public DeviceInventory inventory() {
    return inventory;
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public List<ResourceClaim> claims() {
    return claims;
  }

  @Override
  public List<Reason> reasons() {
    return reasons;
  }

  @Override
  public boolean fits(DeviceInventory changedInventory, List<ResourceClaim> changedClaims) {
    Objects.requireNonNull(changedInventory, "changedInventory");
    Objects.requireNonNull(changedClaims, "changedClaims");
    return outcome(changedInventory, changedClaims) instanceof Allocated;
  }

  private AllocationOutcome outcome(
      DeviceInventory changedInventory, List<ResourceClaim> changedClaims) {
    AllocationOutcome outcome = source.allocate(changedInventory, node, changedClaims, budget);
    if (outcome instanceof Undecided undecided) {
      markIncomplete(undecided.reason());
    }
    return outcome;
  }

  @Override
  public Budget budget() {
    return budget;
  }

  @Override
  public void markIncomplete(String reason) {
    Objects.requireNonNull(reason, "reason");
    gap = gap == null ? reason : gap;
  }

  /** Returns whether claims have too many requests, selectors and constraints for an analysis. */
  public static boolean hasTooManyParts(List<ResourceClaim> claims) {
    long parts = 0;
    for (ResourceClaim claim : claims) {
      parts += 1 + claim.spec().constraints().size();
      for (DeviceRequest request : claim.spec().requests()) {
        ExactDeviceRequest exactly = request.exactly();
        parts += 1 + request.firstAvailable().size();
        parts += exactly == null ? 0 : exactly.selectors().size();
      }
    }
    return parts > MAX_PARTS;
  }

  /** Returns the devices that the node can use; none if there is no such node. */
  public List<InventoryDevice> devices() {
    return inventory.devicesOf(node).map(NodeDevices::list).orElse(List.of());
  }

  /** The claims that hold devices in the inventory; these devices are their own. */
  Set<ClaimKey> allocatedAlready() {
    Set<ClaimKey> own = new HashSet<>();
    claims.stream().filter(inventory::isAllocated).forEach(claim -> own.add(ClaimKey.of(claim)));
    return own;
  }

  /** The end of a text that names the claim; empty if there is only one claim. */
  String ofClaim(ClaimKey claim) {
    return claims.size() > 1 ? " of claim " + claim : "";
  }

  /** Records that a suggestion was tried successfully. */
  public void recordSuccess() {
    helped = true;
  }

  /** Returns whether any suggestion was successful. */
  public boolean hasSuggestion() {
    return helped;
  }

  /** Returns the results, complete unless an attempt had no answer. */
  public <T> PartialResult<T> resultOf(List<T> found) {
    return new PartialResult<>(found, Optional.ofNullable(gap));
  }

  /** Returns whether the budget is used up. */
  public boolean isOver() {
    try {
      budget.check();
      return false;
    } catch (BudgetExceededException e) {
      markIncomplete(e.reason());
      return true;
    }
  }

  /**
   * {@return a minimal set of requirements to which the claims can be reduced and still do not fit,
   * in the order of the claims; empty if it could not be found: it is unknown whether a part can be
   * left out, or the claims are refused for another reason than a lack of devices}
   */
  @SuppressWarnings("MethodLength") // the steps of the search share its sets and its position
  public PartialResult<Requirement> conflict() {
    List<Requirement> all = ClaimRelaxation.requirementsOf(claims);
    Set<Requirement> leftOut = new HashSet<>();
    if (!(outcomeWithout(leftOut) instanceof Unallocatable)) {
      return resultOf(List.of());
    }
    EquivalentRequirements equivalents = new EquivalentRequirements(claims);
    boolean changed = true;
    boolean open = false; // whether a part remains undecided
    while (changed) { // once more if leaving out one part makes another one dispensable
      changed = false;
      open = false;
      Set<EquivalentRequirements.Role> needed = new HashSet<>();
      List<Requirement> parts = all.stream().filter(part -> !leftOut.contains(part)).toList();
      int many = 1; // the number of parts to leave out at once, doubled after each success
      for (int i = 0; i < parts.size(); ) {
        if (isOver()) {
          return resultOf(List.of());
        }
        List<Requirement> some = parts.subList(i, Math.min(parts.size(), i + many));
        EquivalentRequirements.Role role = some.size() == 1 ? equivalents.role(some.get(0)) : null;
        if (role != null && needed.contains(role)) {
          i++;
          continue;
        }
        leftOut.addAll(some);
        AllocationOutcome outcome = outcomeWithout(leftOut);
        open |= outcome instanceof Undecided;
        if (outcome instanceof Unallocatable) {
          changed = true;
          some.forEach(equivalents::leaveOut);
          i += some.size();
          many = 2 * some.size();
          continue;
        }
        some.forEach(leftOut::remove);
        if (some.size() > 1) {
          many = some.size() / 2;
          continue;
        }
        if (role != null && outcome instanceof Allocated) {
          needed.add(role);
        }
        i++;
        many = 1;
      }
    }
    if (open) {
      return resultOf(List.of());
    }
    List<Requirement> conflict = new ArrayList<>(all);
    conflict.removeAll(leftOut);
    Collections.reverse(conflict);
    return PartialResult.all(conflict);
  }

  private AllocationOutcome outcomeWithout(Set<Requirement> leftOut) {
    return outcome(inventory, ClaimRelaxation.without(claims, leftOut));
  }
}
