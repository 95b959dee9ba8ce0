package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Progress;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.selector.SelectorCompiler;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code dra4j place}: places whole jobs, and reports nodes, speed and reasons. */
@Command(
    name = "place",
    mixinStandardHelpOptions = true,
    exitCodeList = {ExitCode.HELP_REJECTED, ExitCode.HELP_UNDECIDED, ExitCode.HELP_DOES_NOT_FIT},
    description = {
      "Places whole jobs: how many of their pods fit, on which nodes, with which devices, how"
          + " fast, and why a pod gets no node.",
      "",
      "All FILEs form one cluster. Every pod with claims that its workloads create is"
          + " placed, with the search and the rules of dra4j allocate. --add, --add-node and"
          + " --without answer for a hypothetical cluster; nothing is changed."
    })
public final class PlaceCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TABLE,
    JSON,
    SVG,
    HTML
  }

  @Mixin private ManifestOptions manifests = new ManifestOptions();

  @Mixin private FeatureOptions features = new FeatureOptions();

  @Mixin private PolicyOptions policies = new PolicyOptions();

  @Mixin private ChangeOptions changes = new ChangeOptions();

  @Option(names = "--node", paramLabel = "N", description = "Try only this node.")
  private @Nullable String node;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table; json, one line; svg, a server with its pairs; or html, one page without scripts."
              + " Default: table.")
  private Output output = Output.TABLE;

  @Option(
      names = "--render",
      paramLabel = "DIR",
      converter = PathConverter.class,
      description =
          "Write new files to DIR: manifests that run each placed StatefulSet, Job and"
              + " MPIJob on these nodes and devices, with the environment variables of NCCL, and"
              + " a SkyPilot task.")
  private @Nullable Path render;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "Time limit for the search on one node. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  @Mixin private RunTimeOption runTime = new RunTimeOption();

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  public PlaceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (manifests.cluster().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    String misuse = manifests.misuse();
    if (misuse != null) {
      throw CommandUsage.bad(spec, misuse);
    }
    policies.check();
    changes.check();
    if (!policies.readProfile(terminal)) {
      return ExitCode.BAD_INPUT.value();
    }
    SelectorCompiler selectors = features.selectors();
    Allocator allocator =
        features.allocator(selectors).timeout(timeout).policy(policies.policy(true)).build();
    return changes
        .read(terminal, manifests, selectors, features)
        .map(input -> place(input.within(manifests.scope()), allocator, selectors))
        .orElse(ExitCode.BAD_INPUT)
        .value();
  }

  private ExitCode place(ClusterInput input, Allocator allocator, SelectorCompiler selectors) {
    PodQueue queue = input.queue();
    DeviceInventory inventory = DeviceInventory.of(input.snapshot());
    Optional<String> unknown =
        InputChecks.unknownNode(node, inventory)
            .or(() -> policies.problemOf(input.manifests(), terminal));
    if (unknown.isPresent()) {
      terminal.problem(unknown.get());
      return ExitCode.BAD_INPUT;
    }
    List<String> warnings = new ArrayList<>(queue.unoffered());
    warnings.addAll(new JobsWithoutNics(inventory, selectors, input.manifests()).warnings(queue));
    ExitCode code = InputChecks.report(terminal, input, inventory, warnings);
    ClusterOutcome outcome =
        input.asked(run(policies.run(allocator, node, timeout), queue, inventory));
    for (PodOutcome pod : outcome.pods()) {
      code = code.or(AllocateRun.codeOf(pod));
    }
    PlaceReport report = PlaceReport.of(outcome, queue, policies.isGang());
    switch (output) {
      case TABLE -> {
        terminal.answer(report.answer(), code == ExitCode.OK);
        new PlaceText(report, terminal.width()).lines().forEach(terminal::line);
      }
      case JSON -> terminal.out().println(PlaceJson.of(report, input.differences()));
      case SVG -> AllocateRun.printPictures(terminal, inventory, outcome, allocator);
      case HTML -> terminal.out().print(PlacePage.of(report, inventory, allocator));
    }
    return render == null ? code : code.or(render(render, input, inventory, report));
  }

  private ExitCode render(
      Path directory, ClusterInput input, DeviceInventory inventory, PlaceReport report) {
    JobManifests.Rendered rendered =
        new JobManifests(input.manifests(), inventory, report).render();
    rendered.notes().forEach(note -> terminal.problem("warning: " + note));
    try {
      Files.createDirectories(directory);
    } catch (FileAlreadyExistsException e) {
      terminal.problem("--render: " + directory + ": is a file; expected a directory");
      return ExitCode.BAD_INPUT;
    } catch (IOException e) {
      terminal.problem(
          "--render: the directory %s cannot be created: %s"
              .formatted(directory, IoMessages.describe(e)));
      return ExitCode.LOST;
    }
    for (Map.Entry<String, String> file : rendered.files().entrySet()) {
      Path path = directory.resolve(file.getKey());
      try {
        Files.writeString(path, file.getValue(), StandardOpenOption.CREATE_NEW);
      } catch (FileAlreadyExistsException e) {
        terminal.problem(path + " already exists; choose another directory");
        return ExitCode.BAD_INPUT;
      } catch (IOException e) {
        terminal.problem(path + ": cannot be written: " + IoMessages.describe(e));
        return ExitCode.LOST;
      }
    }
    return ExitCode.OK;
  }

  private ClusterOutcome run(ClusterRun run, PodQueue queue, DeviceInventory inventory) {
    try (Progress progress = new Progress(terminal, "pod", queue.pods().size())) {
      return run.toBuilder()
          .observer(pod -> progress.step())
          .budget(runTime.start())
          .build()
          .place(queue, inventory);
    }
  }
}
