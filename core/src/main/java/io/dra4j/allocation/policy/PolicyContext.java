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
 * What an {@link AllocationPolicy} is asked: which devices some claims get on a node, given that
 * they fit. For one thread, and valid only while the policy is asked.
 */
public interface PolicyContext {

  /**
   * A request, or the alternative of it that Kubernetes would take, which a policy cannot change.
   *
   * @param claimNumber the place of the claim among those that are allocated together
   * @param claim the claim
   * @param name as in results: {@code request} or {@code request/alternative}
   * @param exactly what is requested
   * @param firstFit the devices that Kubernetes would take
   * @param open whether other devices can be chosen: not for admin access, nor where all devices
   *     are requested
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
   * Returns the devices of the node, those in use included. A device is the same object each time.
   *
   * @return the devices, in the order in which Kubernetes tries them
   */
  List<PolicyDevice> devices();

  /**
   * Returns the inventory.
   *
   * @return the devices of the cluster and who holds them
   */
  DeviceInventory inventory();

  /**
   * Returns whether claims that have devices keep others from having a device, so that only a
   * request with admin access can have it.
   *
   * @param device a device of the node
   * @return whether it is in use
   */
  boolean isInUse(PolicyDevice device);

  /**
   * Returns whether the device alone allows a request to have it: it is free, class and selectors
   * choose it, and it has the capacity. A device on which a selector fails cannot be used.
   * Constraints, counters and taints are looked at when a choice is tried.
   *
   * @param request the place of the request in {@link #requests}
   * @param device a device of the node
   * @return whether the device is worth choosing
   * @throws BudgetExceededException if that takes longer than the caller of the allocation waits
   */
  boolean canUse(int request, PolicyDevice device) throws BudgetExceededException;

  /**
   * Returns whether two requests have the same class, selectors and capacity.
   *
   * @param first the place of a request in {@link #requests}
   * @param second the place of another request
   * @return whether {@link #canUse} gives the same for both
   */
  boolean isInterchangeable(int first, int second);

  /**
   * Returns whether the rules of the allocator refused the devices that {@link
   * AllocationPolicy#choose} proposed, so that the first ones that fit are the answer. Never before
   * the policy is asked for a score.
   *
   * @return whether the proposal was refused
   */
  boolean isProposalRefused();

  /**
   * Returns whether the allocator has rules besides those of Kubernetes.
   *
   * @return whether {@link Allocator.Builder#addRule} was called
   */
  boolean hasAddedRules();

  /**
   * Returns how long the caller of the allocation waits.
   *
   * @return the budget, which loops have to look at
   */
  Budget budget();

  /**
   * Attaches what a policy has worked out, for when the same question comes again, about a refusal
   * or for a score.
   *
   * @param facts what {@link #attachment} returns from now on
   */
  void attach(Object facts);

  /**
   * Returns what a policy has worked out before.
   *
   * @param <T> the type of the attachment
   * @param type the class of the attachment
   * @return what {@link #attach} was given last; empty if that is nothing, or of another type
   */
  <T> Optional<T> attachment(Class<T> type);
}
