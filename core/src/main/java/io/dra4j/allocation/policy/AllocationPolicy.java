package io.dra4j.allocation.policy;

import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Chooses among several valid allocations. A policy proposes devices, and the rules of the
 * allocator decide whether the proposal is valid. If it is not, the allocator keeps the allocation
 * that Kubernetes would choose. So no policy can make an allocation invalid, and no policy is asked
 * about claims that do not fit.
 *
 * <p>A policy must be thread-safe if several threads use its allocator.
 */
public interface AllocationPolicy {

  /** {@return the policy of Kubernetes: the first devices that fit, without scores} */
  static AllocationPolicy firstFit() {
    return FirstFit.INSTANCE;
  }

  /**
   * {@return the choice of devices for claims that fit}
   *
   * @param context the claims, the devices that Kubernetes would choose, and all others of the node
   * @throws BudgetExceededException if the budget of the allocation is used up
   */
  Choice choose(PolicyContext context) throws BudgetExceededException;

  /**
   * {@return the score of an allocation, proposed by this policy or not; empty without scores}
   *
   * @param context the context that was passed to {@link #choose}
   * @param devices the devices of each request, in the order of {@link PolicyContext#requests}
   * @throws BudgetExceededException if the budget of the allocation is used up
   */
  Optional<Score> score(PolicyContext context, List<List<PolicyDevice>> devices)
      throws BudgetExceededException;

  /**
   * {@return a reason to reject devices, so that the claims do not fit: the demand and the
   * available devices, in one sentence; empty if the devices are acceptable} Called for the devices
   * that Kubernetes would choose, if the rules refused the proposal of {@link #choose}.
   *
   * @param context the context that was passed to {@link #choose}
   * @param devices the devices of each request, in the order of {@link PolicyContext#requests}
   * @throws BudgetExceededException if the budget of the allocation is used up
   */
  default Optional<String> refuses(PolicyContext context, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    return Optional.empty();
  }

  /** {@return whether the node with the best score is chosen instead of the first one that fits} */
  default boolean comparesNodes() {
    return false;
  }

  /** The choice of a policy. */
  sealed interface Choice {

    /** The devices that Kubernetes would choose. */
    record AsFound() implements Choice {}

    /**
     * Other devices. If the rules refuse them, the devices that Kubernetes would choose are used.
     *
     * @param devices the devices of each request, in the order of {@link PolicyContext#requests};
     *     an empty list for a request whose devices the allocator chooses
     */
    record Devices(List<List<PolicyDevice>> devices) implements Choice {
      /** Copies the lists. {@inheritDoc} */
      public Devices {
        Objects.requireNonNull(devices, "devices");
        List<List<PolicyDevice>> copies = new ArrayList<>(devices.size());
        devices.forEach(ofRequest -> copies.add(List.copyOf(ofRequest)));
        devices = Collections.unmodifiableList(copies);
      }
    }

    /**
     * No devices, because no valid allocation on this node fulfils the demand of a claim on its
     * policy.
     *
     * @param reason the demand and the available devices, in one sentence
     */
    record Refused(String reason) implements Choice {

      /** Rejects null. {@inheritDoc} */
      public Refused {
        Objects.requireNonNull(reason, "reason");
      }
    }

    /**
     * No devices, because the demand of a claim on its policy is invalid.
     *
     * @param error the claim, the field, and the expected value
     */
    record Faulty(String error) implements Choice {

      /** Rejects null. {@inheritDoc} */
      public Faulty {
        Objects.requireNonNull(error, "error");
      }
    }
  }
}
