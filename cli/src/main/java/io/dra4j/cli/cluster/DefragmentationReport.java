package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.SimilarNames;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.Gang;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.scheduling.defragmentation.Defragmentation;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome;
import io.dra4j.scheduling.defragmentation.MovablePod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code allocate --defragment}: reports which running pods to move to make room for others. */
final class DefragmentationReport {

  private final Terminal terminal;
  private final Allocator allocator;
  private final Map<String, Double> costs;
  private final @Nullable String onlyNode;
  private final Duration time;

  DefragmentationReport(
      Terminal terminal,
      Allocator allocator,
      Map<String, Double> costs,
      @Nullable String onlyNode,
      Duration time) {
    this.terminal = terminal;
    this.allocator = allocator;
    this.costs = costs;
    this.onlyNode = onlyNode;
    this.time = time;
  }

  /** Returns messages about costs of pods that do not run. Call it before pods are placed. */
  List<String> unknownPods(PodQueue queue) {
    Set<String> running = new LinkedHashSet<>();
    Set<ClaimKey> used = new HashSet<>();
    Set<ClaimKey> allocated = new LinkedHashSet<>();
    queue
        .claims()
        .forEach(
            (key, claim) -> {
              if (claim.allocation() != null) {
                allocated.add(key);
              }
            });
    for (PendingPod pod : queue.pods()) {
      used.addAll(pod.claims());
      if (allocated.containsAll(pod.claims())) {
        running.add(pod.name());
      }
    }
    allocated.stream()
        .filter(claim -> !used.contains(claim))
        .forEach(claim -> running.add(claim.toString()));
    return costs.keySet().stream()
        .filter(name -> !running.contains(name))
        .map(name -> unknownPod(name, running))
        .toList();
  }

  private static String unknownPod(String name, Set<String> running) {
    List<String> near = SimilarNames.of(name, running);
    String known =
        near.isEmpty()
            ? "running pods: " + (running.isEmpty() ? "none" : CommandMessages.some(running))
            : "did you mean " + String.join(" or ", near) + "?";
    return "--move-cost: no running pod '%s'; %s".formatted(name, known);
  }

  /**
   * Prints, for each pod that did not fit, the moves that would make room for it alone. Pods
   * outside of {@code asked} can also be moved; {@code budget} is the time of the whole run.
   */
  ExitCode print(
      ClusterSnapshot cluster,
      PodQueue queue,
      ClusterOutcome outcome,
      Predicate<PodOutcome> asked,
      boolean table,
      Budget budget) {
    List<MovablePod> running;
    try {
      running = running(outcome, budget);
    } catch (BudgetExceededException e) {
      terminal.problem("--defragment: " + e.reason() + ", before all running pods were known");
      return ExitCode.UNDECIDED;
    }
    DeviceInventory inventory =
        DeviceInventory.of(cluster.withResourceClaims(List.copyOf(outcome.claims().values())));
    ClusterPods onNodes = ClusterPods.of(queue, outcome, inventory, allocator);
    Set<String> reported = new HashSet<>();
    for (PodOutcome pod : outcome.pods().stream().filter(asked).toList()) {
      if (pod instanceof PodOutcome.Unplaceable alone) {
        print(
            pod.pod().name() + ": " + text(inventory, alone, outcome, onNodes, running, budget),
            table);
      } else if (pod instanceof PodOutcome.GangUnplaceable refused
          && reported.add(refused.gang())) {
        for (Gang gang : queue.gangs()) {
          if (gang.name().equals(refused.gang())) {
            print(
                gang.name() + ": " + text(inventory, gang, outcome, onNodes, running, budget),
                table);
          }
        }
      }
    }
    return ExitCode.OK;
  }

  /** Returns the pods that can be moved, and warns about costs of other pods. */
  private List<MovablePod> running(ClusterOutcome outcome, Budget budget)
      throws BudgetExceededException {
    Set<String> movable = new HashSet<>();
    List<MovablePod> running =
        MovablePod.running(
            outcome,
            name -> {
              movable.add(name);
              return costs.getOrDefault(name, 1.0);
            },
            budget.atMost(time));
    for (String name : costs.keySet()) {
      if (!movable.contains(name)) {
        terminal.problem(
            ("warning: --move-cost: %s cannot be moved: it, or a pod that shares a claim"
                    + " with it, is not on a node")
                .formatted(name));
      }
    }
    return running;
  }

  private void print(String line, boolean table) {
    if (table) {
      terminal.out().println();
      terminal.paragraph(line);
    } else {
      terminal.problem(line);
    }
  }

  private String text(
      DeviceInventory inventory,
      PodOutcome.Unplaceable pod,
      ClusterOutcome outcome,
      ClusterPods onNodes,
      List<MovablePod> running,
      Budget budget) {
    List<ResourceClaim> wanted = new ArrayList<>();
    pod.pod()
        .claims()
        .forEach(key -> wanted.add(Objects.requireNonNull(outcome.claims().get(key))));
    if (wanted.stream().anyMatch(claim -> claim.allocation() != null)) {
      return "some of its claims are already allocated; defragmentation does not support"
          + " such gangs";
    }
    Predicate<Node> nodes = pod.pod().nodes();
    return text(
        Defragmentation.of(allocator)
            .in(onNodes, List.of(pod.pod()))
            .plan(
                inventory,
                wanted,
                node -> nodes.test(node) && isLookedAt(node),
                running,
                budget.atMost(time)));
  }

  private boolean isLookedAt(Node node) {
    return onlyNode == null || onlyNode.equals(node.name());
  }

  /** Returns the moves that make room for as many pods of a gang as must be placed together. */
  private String text(
      DeviceInventory inventory,
      Gang gang,
      ClusterOutcome outcome,
      ClusterPods onNodes,
      List<MovablePod> running,
      Budget budget) {
    if (gang.pods().size() < gang.minCount()) {
      return "moving pods does not help, since it has %s but %d must be placed together"
          .formatted(CommandMessages.count(gang.pods().size(), "pod"), gang.minCount());
    }
    List<GangMember> members = gang.members(gang.minCount(), outcome.claims(), this::isLookedAt);
    Set<ClaimKey> seen = new HashSet<>();
    for (GangMember member : members) {
      for (ResourceClaim claim : member.claims()) {
        if (claim.allocation() != null) {
          return "some of its claims are already allocated; defragmentation does not"
              + " support such gangs";
        } else if (!seen.add(ClaimKey.of(claim))) {
          return "defragmentation does not support pods that share claims";
        }
      }
    }
    return text(
        Defragmentation.of(allocator)
            .in(onNodes, gang.pods().subList(0, gang.minCount()))
            .planForGang(inventory, members, gang.topologyKeys(), running, budget.atMost(time)));
  }

  private static String text(DefragmentationOutcome room) {
    if (room instanceof DefragmentationOutcome.Room found) {
      return found.explanation();
    } else if (room instanceof DefragmentationOutcome.GangRoom found) {
      return found.explanation();
    } else if (room instanceof DefragmentationOutcome.Rejected rejected) {
      return rejected.fault().error();
    } else if (room instanceof DefragmentationOutcome.Undecided undecided) {
      return "no moves found that make room: " + undecided.reason();
    }
    return "moving running pods does not make room";
  }
}
