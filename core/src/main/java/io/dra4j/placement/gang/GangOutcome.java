package io.dra4j.placement.gang;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.placement.PlacementScore;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The outcome of a gang: all of its members have a node and their devices, or no member has one.
 */
public sealed interface GangOutcome {

  /**
   * All members are placed.
   *
   * @param members the members in their order
   * @param score the quality of the placement
   */
  record Placed(List<PlacedMember> members, GangScore score) implements GangOutcome {
    /** Copies the list. {@inheritDoc} */
    public Placed {
      members = List.copyOf(members);
    }

    /**
     * Returns a text for readers: a line for each member with its node and devices, then the score.
     */
    @Override
    public String toString() {
      StringJoiner lines = new StringJoiner("\n");
      members.forEach(member -> lines.add(member.toString()));
      return lines.add("score: " + score.explanation()).toString();
    }
  }

  /**
   * A member with its node and devices.
   *
   * @param member the member
   * @param node the name of its node
   * @param allocations the allocations of its pending claims; the allocation of a claim that
   *     members share is listed with the first of them
   * @param score the score of its own devices
   */
  record PlacedMember(
      GangMember member,
      String node,
      List<ClaimAllocation> allocations,
      Optional<PlacementScore> score) {
    /** Copies the list. {@inheritDoc} */
    public PlacedMember {
      allocations = List.copyOf(allocations);
    }

    /** Returns a text for readers: the member, its node, and the allocations of its claims. */
    @Override
    public String toString() {
      String got = allocations.stream().map(String::valueOf).collect(Collectors.joining("; "));
      return member.name() + " on " + node + (got.isEmpty() ? "" : ": " + got);
    }
  }

  /**
   * There is no room for all members at the same time.
   *
   * @param reason the reason, in one sentence
   */
  record Unplaceable(String reason) implements GangOutcome {

    /** Returns a text for readers: the reason why there is no room. */
    @Override
    public String toString() {
      return "no room for all: " + reason;
    }
  }

  /**
   * A claim, a class, a selector or a slice is at fault.
   *
   * @param member the member for which the fault was found
   * @param node the name of the node on which the fault was found
   * @param fault the answer of the allocator
   */
  record Rejected(GangMember member, String node, AllocationOutcome.Rejected fault)
      implements GangOutcome {

    /** Returns a text for readers: the member, the node and the fault. */
    @Override
    public String toString() {
      return member.name() + " on " + node + ": " + fault;
    }
  }

  /**
   * It is not known whether there is room: the time ended, or not all placements were tried.
   *
   * @param reason the reason why it is not known
   */
  record Undecided(String reason) implements GangOutcome {

    /** Returns a text for readers: the reason why it is not known. */
    @Override
    public String toString() {
      return "undecided: " + reason;
    }
  }

  /**
   * {@return the value of the function for this outcome} On Java 21 and later a pattern-matching
   * switch has the same effect.
   *
   * @param <T> the type of the value
   * @param placed used when all members are placed
   * @param unplaceable used when there is no room for all
   * @param rejected used when the input is at fault
   * @param undecided used when the search was stopped
   */
  default <T> T fold(
      Function<Placed, T> placed,
      Function<Unplaceable, T> unplaceable,
      Function<Rejected, T> rejected,
      Function<Undecided, T> undecided) {
    if (this instanceof Placed answer) {
      return placed.apply(answer);
    } else if (this instanceof Unplaceable answer) {
      return unplaceable.apply(answer);
    } else if (this instanceof Rejected answer) {
      return rejected.apply(answer);
    } else {
      return undecided.apply((Undecided) this);
    }
  }
}
