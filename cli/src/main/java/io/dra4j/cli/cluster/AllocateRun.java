package io.dra4j.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.dra4j.allocation.Allocator;
import io.dra4j.cli.cluster.AllocateCommand.Output;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.cli.terminal.Progress;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.topology.Palette;
import io.dra4j.cli.topology.SvgPicture;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementScore;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.selector.SelectorCompiler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code allocate} for a cluster: places pods with the core library, and prints the outcome. */
final class AllocateRun {

  private final Terminal terminal;
  private final ClusterRun clusterRun;
  private final SelectorCompiler selectors;
  private final Allocator allocator;
  private final @Nullable DefragmentationReport room;
  private final @Nullable String onlyNode;
  private final Output output;
  private final boolean allTrees;

  /**
   * Creates a run.
   *
   * @param selectors compiles the selectors of the device classes
   * @param allocator allocates the devices
   * @param room reports which moves would make room; null without {@code --defragment}
   * @param onlyNode the node that the run is limited to; null for all
   * @param allTrees whether trees are shown even for many servers
   */
  @SuppressWarnings("ParameterNumber") // the parameters are the fields, given in one place
  AllocateRun(
      Terminal terminal,
      ClusterRun clusterRun,
      SelectorCompiler selectors,
      Allocator allocator,
      @Nullable DefragmentationReport room,
      @Nullable String onlyNode,
      Output output,
      boolean allTrees) {
    this.allTrees = allTrees;
    this.terminal = terminal;
    this.clusterRun = clusterRun;
    this.selectors = selectors;
    this.allocator = allocator;
    this.room = room;
    this.onlyNode = onlyNode;
    this.output = output;
  }

  ExitCode run(ClusterInput input, Budget budget) {
    PodQueue queue = input.queue();
    DeviceInventory inventory = DeviceInventory.of(input.snapshot());
    List<String> unknown = unknownNames(queue, inventory);
    if (!unknown.isEmpty()) {
      unknown.forEach(terminal::problem);
      return ExitCode.BAD_INPUT;
    }
    ExitCode code =
        InputChecks.report(
            terminal,
            input,
            inventory,
            new JobsWithoutNics(inventory, selectors, input.manifests()).warnings(queue));
    ClusterOutcome all = place(queue, inventory, budget);
    ClusterOutcome outcome = input.asked(all);
    for (PodOutcome pod : outcome.pods()) {
      code = code.or(codeOf(pod));
    }
    print(input, inventory, outcome);
    if (room != null) {
      code =
          code.or(
              room.print(
                  input.snapshot(),
                  queue,
                  all,
                  input.scope()::covers,
                  output == Output.TABLE,
                  budget));
    }
    return code;
  }

  /** Returns messages about named nodes or pods that the cluster does not have. */
  private List<String> unknownNames(PodQueue queue, DeviceInventory inventory) {
    Optional<String> unknownNode = InputChecks.unknownNode(onlyNode, inventory);
    if (unknownNode.isPresent()) {
      return List.of(unknownNode.get());
    }
    return room == null ? List.of() : room.unknownPods(queue);
  }

  private ClusterOutcome place(PodQueue queue, DeviceInventory inventory, Budget budget) {
    try (Progress progress = new Progress(terminal, "pod", queue.pods().size())) {
      return clusterRun.toBuilder()
          .observer(pod -> progress.step())
          .budget(budget)
          .build()
          .place(queue, inventory);
    }
  }

  static ExitCode codeOf(PodOutcome pod) {
    if (pod instanceof PodOutcome.Placed) {
      return ExitCode.OK;
    } else if (pod instanceof PodOutcome.Rejected) {
      return ExitCode.REJECTED;
    }
    return pod instanceof PodOutcome.Undecided ? ExitCode.UNDECIDED : ExitCode.DOES_NOT_FIT;
  }

  private void print(ClusterInput input, DeviceInventory inventory, ClusterOutcome outcome) {
    if (output == Output.TABLE) {
      new ClusterReport(terminal, inventory, outcome, allocator, allTrees)
          .print(input.queue().problems().stream().noneMatch(input.scope()::coversProblem));
    } else if (output == Output.SVG) {
      printPictures(terminal, inventory, outcome, allocator);
    } else {
      printClaims(input, outcome);
    }
  }

  private static void printReasons(Terminal terminal, ClusterOutcome outcome) {
    PodReasons.of(outcome.pods())
        .forEach(
            (pod, reasons) ->
                reasons.forEach(reason -> terminal.problem(pod.name() + ": " + reason)));
  }

  /** Prints the first picture, as a document has only one, and warns about the other nodes. */
  static void printPictures(
      Terminal terminal, DeviceInventory inventory, ClusterOutcome outcome, Allocator allocator) {
    printReasons(terminal, outcome);
    Map<String, String> pictures = AllocationPicture.of(inventory, outcome, allocator);
    if (pictures.isEmpty()) {
      String nothing = "no picture: no pod was placed or refused on a node";
      terminal.problem(nothing);
      SvgPicture picture = new SvgPicture(SvgPicture.widthOf(nothing) + 20, 30);
      picture.text(10, 19, nothing, Palette.TEXT, false);
      terminal.out().print(picture.end());
      return;
    }
    Map.Entry<String, String> first = pictures.entrySet().iterator().next();
    if (pictures.size() > 1) {
      terminal.problem(
          "warning: the picture shows node %s; use --node for the pictures of %s"
              .formatted(first.getKey(), CommandMessages.some(pictures.keySet())));
    }
    terminal.out().print(first.getValue());
  }

  /** Prints the claims of the input and the claims created from templates, as one list. */
  private void printClaims(ClusterInput input, ClusterOutcome outcome) {
    printReasons(terminal, outcome);
    Map<ClaimKey, ResourceClaim> claims = outcome.claims();
    List<Manifest> list = new ArrayList<>();
    for (Manifest manifest : input.manifests()) {
      if (manifest.object() instanceof ResourceClaim claim
          && input.scope().covers(claim.metadata().namespaceOrDefault())) {
        list.add(manifest.withObject(Objects.requireNonNull(claims.get(ClaimKey.of(claim)))));
      }
    }
    claims.forEach(
        (key, claim) -> {
          if (input.queue().isMade(key)) {
            list.add(Manifest.of(claim));
          }
        });
    terminal
        .out()
        .print(
            output == Output.YAML
                ? ManifestWriter.toYaml(list)
                : withMore(list, outcome, input.differences()));
  }

  /** Returns the claims with the scores of each pod and the warnings. */
  private static String withMore(
      List<Manifest> list, ClusterOutcome outcome, List<String> differences) {
    ArrayNode scores = JsonTree.NODES.arrayNode();
    for (PodOutcome pod : outcome.pods()) {
      if (pod instanceof PodOutcome.Placed placed
          && placed.score().orElse(null) instanceof PlacementScore score) {
        scores
            .addObject()
            .put("pod", placed.pod().name())
            .put("node", placed.node())
            .set("score", ScoreJson.of(score));
      }
    }
    try {
      Map<String, String> more = new LinkedHashMap<>();
      if (!scores.isEmpty()) {
        more.put("scores", JsonTree.text(scores));
      }
      if (!differences.isEmpty()) {
        ArrayNode warnings = JsonTree.NODES.arrayNode();
        differences.forEach(warnings::add);
        more.put("warnings", JsonTree.text(warnings));
      }
      return ManifestWriter.toJson(list, more);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a JSON tree", e);
    }
  }
}
