package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.policy.Score;
import io.dra4j.cli.cluster.AllocateCommand.Output;
import io.dra4j.cli.input.InputWarnings;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.cli.terminal.Progress;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementScore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code allocate --all-nodes}: allocates all pending claims of a file together, on each node
 * separately. The JSON has the format of the reference program, so that both can be compared line
 * by line.
 */
final class AllNodesRun {

  /** Reads a file. */
  interface Reader {
    List<Manifest> read(String file) throws ManifestException;
  }

  private final Terminal terminal;
  private final @Nullable String onlyNode;
  private final Supplier<Allocator.Builder> allocators;
  private final Output output;

  AllNodesRun(
      Terminal terminal,
      @Nullable String onlyNode,
      Supplier<Allocator.Builder> allocators,
      Output output) {
    this.terminal = terminal;
    this.onlyNode = onlyNode;
    this.allocators = allocators;
    this.output = output;
  }

  ExitCode run(List<String> files, Reader reader) {
    ExitCode code = ExitCode.OK;
    for (String file : files) {
      code = code.or(run(file, reader));
    }
    return code;
  }

  private ExitCode run(String file, Reader reader) {
    ObjectNode report = JsonTree.NODES.objectNode().put("file", file);
    ObjectNode nodes = report.putObject("nodes");
    ExitCode code;
    try {
      List<Manifest> manifests = reader.read(file);
      // The reference does not support taint rules.
      ClusterSnapshot cluster = Manifests.snapshotOf(manifests).withDeviceTaintRules(List.of());
      code = tryNodes(file, cluster, nodes);
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
      report.put(
          "error", e.problems().stream().map(Object::toString).collect(Collectors.joining("; ")));
      code = ExitCode.BAD_INPUT;
    } catch (UnknownNodeException e) {
      terminal.problem(file + ": " + e.getMessage());
      report.put("error", e.getMessage());
      code = ExitCode.BAD_INPUT;
    }
    if (output == Output.JSON) {
      terminal.out().println(JsonTree.ofProgram(report));
      terminal.out().flush();
    }
    return code;
  }

  private ExitCode tryNodes(String file, ClusterSnapshot cluster, ObjectNode report)
      throws UnknownNodeException {
    DeviceInventory inventory = DeviceInventory.of(cluster);
    List<ResourceClaim> pending = cluster.pendingClaims();
    if (!pending.isEmpty() || inventory.nodes().isEmpty()) {
      InputWarnings.ofNodes(inventory)
          .forEach(note -> terminal.problem("warning: " + file + ": " + note));
    }
    ExitCode worst = ExitCode.OK;
    boolean fits = false;
    boolean tried = false;
    try (Progress progress = new Progress(terminal, "node", inventory.nodes().size())) {
      for (Node node : inventory.nodes()) {
        progress.step();
        if (onlyNode != null && !onlyNode.equals(node.name())) {
          continue;
        }
        tried = true;
        AtomicInteger shares = new AtomicInteger();
        Allocator allocator =
            allocators.get().shareIds(() -> "share-" + shares.incrementAndGet()).build();
        AllocationOutcome outcome = allocator.allocate(inventory, node.name(), pending);
        fits |= outcome instanceof Allocated;
        worst = worst.or(codeOf(outcome));
        if (output == Output.JSON) {
          report.set(node.name(), jsonOf(outcome));
        } else {
          terminal.line(file + "  " + Terminal.safe(node.name()) + "  " + textOf(outcome));
        }
      }
    }
    if (onlyNode != null && !tried) {
      throw new UnknownNodeException(
          CommandMessages.unknownNode(
              onlyNode, inventory.nodes().stream().map(Node::name).toList()));
    }
    // If a file fits on one of its nodes, it is no failure that it does not fit on others.
    return worst == ExitCode.OK && !fits ? ExitCode.DOES_NOT_FIT : worst;
  }

  private static ExitCode codeOf(AllocationOutcome outcome) {
    return outcome.fold(
        allocated -> ExitCode.OK,
        unallocatable -> ExitCode.OK,
        rejected -> ExitCode.REJECTED,
        undecided -> ExitCode.UNDECIDED);
  }

  private static String textOf(AllocationOutcome outcome) {
    return outcome.fold(
        AllNodesRun::devices,
        unallocatable -> "does not fit: " + unallocatable.explanation().summary(),
        rejected -> "error: " + rejected.error(),
        undecided -> "undecided: " + undecided.reason());
  }

  private static String devices(Allocated allocated) {
    if (allocated.allocations().isEmpty()) {
      return "no pending claims";
    }
    String score =
        allocated.score().map(Score::explanation).map(text -> " (" + text + ")").orElse("");
    return allocated.allocations().stream()
        .map(
            claim ->
                claim.claim().displayName()
                    + ": "
                    + claim.result().results().stream()
                        .map(AllNodesRun::nameOf)
                        .collect(Collectors.joining(" ")))
        .collect(Collectors.joining("; ", "", score));
  }

  private static String nameOf(DeviceRequestAllocationResult result) {
    return result.deviceId().toString();
  }

  private static ObjectNode jsonOf(AllocationOutcome outcome) {
    ObjectNode json = JsonTree.NODES.objectNode();
    return outcome.fold(
        allocated -> {
          ArrayNode allocations = json.putArray("allocations");
          for (ClaimAllocation allocation : allocated.allocations()) {
            allocations
                .addObject()
                .put("namespace", allocation.claim().metadata().namespaceOrDefault())
                .put("name", allocation.claim().metadata().name())
                .set("allocation", ManifestWriter.encode(allocation.result()));
          }
          allocated
              .score()
              .filter(PlacementScore.class::isInstance)
              .map(PlacementScore.class::cast)
              .ifPresent(score -> json.set("score", ScoreJson.of(score)));
          return json;
        },
        unallocatable -> jsonOf(unallocatable, json),
        rejected -> json.put("error", rejected.error()).put("errorScope", "claim"),
        undecided -> json.put("error", undecided.reason()).put("errorScope", "timeout"));
  }

  private static ObjectNode jsonOf(Unallocatable unallocatable, ObjectNode json) {
    Optional<String> fault = unallocatable.explanation().fault();
    if (fault.isPresent()) {
      return json.put("error", fault.get()).put("errorScope", "node");
    }
    List<String> invalid = unallocatable.explanation().invalidPools();
    return invalid.isEmpty()
        ? json.put("unallocatable", true)
        : json.put(
                "error", "invalid resource pools were encountered: " + String.join("; ", invalid))
            .put("errorScope", "node");
  }

  /** Signals that {@code --node} names a node that is not in the file. */
  private static final class UnknownNodeException extends Exception {
    private static final long serialVersionUID = 1L;

    UnknownNodeException(String message) {
      super(message);
    }
  }
}
