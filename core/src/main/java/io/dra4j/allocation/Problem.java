package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Claims that do not fit on a node, with the means to find out what would. */
public final class Problem {

  /** Nobody reads more. */
  static final int MAX_SUGGESTIONS = 5;

  private final Allocator allocator;
  private final DeviceInventory inventory;
  private final String node;
  private final List<ResourceClaim> claims;
  private final List<Refusal> refusals;
  private final Budget budget;

  Problem(
      Allocator allocator,
      DeviceInventory inventory,
      String node,
      List<ResourceClaim> claims,
      List<Refusal> refusals,
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
  public List<Refusal> refusals() {
    return refusals;
  }

  /**
   * Tries other claims, or the same with other devices free.
   *
   * @param other the inventory to try them with
   * @param changed the claims to try
   * @return whether they fit on the node; false also when the time is over
   */
  public boolean fits(DeviceInventory other, List<ResourceClaim> changed) {
    return allocator.allocate(other, node, changed, budget) instanceof Allocated;
  }

  /** Whether the time is over. */
  boolean isOver() {
    try {
      budget.check();
      return false;
    } catch (BudgetExceededException e) {
      return true;
    }
  }

  /**
   * A set of requirements to which the claims can be reduced without fitting, and of which none can
   * be left out.
   *
   * @return the set, in the order of the claims; empty if there was no time to find it, or the
   *     claims are refused for another reason than a lack of devices
   */
  List<Requirement> conflict() {
    List<Requirement> all = ClaimEdit.requirementsOf(claims);
    Set<Requirement> leftOut = new HashSet<>();
    if (!(outcomeWithout(leftOut) instanceof Unallocatable)) {
      return List.of();
    }
    boolean changed = true;
    while (changed) { // once more where leaving out one part makes another one dispensable
      changed = false;
      for (Requirement part : all) {
        if (isOver()) {
          return List.of();
        }
        if (leftOut.add(part)) {
          if (outcomeWithout(leftOut) instanceof Unallocatable) {
            changed = true;
          } else {
            leftOut.remove(part);
          }
        }
      }
    }
    List<Requirement> conflict = new ArrayList<>(all);
    conflict.removeAll(leftOut);
    Collections.reverse(conflict);
    return List.copyOf(conflict);
  }

  private AllocationOutcome outcomeWithout(Set<Requirement> leftOut) {
    return allocator.allocate(inventory, node, ClaimEdit.without(claims, leftOut), budget);
  }
}
