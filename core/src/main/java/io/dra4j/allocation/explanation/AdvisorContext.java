package io.dra4j.allocation.explanation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.explain.ClaimRelaxation;
import io.dra4j.allocation.internal.explain.EquivalentRequirements;
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

/** Claims that do not fit on a node, with the means to find out what would. */
public final class AdvisorContext {

  /** Nobody reads more. */
  static final int MAX_SUGGESTIONS = 5;

  /** More parts of claims nobody takes apart: it takes the square of their number. */
  static final int MAX_PARTS = 2_048;

  /** Why claims of more parts are not taken apart. */
  static final String TOO_MANY_PARTS =
      "the claims have more than " + MAX_PARTS + " requests, selectors and constraints";

  private final Allocator allocator;
  private final DeviceInventory inventory;
  private final String node;
  private final List<ResourceClaim> claims;
  private final List<Reason> refusals;
  private final Budget budget;
  private @Nullable String gap; // the first reason why something is not known
  private boolean helped;

  public AdvisorContext(
      Allocator allocator,
      DeviceInventory inventory,
      String node,
      List<ResourceClaim> claims,
      List<Reason> refusals,
      Budget budget) {
    this.allocator = allocator;
    this.inventory = inventory;
    this.node = node;
    this.claims = List.copyOf(claims);
    this.refusals = List.copyOf(refusals);
    this.budget = budget;
  }

  /**
   * Returns the devices of the cluster and what of them is in use.
   *
   * @return the inventory that the claims do not fit into
   */
  public DeviceInventory inventory() {
    return inventory;
  }

  /**
   * Returns the node in question.
   *
   * @return its name
   */
  public String node() {
    return node;
  }

  /**
   * Returns the claims that do not fit together.
   *
   * @return pending claims, in order
   */
  public List<ResourceClaim> claims() {
    return claims;
  }

  /**
   * Returns why the claims do not fit.
   *
   * @return the reasons, the most telling one first
   */
  public List<Reason> refusals() {
    return refusals;
  }

  /**
   * Tries other claims, or the same with other devices free.
   *
   * @param other the inventory to try them with
   * @param changed the claims to try
   * @return whether they fit on the node; false also where that is not known, as when the time is
   *     over
   */
  public boolean fits(DeviceInventory other, List<ResourceClaim> changed) {
    return outcome(other, changed) instanceof Allocated;
  }

  private AllocationOutcome outcome(DeviceInventory other, List<ResourceClaim> changed) {
    AllocationOutcome outcome = allocator.allocate(other, node, changed, budget);
    if (outcome instanceof Undecided undecided) {
      leftOpen(undecided.reason());
    }
    return outcome;
  }

  /**
   * Returns how long the caller waits for all advisors together.
   *
   * @return the budget, which runs already
   */
  public Budget budget() {
    return budget;
  }

  /**
   * Notes that an advisor could not look at everything: the suggestions are then said to be
   * incomplete, and why.
   *
   * @param reason why not, in a few words, for example {@code no answer within 1000 ms}
   */
  public void leftOpen(String reason) {
    Objects.requireNonNull(reason, "reason: want why not everything was looked at, got null");
    gap = gap == null ? reason : gap;
  }

  /** Whether claims have more requests, selectors and constraints than are looked into. */
  static boolean hasTooManyParts(List<ResourceClaim> claims) {
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

  /** The devices that the node sees; none if there is no such node. */
  public List<InventoryDevice> devices() {
    return inventory.devicesOf(node).map(NodeDevices::list).orElse(List.of());
  }

  /** Those of the claims that have devices, as the inventory knows: these are their own. */
  public Set<ClaimKey> allocatedAlready() {
    Set<ClaimKey> own = new HashSet<>();
    claims.stream().filter(inventory::isAllocated).forEach(claim -> own.add(ClaimKey.of(claim)));
    return own;
  }

  /** How a text goes on so that it says which claim is meant; empty if there is only one. */
  public String ofClaim(ClaimKey claim) {
    return claims.size() > 1 ? " of claim " + claim : "";
  }

  /** Notes that a suggestion was tried, and helps. */
  public void noteHelp() {
    helped = true;
  }

  /** Whether somebody has suggested something that helps. */
  public boolean isHelped() {
    return helped;
  }

  /** What was found, complete unless there was a question without an answer. */
  public <T> PartialResult<T> findings(List<T> found) {
    return new PartialResult<>(found, Optional.ofNullable(gap));
  }

  /** Whether the time is over. */
  public boolean isOver() {
    try {
      budget.check();
      return false;
    } catch (BudgetExceededException e) {
      leftOpen(e.reason());
      return true;
    }
  }

  /**
   * A set of requirements to which the claims can be reduced without fitting, and of which none can
   * be left out.
   *
   * @return the set, in the order of the claims; empty if it could not be found, as where nobody
   *     knows of a part whether it can be left out, or the claims are refused for another reason
   *     than a lack of devices
   */
  PartialResult<Requirement> conflict() {
    List<Requirement> all = ClaimRelaxation.requirementsOf(claims);
    Set<Requirement> leftOut = new HashSet<>();
    if (!(outcomeWithout(leftOut) instanceof Unallocatable)) {
      return findings(List.of());
    }
    EquivalentRequirements alike = new EquivalentRequirements(claims);
    boolean changed = true;
    boolean open = false; // whether nobody knows of a part that is left
    while (changed) { // once more where leaving out one part makes another one dispensable
      changed = false;
      open = false;
      Set<EquivalentRequirements.Role> needed = new HashSet<>();
      List<Requirement> parts = all.stream().filter(part -> !leftOut.contains(part)).toList();
      int many = 1; // how many to leave out at once: twice as many each time that goes well
      for (int i = 0; i < parts.size(); ) {
        if (isOver()) {
          return findings(List.of());
        }
        List<Requirement> some = parts.subList(i, Math.min(parts.size(), i + many));
        EquivalentRequirements.Role role = some.size() == 1 ? alike.role(some.get(0)) : null;
        if (role != null && needed.contains(role)) {
          i++;
          continue;
        }
        leftOut.addAll(some);
        AllocationOutcome outcome = outcomeWithout(leftOut);
        open |= outcome instanceof Undecided;
        if (outcome instanceof Unallocatable) {
          changed = true;
          some.forEach(alike::leaveOut);
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
      return findings(List.of());
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
