package io.dra4j.allocation.policy;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.allocation.internal.rule.RuleKind.Screen;
import io.dra4j.allocation.internal.search.Search;
import io.dra4j.allocation.internal.search.Search.PlacedDevice;
import io.dra4j.allocation.internal.search.SearchPlan;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link AllocationPolicy} is asked: which devices some claims get on a node, given that
 * they fit. For one thread, and valid only while the policy is asked.
 */
public final class PolicyContext {

  /**
   * A request, or the alternative of it that Kubernetes would take, which a policy cannot change.
   *
   * @param claimNumber the place of the claim among those that are allocated together
   * @param claim the claim
   * @param name as in results: {@code request} or {@code request/alternative}
   * @param exactly what is wanted
   * @param firstFit the devices that Kubernetes would take
   * @param open whether other devices can be chosen: not for admin access, nor where all devices
   *     are wanted
   */
  public record Request(
      int claimNumber,
      ResourceClaim claim,
      String name,
      ExactDeviceRequest exactly,
      List<NodeDevice> firstFit,
      boolean open) {

    /** Copies the list. {@inheritDoc} */
    public Request {
      firstFit = List.copyOf(firstFit);
    }
  }

  private final SearchContext context;
  private final SearchPlan plan;
  private final List<Request> requests = new ArrayList<>();
  private final List<PlannedRequest> targets = new ArrayList<>();
  private boolean proposalRefused;
  private @Nullable Object kept;

  public PolicyContext(SearchPlan plan, Search search) {
    this.context = plan.context;
    this.plan = plan;
    List<List<NodeDevice>> found = devices(plan, search);
    for (int i = 0; i < plan.claims.size(); i++) {
      for (int request = 0; request < plan.claims.get(i).requests().size(); request++) {
        PlannedRequest target = search.target(i, request);
        List<NodeDevice> devices = found.get(targets.size());
        targets.add(target);
        requests.add(
            new Request(
                target.claimIndex,
                target.claim,
                target.resultName(),
                target.request,
                devices,
                !target.all && !target.adminAccess));
      }
    }
  }

  /** The devices that a search found for each request of all claims. */
  public static List<List<NodeDevice>> devices(SearchPlan plan, Search search) {
    List<List<NodeDevice>> found = new ArrayList<>();
    for (int i = 0; i < plan.claims.size(); i++) {
      List<PlacedDevice> placed = search.results().get(i);
      int next = 0;
      for (int request = 0; request < plan.claims.get(i).requests().size(); request++) {
        PlannedRequest target = search.target(i, request);
        List<NodeDevice> devices = new ArrayList<>();
        while (next < placed.size() && placed.get(next).target() == target) {
          devices.add(placed.get(next++).candidate());
        }
        found.add(devices);
      }
    }
    return found;
  }

  /**
   * Returns the requests of all claims.
   *
   * @return the requests, claim by claim, in their order
   */
  public List<Request> requests() {
    return requests;
  }

  /**
   * Tells whether the rules of the allocator refused the devices that {@link
   * AllocationPolicy#choose} proposed, so that the first ones that fit are the answer. Never before
   * the policy is asked for a score.
   *
   * @return whether the answer is not what the policy wanted
   */
  public boolean isProposalRefused() {
    return proposalRefused;
  }

  public void refuseProposal() {
    proposalRefused = true;
  }

  /**
   * Keeps what a policy has made out about this question for when it is asked again, about a
   * refusal or for a score.
   *
   * @param facts what {@link #kept} returns from now on
   */
  public void keep(Object facts) {
    kept = facts;
  }

  /**
   * Returns what a policy has made out about this question before.
   *
   * @return what was given to {@link #keep} last; empty if nothing was
   */
  public Optional<Object> kept() {
    return Optional.ofNullable(kept);
  }

  /** The devices of each request, as the search found them. */
  public List<List<NodeDevice>> firstFit() {
    return requests.stream().map(Request::firstFit).toList();
  }

  /**
   * Returns the inventory.
   *
   * @return the devices of the cluster and who holds them
   */
  public DeviceInventory inventory() {
    return context.inventory();
  }

  /**
   * Returns what the node can use.
   *
   * @return the view of the node
   */
  public NodeView view() {
    return context.view();
  }

  /**
   * Tells whether the allocator was given rules besides those of Kubernetes, of which nobody knows
   * what they look at.
   *
   * @return whether {@link Allocator.Builder#rule} was called
   */
  public boolean hasAddedRules() {
    return !context.rules().isEmpty();
  }

  /**
   * Returns how long the caller of the allocation waits.
   *
   * @return the budget, which loops have to look at
   */
  public Budget budget() {
    return context.budget();
  }

  /**
   * Returns a device of the node.
   *
   * @param ordinal its place in the order in which Kubernetes tries devices
   * @return the device
   */
  public NodeDevice candidate(int ordinal) {
    return context.candidates().get(ordinal);
  }

  /**
   * Tells whether claims that have devices keep others from having a device, so that no request but
   * one with admin access can have it, as {@link Allocator#isInUse}.
   *
   * @param device a device of the node
   * @return whether it is in use
   */
  public boolean isInUse(NodeDevice device) {
    return context.isInUse(
        Objects.requireNonNull(device, "device: want a device of the node, got null"));
  }

  /**
   * Tells whether a request can have a device, as far as the device alone decides it: it is free,
   * class and selectors choose it, and it has the capacity. A device on which a selector fails is
   * none. Constraints, counters and taints are looked at when a choice is tried.
   *
   * @param request the place of the request in {@link #requests}
   * @param device a device of the node
   * @return whether the device is worth choosing
   * @throws BudgetExceededException if that takes longer than the caller of the allocation waits
   */
  public boolean mayHave(int request, NodeDevice device) throws BudgetExceededException {
    PlannedRequest target = targets.get(request);
    context.budget().spend(1);
    if (target.selection.isKnownNotToSelect(device.ordinal())) {
      return false; // as the search found out
    }
    Placer placer = plan.claims.get(target.claimIndex).placer();
    try {
      return placer.check(Screen.BEFORE_SELECTORS, target, device) == null
          && target.selects(device)
          && placer.check(Screen.AFTER_SELECTORS, target, device) == null;
    } catch (RejectedException e) {
      return false; // Kubernetes never asked about this device, or there would be no solution
    }
  }

  /**
   * Tells whether two requests want the same of a device alone: class, selectors and capacity.
   *
   * @param request the place of a request in {@link #requests}
   * @param other the place of another
   * @return whether {@link #mayHave} gives the same for both
   */
  public boolean alike(int request, int other) {
    return targets.get(request).wantsAlike(targets.get(other));
  }
}
