package io.dra4j.allocation.policy;

import io.dra4j.allocation.Allocator;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Optional;

/**
 * The input of an {@link AllocationPolicy}: the claims, which fit on the node, and the devices of
 * the node. For one thread, and valid only during the call of the policy.
 */
public interface PolicyContext {

  /**
   * A request, or the alternative of it that Kubernetes would choose; a policy cannot choose
   * another alternative.
   *
   * @param claimNumber the index of the claim among the claims that are allocated together
   * @param claim the claim
   * @param name the name as in results: {@code request} or {@code request/alternative}
   * @param exactly the content of the request
   * @param firstFit the devices that Kubernetes would choose
   * @param open whether other devices can be chosen; false for admin access, and if all devices are
   *     requested
   */
  record Request(
      int claimNumber,
      ResourceClaim claim,
      String name,
      ExactDeviceRequest exactly,
      List<PolicyDevice> firstFit,
      boolean open) {

    /** Copies the list. {@inheritDoc} */
    public Request {
      firstFit = List.copyOf(firstFit);
    }
  }

  /**
   * Returns the requests of all claims.
   *
   * @return the requests, claim by claim, in their order
   */
  List<Request> requests();

  /**
   * Returns the node.
   *
   * @return the node on which the claims get their devices
   */
  Node node();

  /**
   * Returns the devices of the node, including devices in use. A device is the same object each
   * time.
   *
   * @return the devices, in the order in which Kubernetes tries them
   */
  List<PolicyDevice> devices();

  /**
   * Returns the inventory.
   *
   * @return the devices of the cluster and their holders
   */
  DeviceInventory inventory();

  /**
   * Returns whether existing allocations make a device unavailable, so that only a request with
   * admin access can get it.
   *
   * @param device a device of the node
   * @return whether it is in use
   */
  boolean isInUse(PolicyDevice device);

  /**
   * Returns whether a device by itself can be used for a request: it is free, class and selectors
   * match it, and it has the capacity. A device on which a selector fails cannot be used.
   * Constraints, counters and taints are checked when a choice is tried.
   *
   * @param request the index of the request in {@link #requests}
   * @param device a device of the node
   * @return whether the device can be used
   * @throws BudgetExceededException if the budget of the allocation is used up
   */
  boolean canUse(int request, PolicyDevice device) throws BudgetExceededException;

  /**
   * Returns whether two requests have the same class, selectors and capacity.
   *
   * @param first the index of a request in {@link #requests}
   * @param second the index of another request
   * @return whether {@link #canUse} returns the same for both
   */
  boolean isInterchangeable(int first, int second);

  /**
   * Returns whether the rules of the allocator refused the devices that {@link
   * AllocationPolicy#choose} proposed, so that the first devices that fit are the answer. Always
   * false until the policy is asked for a score.
   *
   * @return whether the proposal was refused
   */
  boolean isProposalRefused();

  /**
   * Returns whether the allocator has rules in addition to the rules of Kubernetes.
   *
   * @return whether {@link Allocator.Builder#addRule} was called
   */
  boolean hasAddedRules();

  /**
   * Returns the budget of the allocation.
   *
   * @return the budget, which loops must check
   */
  Budget budget();

  /**
   * Attaches results of a policy, for later calls with the same context, about a refusal or for a
   * score.
   *
   * @param facts the object that {@link #attachment} returns from now on
   */
  void attach(Object facts);

  /**
   * Returns the attached results of a policy.
   *
   * @param <T> the type of the attachment
   * @param type the class of the attachment
   * @return the last argument of {@link #attach}; empty if there is none, or if it has another type
   */
  <T> Optional<T> attachment(Class<T> type);
}
