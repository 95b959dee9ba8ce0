package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.Placer;
import io.dra4j.allocation.internal.rule.RuleKind.Screen;
import io.dra4j.allocation.internal.search.Search.PlacedDevice;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.Node;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The context of a policy for a solution that a search has found. */
public final class SearchPolicyContext implements PolicyContext {

  private final SearchContext context;
  private final SearchPlan plan;
  private final List<Request> requests = new ArrayList<>();
  private final List<PlannedRequest> planned = new ArrayList<>();
  private boolean proposalRefused;
  private @Nullable Object attachment;

  SearchPolicyContext(SearchPlan plan, Search search) {
    this.context = plan.context;
    this.plan = plan;
    List<List<PolicyDevice>> found = devices(plan, search);
    for (int i = 0; i < plan.claims.size(); i++) {
      for (int request = 0; request < plan.claims.get(i).requests().size(); request++) {
        PlannedRequest target = search.target(i, request);
        List<PolicyDevice> devices = found.get(planned.size());
        planned.add(target);
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

  /**
   * Returns a context as the type that the allocator created.
   *
   * @throws IllegalArgumentException if no allocator created it
   */
  public static SearchPolicyContext of(PolicyContext context) {
    if (context instanceof SearchPolicyContext ofSearch) {
      return ofSearch;
    }
    throw new IllegalArgumentException(
        "context: expected the context that the allocator passed, found "
            + context.getClass().getName());
  }

  /** Casts a device, or throws an IllegalArgumentException if no inventory created it. */
  static NodeDevice nodeDevice(PolicyDevice device) {
    if (Objects.requireNonNull(device, "device") instanceof NodeDevice ofNode) {
      return ofNode;
    }
    throw new IllegalArgumentException(
        "device: expected one of the node's devices, found " + device.getClass().getName());
  }

  /** Returns the lists of a policy as lists of the internal type. Copies nothing. */
  @SuppressWarnings("unchecked") // an inventory has created all devices that a policy gets
  public static List<List<NodeDevice>> nodeDevices(List<List<PolicyDevice>> devices) {
    return (List<List<NodeDevice>>) (List<?>) devices;
  }

  /** Returns lists of devices as lists for a policy. Copies nothing; must not be changed. */
  @SuppressWarnings("unchecked") // they are read only
  public static List<List<PolicyDevice>> policyDevices(List<List<NodeDevice>> devices) {
    return (List<List<PolicyDevice>>) (List<?>) devices;
  }

  /** The devices that a search found for each request of all claims. */
  static List<List<PolicyDevice>> devices(SearchPlan plan, Search search) {
    List<List<PolicyDevice>> found = new ArrayList<>();
    for (int i = 0; i < plan.claims.size(); i++) {
      List<PlacedDevice> placed = search.results().get(i);
      int next = 0;
      for (int request = 0; request < plan.claims.get(i).requests().size(); request++) {
        PlannedRequest target = search.target(i, request);
        List<PolicyDevice> devices = new ArrayList<>();
        while (next < placed.size() && placed.get(next).target() == target) {
          devices.add(placed.get(next++).candidate());
        }
        found.add(devices);
      }
    }
    return found;
  }

  @Override
  public List<Request> requests() {
    return requests;
  }

  @Override
  public Node node() {
    return context.view().node();
  }

  @Override
  public List<PolicyDevice> devices() {
    return new AbstractList<>() {
      @Override
      public PolicyDevice get(int index) {
        return candidate(Objects.checkIndex(index, size()));
      }

      @Override
      public int size() {
        return context.candidates().size();
      }
    };
  }

  @Override
  public boolean isProposalRefused() {
    return proposalRefused;
  }

  void refuseProposal() {
    proposalRefused = true;
  }

  @Override
  public void attach(Object facts) {
    attachment = Objects.requireNonNull(facts, "facts");
  }

  @Override
  public <T> Optional<T> attachment(Class<T> type) {
    return type.isInstance(attachment) ? Optional.of(type.cast(attachment)) : Optional.empty();
  }

  /** Returns the devices of each request, as the search found them. */
  public List<List<PolicyDevice>> firstFit() {
    return requests.stream().map(Request::firstFit).toList();
  }

  /** Returns the devices of one request, as the search found them. */
  @SuppressWarnings("unchecked") // the search has found only such devices
  public List<NodeDevice> firstFit(int request) {
    return (List<NodeDevice>) (List<?>) requests.get(request).firstFit();
  }

  @Override
  public DeviceInventory inventory() {
    return context.inventory();
  }

  /** Returns the pools and devices that the node can use. */
  public NodeView view() {
    return context.view();
  }

  @Override
  public boolean hasAddedRules() {
    return !context.rules().isEmpty();
  }

  @Override
  public Budget budget() {
    return context.budget();
  }

  /**
   * Returns a device of the node.
   *
   * @param ordinal its position in the order in which Kubernetes tries devices
   */
  public NodeDevice candidate(int ordinal) {
    return context.candidates().get(ordinal);
  }

  @Override
  public boolean isInUse(PolicyDevice device) {
    return isInUse(nodeDevice(device));
  }

  /** As {@link #isInUse(PolicyDevice)}. */
  public boolean isInUse(NodeDevice device) {
    return context.isInUse(device);
  }

  @Override
  public boolean canUse(int request, PolicyDevice device) throws BudgetExceededException {
    return canUse(request, nodeDevice(device));
  }

  /** As {@link #canUse(int, PolicyDevice)}. */
  public boolean canUse(int request, NodeDevice device) throws BudgetExceededException {
    PlannedRequest target = planned.get(request);
    context.budget().spend(1);
    if (target.selection.isKnownNotToSelect(device.ordinal())) {
      return false; // as the search found
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

  @Override
  public boolean isInterchangeable(int first, int second) {
    return planned.get(first).isInterchangeable(planned.get(second));
  }
}
