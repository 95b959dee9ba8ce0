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

  /** {@return the requests of all claims, claim by claim, in their order} */
  List<Request> requests();

  /** {@return the node on which the claims get their devices} */
  Node node();

  /**
   * {@return the devices of the node, including devices in use, in the order in which Kubernetes
   * tries them} A device is the same object each time.
   */
  List<PolicyDevice> devices();

  /** {@return the inventory: the devices of the cluster and their holders} */
  DeviceInventory inventory();

  /**
   * {@return whether a device is in use, so that only a request with admin access can get it}
   *
   * @param device a device of the node
   */
  boolean isInUse(PolicyDevice device);

  /**
   * {@return whether a device by itself can be used for a request: it is free, class and selectors
   * match it, and it has the capacity} A device on which a selector fails cannot be used.
   * Constraints, counters and taints are checked when a choice is tried.
   *
   * @param request the index of the request in {@link #requests}
   * @param device a device of the node
   * @throws BudgetExceededException if the budget of the allocation is used up
   */
  boolean canUse(int request, PolicyDevice device) throws BudgetExceededException;

  /**
   * {@return whether {@link #canUse} is equal for two requests: same class, selectors, capacity}
   *
   * @param first the index of a request in {@link #requests}
   * @param second the index of another request
   */
  boolean isInterchangeable(int first, int second);

  /**
   * {@return whether the rules of the allocator refused the devices that {@link
   * AllocationPolicy#choose} proposed, so that the first devices that fit are the answer} Always
   * false until the policy is asked for a score.
   */
  boolean isProposalRefused();

  /** {@return whether {@link Allocator.Builder#addRule} added rules to the rules of Kubernetes} */
  boolean hasAddedRules();

  /** {@return the budget of the allocation, which loops must check} */
  Budget budget();

  /**
   * Attaches results of a policy, for later calls (refusals, scores) with the same context.
   *
   * @param facts the object that {@link #attachment} returns from now on
   */
  void attach(Object facts);

  /**
   * {@return the last argument of {@link #attach}; empty if there is none, or of another type}
   *
   * @param <T> the type of the attachment
   * @param type the class of the attachment
   */
  <T> Optional<T> attachment(Class<T> type);
}
