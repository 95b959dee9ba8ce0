package io.dra4j.scheduling.defragmentation;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.common.PrintableText;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The outcome of a search for room by moving pods. There are five kinds. */
public sealed interface DefragmentationOutcome {

  /**
   * There is room for a pod after some pods have moved.
   *
   * @param moves the pods that move, none if there is room now; all of them are stopped first
   * @param node the name of the node on which there is room then
   * @param allocations the allocations of the claims there
   * @param cost the total cost of the moves
   * @param proven whether it is known that no other moves cost less; these are the fewest moves of
   *     equal cost
   */
  record Room(
      List<Move> moves, String node, List<ClaimAllocation> allocations, double cost, boolean proven)
      implements DefragmentationOutcome {
    /** Copies the lists. {@inheritDoc} */
    public Room {
      moves = List.copyOf(moves);
      allocations = List.copyOf(allocations);
    }

    /** The explanation. */
    @Override
    public String toString() {
      return explanation();
    }

    /** {@return the moves to make, in one sentence without a full stop, for readers} */
    public String explanation() {
      return moves.isEmpty()
          ? "there is room on node " + node
          : explain(moves, "room on node " + node, cost, proven);
    }
  }

  /**
   * There is room for all pods of a gang together after some pods have moved.
   *
   * @param moves the pods that move, none if there is room now; all of them are stopped first
   * @param nodes the node of each pod of the gang, in their order
   * @param allocations the allocations of the claims of each pod there
   * @param cost the total cost of the moves
   * @param proven whether it is known that no other moves cost less; these are the fewest moves of
   *     equal cost
   */
  record GangRoom(
      List<Move> moves,
      List<String> nodes,
      List<List<ClaimAllocation>> allocations,
      double cost,
      boolean proven)
      implements DefragmentationOutcome {
    /** Copies the lists. {@inheritDoc} */
    public GangRoom {
      moves = List.copyOf(moves);
      nodes = List.copyOf(nodes);
      allocations = allocations.stream().map(List::copyOf).toList();
    }

    /** {@return the moves to make, in one sentence without a full stop, for readers} */
    public String explanation() {
      List<String> distinct = nodes.stream().distinct().toList();
      String room =
          "room for %d %s on %s %s"
              .formatted(
                  nodes.size(),
                  nodes.size() == 1 ? "pod" : "pods",
                  distinct.size() == 1 ? "node" : "nodes",
                  String.join(", ", distinct));
      return moves.isEmpty() ? "there is " + room : explain(moves, room, cost, proven);
    }
  }

  private static String explain(List<Move> moves, String room, double cost, boolean proven) {
    String each = moves.stream().map(Move::toString).collect(Collectors.joining(", "));
    return "moving %s would make %s, at a cost of %s%s"
        .formatted(each, room, textOf(cost), proven ? "" : "; there may be a cheaper way");
  }

  /** A cost as text: whole numbers without a fraction, if they fit in a long. */
  private static String textOf(double cost) {
    return cost == Math.rint(cost) && cost < 0x1p63
        ? String.valueOf((long) cost)
        : String.valueOf(cost);
  }

  /**
   * A pod with its next node.
   *
   * @param pod the pod
   * @param node the name of its next node, which may be its current node
   * @param allocations the allocations of its claims there
   */
  record Move(MovablePod pod, String node, List<ClaimAllocation> allocations) {

    private static final int MAX_DEVICES = 8;

    /** Copies the list. {@inheritDoc} */
    public Move {
      allocations = List.copyOf(allocations);
    }

    /** Returns a text for readers: the pod, the allocations of its claims, and its next node. */
    @Override
    public String toString() {
      List<String> devices =
          allocations.stream()
              .flatMap(one -> one.result().results().stream())
              .map(result -> result.device())
              .toList();
      String named = PrintableText.some(devices, MAX_DEVICES);
      return pod.name() + " to " + (named.isEmpty() ? "" : named + " of ") + "node " + node;
    }
  }

  /** There is no room, with any moves. */
  record NoRoom() implements DefragmentationOutcome {

    /** Returns a text for readers. */
    @Override
    public String toString() {
      return "no moves make room";
    }
  }

  /**
   * A claim, a class, a selector or a slice is at fault.
   *
   * @param fault the answer of the allocator
   */
  record Rejected(AllocationOutcome.Rejected fault) implements DefragmentationOutcome {

    /** Returns a text for readers: the fault. */
    @Override
    public String toString() {
      return fault.toString();
    }
  }

  /**
   * No moves that make room were found, but there may be some: the time ended, or the search was
   * not exhaustive.
   *
   * @param reason the reason, with the extent of the search
   */
  record Undecided(String reason) implements DefragmentationOutcome {

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
   * @param room used when moves make room for the claims of a pod
   * @param gangRoom used when moves make room for all pods of a gang
   * @param noRoom used when no moves make room
   * @param rejected used when the input is at fault
   * @param undecided used when the search was stopped
   */
  default <T> T fold(
      Function<Room, T> room,
      Function<GangRoom, T> gangRoom,
      Function<NoRoom, T> noRoom,
      Function<Rejected, T> rejected,
      Function<Undecided, T> undecided) {
    if (this instanceof Room answer) {
      return room.apply(answer);
    } else if (this instanceof GangRoom answer) {
      return gangRoom.apply(answer);
    } else if (this instanceof NoRoom answer) {
      return noRoom.apply(answer);
    } else if (this instanceof Rejected answer) {
      return rejected.apply(answer);
    } else {
      return undecided.apply((Undecided) this);
    }
  }
}
