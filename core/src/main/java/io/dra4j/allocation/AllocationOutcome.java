package io.dra4j.allocation;

import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.allocation.policy.Score;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;

/** The outcome of one allocation: one of four possible answers, of which none is an exception. */
public sealed interface AllocationOutcome {

  /**
   * Every claim got its devices.
   *
   * @param allocations one for each claim, in the order of the claims
   * @param score the score of the allocation, if the policy of the allocator has scores
   */
  record Allocated(List<ClaimAllocation> allocations, Optional<Score> score)
      implements AllocationOutcome {
    /** Copies the list. {@inheritDoc} */
    public Allocated {
      allocations = List.copyOf(allocations);
    }

    /**
     * Creates an outcome without a score.
     *
     * @param allocations one for each claim, in the order of the claims
     */
    public Allocated(List<ClaimAllocation> allocations) {
      this(allocations, Optional.empty());
    }

    /** A line for each claim with its devices, then the score. */
    @Override
    public String toString() {
      StringJoiner lines = new StringJoiner("\n").setEmptyValue("no claims");
      allocations.forEach(allocation -> lines.add(allocation.toString()));
      score.ifPresent(value -> lines.add("score: " + value.explanation()));
      return lines.toString();
    }
  }

  /**
   * No assignment of free devices on this node satisfies all claims.
   *
   * @param explanation the reasons
   */
  record Unallocatable(Explanation explanation) implements AllocationOutcome {

    /** The node, and a line for each reason. The reasons are computed by this call. */
    @Override
    public String toString() {
      return "does not fit on "
          + explanation.node()
          + ": "
          + String.join("\n    ", explanation.lines());
    }
  }

  /**
   * The claims, a class, a selector or a slice have an error; devices are not lacking. Kubernetes
   * stops scheduling the pod here: its {@code Allocate} returns an error.
   *
   * @param reason the kind of error, and whether a later attempt can succeed
   * @param error the object with the error, and the problem
   */
  record Rejected(RejectionReason reason, String error) implements AllocationOutcome {

    /** The error and its kind. */
    @Override
    public String toString() {
      return TextFormat.line("rejected (" + reason + "): " + error, true);
    }
  }

  /**
   * The time limit passed, the caller cancelled, or the policy could not decide. It is unknown
   * whether the claims fit.
   *
   * @param reason the cause, with the claim and the request at that moment
   */
  record Undecided(String reason) implements AllocationOutcome {

    /** The reason why the answer is unknown. */
    @Override
    public String toString() {
      return TextFormat.line("undecided: " + reason, true);
    }
  }

  /**
   * {@return the value of the function of this outcome} From Java 21 on, a switch does the same.
   *
   * @param <T> the type of the value
   * @param allocated used when every claim got its devices
   * @param unallocatable used when no assignment exists
   * @param rejected used when the input has an error
   * @param undecided used when the search was stopped
   */
  default <T> T fold(
      Function<Allocated, T> allocated,
      Function<Unallocatable, T> unallocatable,
      Function<Rejected, T> rejected,
      Function<Undecided, T> undecided) {
    if (this instanceof Allocated a) {
      return allocated.apply(a);
    } else if (this instanceof Unallocatable u) {
      return unallocatable.apply(u);
    } else if (this instanceof Rejected r) {
      return rejected.apply(r);
    } else {
      return undecided.apply((Undecided) this);
    }
  }
}
