package io.dra4j.allocation.policy;

import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which of several valid allocations is taken. A policy proposes devices; the rules of the
 * allocator decide whether the proposal is valid, and where it is not, the allocation that
 * Kubernetes would make stays. So no policy can make an allocation invalid, and none is asked about
 * claims that do not fit.
 *
 * <p>A policy is as thread-safe as the allocators have to be that use it.
 */
public interface AllocationPolicy {

  /**
   * Returns the policy of Kubernetes: the first devices that fit. It has no scores.
   *
   * @return the policy
   */
  static AllocationPolicy firstFit() {
    return FirstFit.INSTANCE;
  }

  /**
   * Chooses devices for claims that fit.
   *
   * @param context the claims, what Kubernetes would choose, and what else can be chosen
   * @return the choice
   * @throws BudgetExceededException if that takes longer than the caller of the allocation waits
   */
  Choice choose(PolicyContext context) throws BudgetExceededException;

  /**
   * Scores an allocation, proposed by this policy or not.
   *
   * @param context what {@link #choose} was asked
   * @param devices the devices of each request, in the order of {@link PolicyContext#requests}
   * @return the score, or empty if this policy has none
   * @throws BudgetExceededException if that takes longer than the caller of the allocation waits
   */
  Optional<Score> score(PolicyContext context, List<List<PolicyDevice>> devices)
      throws BudgetExceededException;

  /**
   * Returns why nothing is better than some devices. Called for those that Kubernetes would choose,
   * where the rules refused what {@link #choose} proposed.
   *
   * @param context what {@link #choose} was asked
   * @param devices the devices of each request, in the order of {@link PolicyContext#requests}
   * @return what is demanded, and what there is, in one sentence; empty if the devices will do
   * @throws BudgetExceededException if that takes longer than the caller of the allocation waits
   */
  default Optional<String> refuses(PolicyContext context, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    return Optional.empty();
  }

  /**
   * Returns whether the node with the best score is taken rather than the first one that fits.
   *
   * @return whether scores of nodes are worth comparing
   */
  default boolean comparesNodes() {
    return false;
  }

  /** What a policy chooses. */
  sealed interface Choice {

    /** What Kubernetes would choose. */
    record AsFound() implements Choice {}

    /**
     * Other devices. If the rules refuse them, the choice is as Kubernetes' would be.
     *
     * @param devices the devices of each request, in the order of {@link PolicyContext#requests};
     *     none for a request whose devices are up to the allocator
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
     * Nothing, since no valid allocation on this node is what a claim demands of its policy.
     *
     * @param reason what is demanded, and what there is, in one sentence
     */
    record Refused(String reason) implements Choice {

      /** Refuses null. {@inheritDoc} */
      public Refused {
        Objects.requireNonNull(reason, "reason");
      }
    }

    /**
     * Nothing, since a claim demands something of its policy that cannot be understood.
     *
     * @param error which claim and field, and what was expected
     */
    record Faulty(String error) implements Choice {

      /** Refuses null. {@inheritDoc} */
      public Faulty {
        Objects.requireNonNull(error, "error");
      }
    }
  }
}
