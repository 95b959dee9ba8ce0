package io.dra4j.cli;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.AllocationOutcome.Undecided;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.DeviceInventory;
import io.dra4j.allocation.NodeAffinity;
import io.dra4j.cli.AllocateCommand.Output;
import io.dra4j.cli.PodToPlace.ClaimKey;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code allocate} for a whole cluster: pod by pod, each on the first node that takes all of its
 * claims, the devices of earlier pods being in use for later ones.
 */
final class ClusterRun {

  private final Terminal terminal;
  private final @Nullable String onlyNode;
  private final Allocator allocator;
  private final Output output;

  ClusterRun(Terminal terminal, @Nullable String onlyNode, Allocator allocator, Output output) {
    this.terminal = terminal;
    this.onlyNode = onlyNode;
    this.allocator = allocator;
    this.output = output;
  }

  /** What became of a pod: the node it is on, or why it is on none. */
  record Placed(PodToPlace pod, @Nullable String node, List<String> reasons) {}

  ExitCode run(List<Manifest> manifests) {
    ClusterSnapshot cluster;
    try {
      cluster = Manifests.snapshotOf(manifests);
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
      return ExitCode.BAD_INPUT;
    }
    DeviceInventory inventory = DeviceInventory.of(cluster);
    if (onlyNode != null && inventory.node(onlyNode) == null) {
      terminal.problem("--node: no node \"" + onlyNode + "\" in the input");
      return ExitCode.BAD_INPUT;
    }
    PodQueue queue = new PodQueue(manifests);
    queue.problems().forEach(terminal::problem);
    ExitCode code = queue.problems().isEmpty() ? ExitCode.OK : ExitCode.BAD_INPUT;
    Map<ClaimKey, ResourceClaim> claims = queue.claims();
    List<Placed> placed = new ArrayList<>();
    try (Progress progress = new Progress(terminal, "pod", queue.pods().size())) {
      for (PodToPlace pod : queue.pods()) {
        progress.step();
        Attempt attempt = place(pod, claims, inventory);
        if (attempt.allocated != null) {
          List<ResourceClaim> allocated =
              attempt.allocated.allocations().stream()
                  .map(ClaimAllocation::allocatedClaim)
                  .toList();
          allocated.forEach(claim -> claims.put(ClaimKey.of(claim), claim));
          inventory = inventory.withAllocated(allocated);
        }
        placed.add(new Placed(pod, attempt.node, attempt.reasons));
        code = code.or(attempt.code);
      }
    }
    print(manifests, queue, cluster, placed);
    return code;
  }

  /** What was tried for one pod. */
  private static final class Attempt {
    @Nullable String node;
    @Nullable Allocated allocated;
    ExitCode code = ExitCode.DOES_NOT_FIT;
    final List<String> reasons = new ArrayList<>();
  }

  private Attempt place(
      PodToPlace pod, Map<ClaimKey, ResourceClaim> claims, DeviceInventory inventory) {
    List<ResourceClaim> needed =
        pod.claims().stream().map(key -> Objects.requireNonNull(claims.get(key))).toList();
    List<ResourceClaim> pending =
        needed.stream().filter(claim -> claim.allocation() == null).toList();
    Attempt attempt = new Attempt();
    for (Node node : inventory.nodes()) {
      if ((onlyNode != null && !onlyNode.equals(node.name()))
          || !pod.mayRunOn(node)
          || !canUse(needed, node)) {
        continue;
      }
      AllocationOutcome outcome = allocator.allocate(inventory, node.name(), pending);
      if (outcome instanceof Allocated allocated) {
        attempt.allocated = allocated;
        attempt.node = node.name();
        attempt.code = ExitCode.OK;
        attempt.reasons.clear();
        return attempt;
      } else if (outcome instanceof Unallocatable unallocatable) {
        attempt.reasons.add(
            node.name() + ": does not fit: " + unallocatable.explanation().summary());
      } else if (outcome instanceof Rejected rejected) {
        // Kubernetes gives up on the pod, too: the fault is not the node's.
        attempt.reasons.add(rejected.error());
        attempt.code = ExitCode.REJECTED;
        return attempt;
      } else if (outcome instanceof Undecided undecided) {
        attempt.reasons.add(node.name() + ": undecided: " + undecided.reason());
        attempt.code = ExitCode.UNDECIDED;
        return attempt;
      }
    }
    if (attempt.reasons.isEmpty()) {
      attempt.reasons.add(
          "does not fit: no node that its node name, its node selector and its allocated claims"
              + " allow");
    }
    return attempt;
  }

  /** Whether the claims of the pod that are allocated already can be used on the node. */
  private static boolean canUse(List<ResourceClaim> claims, Node node) {
    return claims.stream()
        .map(ResourceClaim::allocation)
        .filter(Objects::nonNull)
        .map(AllocationResult::nodeSelector)
        .filter(Objects::nonNull)
        .allMatch(selector -> NodeAffinity.matches(selector, node));
  }

  private void print(
      List<Manifest> manifests, PodQueue queue, ClusterSnapshot cluster, List<Placed> placed) {
    if (output == Output.TABLE) {
      new ClusterReport(terminal, cluster, queue.claims(), placed).print();
      return;
    }
    for (Placed pod : placed) {
      pod.reasons().forEach(reason -> terminal.problem(pod.pod().name() + ": " + reason));
    }
    Map<ClaimKey, Manifest> documents = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      if (manifest.object() instanceof ResourceClaim claim) {
        ClaimKey key = ClaimKey.of(claim);
        documents.put(key, manifest.withObject(Objects.requireNonNull(queue.claims().get(key))));
      }
    }
    queue
        .claims()
        .forEach(
            (key, claim) -> {
              if (queue.isMade(key)) {
                documents.put(key, Manifest.of(claim));
              }
            });
    List<Manifest> list = List.copyOf(documents.values());
    terminal
        .out()
        .print(output == Output.YAML ? ManifestWriter.toYaml(list) : ManifestWriter.toJson(list));
  }
}
