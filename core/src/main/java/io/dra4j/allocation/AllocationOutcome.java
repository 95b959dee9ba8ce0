package io.dra4j.allocation;

import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.allocation.policy.Score;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;

/**
 * The outcome of one request to allocate. Exactly one of four; none of them is an exception,
 * because each is an answer.
 */
public sealed interface AllocationOutcome {

  /**
   * Every claim got its devices.
   *
   * @param allocations one for each claim, in the order of the claims
   * @param score how good that is, if the policy of the allocator has scores
   */
  record Allocated(List<ClaimAllocation> allocations, Optional<Score> score)
      implements AllocationOutcome {
    /** Copies the list. {@inheritDoc} */
    public Allocated {
      allocations = List.copyOf(allocations);
    }

    /**
     * Makes an answer without a score.
     *
     * @param allocations one for each claim, in the order of the claims
     */
    public Allocated(List<ClaimAllocation> allocations) {
      this(allocations, Optional.empty());
    }

    /** For people: a line for each claim with its devices, then the score. */
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
   * @param explanation why
   */
  record Unallocatable(Explanation explanation) implements AllocationOutcome {

    /** For people: the node, and a line for each reason; worked out now, as the explanation is. */
    @Override
    public String toString() {
      return "does not fit on "
          + explanation.node()
          + ": "
          + String.join("\n    ", explanation.lines());
    }
  }

  /**
   * The claims, a class, a selector or a slice are at fault, not the supply. Kubernetes gives up on
   * the whole pod here: its {@code Allocate} returns an error.
   *
   * @param reason what kind of fault it is, and whether trying again is of any use
   * @param error which object is at fault, and what is wrong with it
   */
  record Rejected(RejectionReason reason, String error) implements AllocationOutcome {

    /** For people: the error, and what kind of fault it is. */
    @Override
    public String toString() {
      return TextFormat.line("rejected (" + reason + "): " + error, true);
    }
  }

  /**
   * The deadline passed, the caller cancelled, or the policy could not decide; nothing is known
   * about the claims.
   *
   * @param reason which of these, and at which claim and request that was
   */
  record Undecided(String reason) implements AllocationOutcome {

    /** For people: why it is not known. */
    @Override
    public String toString() {
      return TextFormat.line("undecided: " + reason, true);
    }
  }

  /**
   * Turns the answer into one value. On Java 21 and later a pattern-matching switch does the same.
   *
   * @param <T> the type of the value
   * @param allocated used when every claim got its devices
   * @param unallocatable used when no assignment exists
   * @param rejected used when the input is at fault
   * @param undecided used when the search was stopped
   * @return the value of the function that fits
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
