package io.dra4j.cli;

import io.dra4j.allocation.Allocator;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Budget;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.ResourceClaim;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.Defragmentation;
import io.dra4j.scheduling.Movable;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodToPlace;
import io.dra4j.scheduling.RoomOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code allocate --defragment}: which running pods would have to move for those without room. */
final class RoomReport {

  private final Terminal terminal;
  private final Allocator allocator;
  private final Map<String, Double> costs;
  private final @Nullable String onlyNode;
  private final Duration time;

  RoomReport(
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

  /** Says for each pod that did not fit what would make room for it alone. */
  ExitCode print(ClusterSnapshot cluster, ClusterOutcome outcome, boolean table) {
    Set<String> known = new HashSet<>();
    List<Movable> running =
        Movable.running(
            outcome,
            name -> {
              known.add(name);
              return costs.getOrDefault(name, 1.0);
            });
    List<String> unknown = costs.keySet().stream().filter(name -> !known.contains(name)).toList();
    if (!unknown.isEmpty()) {
      terminal.problem("--move-cost: no running pod " + Names.some(unknown));
      return ExitCode.BAD_INPUT;
    }
    DeviceInventory inventory =
        DeviceInventory.of(cluster.withResourceClaims(List.copyOf(outcome.claims().values())));
    Set<String> gangs = new HashSet<>();
    for (PodOutcome pod : outcome.pods()) {
      if (pod instanceof PodOutcome.Unplaceable) {
        print(pod.pod().name() + ": " + text(inventory, pod.pod(), outcome, running), table);
      } else if (pod instanceof PodOutcome.GangUnplaceable gang && gangs.add(gang.gang())) {
        print(gang.gang() + ": moves are looked for pod by pod, so not for pods together", table);
      }
    }
    return ExitCode.OK;
  }

  private void print(String line, boolean table) {
    if (table) {
      terminal.line(line);
    } else {
      terminal.problem(line);
    }
  }

  private String text(
      DeviceInventory inventory, PodToPlace pod, ClusterOutcome outcome, List<Movable> running) {
    List<ResourceClaim> wanted = new ArrayList<>();
    pod.claims().forEach(key -> wanted.add(Objects.requireNonNull(outcome.claims().get(key))));
    if (wanted.stream().anyMatch(claim -> claim.allocation() != null)) {
      return "some of its claims are allocated; nobody looked for room for the others";
    }
    RoomOutcome room =
        Defragmentation.with(allocator)
            .makeRoom(
                inventory,
                wanted,
                node ->
                    pod.names(node)
                        && pod.selects(node)
                        && (onlyNode == null || onlyNode.equals(node.name())),
                running,
                Budget.of(time));
    if (room instanceof RoomOutcome.Room found) {
      return found.explanation();
    } else if (room instanceof RoomOutcome.Rejected rejected) {
      return rejected.fault().error();
    } else if (room instanceof RoomOutcome.Undecided undecided) {
      return "no moves found that make room: " + undecided.reason();
    }
    return "moving running pods does not make room";
  }
}
