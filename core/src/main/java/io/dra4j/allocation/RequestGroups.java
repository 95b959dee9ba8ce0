package io.dra4j.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Requests that a matchAttribute constraint ties together, such that no request is in two groups:
 * the GPU and the NIC of each pair. Of constraints that overlap, those about fewer requests make
 * the groups; the others go across them.
 */
final class RequestGroups {

  private final List<List<Target>> members = new ArrayList<>(); // in the order of the requests
  private final List<Integer> constraints = new ArrayList<>();
  private final List<Integer> across = new ArrayList<>();
  private final int[] groupOf; // by target number, -1 for none

  RequestGroups(PlanOutline outline) {
    this.groupOf = new int[outline.targets.size()];
    Arrays.fill(groupOf, -1);
    List<List<Target>> about = outline.targetsOfMatching();
    List<Integer> fewestFirst = new ArrayList<>();
    for (int i = 0; i < outline.matching.size(); i++) {
      fewestFirst.add(i);
    }
    fewestFirst.sort(Comparator.comparing(i -> about.get(i).size())); // stable
    for (int constraint : fewestFirst) {
      List<Target> targets = about.get(constraint);
      if (targets.stream().allMatch(target -> groupOf[target.number] < 0)) {
        targets.forEach(target -> groupOf[target.number] = members.size());
        members.add(targets);
        constraints.add(constraint);
      } else {
        across.add(constraint);
      }
    }
  }

  int size() {
    return members.size();
  }

  /** The group of a target, or -1. */
  int of(Target target) {
    return groupOf[target.number];
  }

  /** The targets of a group, alternatives included, in their order. */
  List<Target> members(int group) {
    return members.get(group);
  }

  /** The number of the constraint that makes a group. */
  int constraintOf(int group) {
    return constraints.get(group);
  }

  /** The numbers of the constraints that go across groups. */
  List<Integer> across() {
    return across;
  }
}
