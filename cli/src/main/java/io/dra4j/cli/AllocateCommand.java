package io.dra4j.cli;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.SelectorCompiler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dra4j allocate}: which devices each claim gets on which node. */
@Command(
    name = "allocate",
    mixinStandardHelpOptions = true,
    description = {
      "Finds devices for the pending claims of a cluster, as Kubernetes would.",
      "",
      "All FILEs form one cluster. Its pods are placed one after the other, each on the first node"
          + " that takes all of its claims; a claim that no pod refers to is placed as if a pod of"
          + " its own did. With --all-nodes each FILE is a cluster of its own, and all of its"
          + " pending claims are tried together on each node by itself."
    })
final class AllocateCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Output {
    TABLE,
    YAML,
    JSON
  }

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Manifests, YAML or JSON; - is standard input.")
  private List<String> files = List.of();

  @Option(names = "--node", paramLabel = "N", description = "Try this node only.")
  private @Nullable String node;

  @Option(names = "--all-nodes", description = "Try all claims together on each node by itself.")
  private boolean allNodes;

  @Mixin private FeatureOptions features = new FeatureOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, yaml or json. With --all-nodes, json is one line for each FILE. Default: table.")
  private Output output = Output.TABLE;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "How long to search on one node. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  @Option(
      names = "--max-file-size",
      paramLabel = "BYTES",
      description = "Refuse larger files. Default: 256 MiB.")
  private @Nullable Long maxFileSize;

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  AllocateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (allNodes && output == Output.YAML) {
      throw badUsage("--all-nodes answers with -o table or -o json, not yaml");
    }
    SelectorCompiler selectors = CelSelectors.create();
    ExitCode code =
        allNodes
            ? new AllNodesRun(terminal, node, () -> allocator(selectors), output)
                .run(files, this::read)
            : placeAll(selectors);
    return code.value();
  }

  private Allocator.Builder allocator(SelectorCompiler selectors) {
    return Allocator.builder().selectors(selectors).features(features.features()).timeout(timeout);
  }

  private ExitCode placeAll(SelectorCompiler selectors) {
    List<Manifest> manifests = new ArrayList<>();
    ExitCode read = ExitCode.OK;
    for (String file : files) {
      try {
        manifests.addAll(read(file));
      } catch (ManifestException e) {
        e.problems().forEach(problem -> terminal.problem(problem.toString()));
        read = ExitCode.BAD_INPUT;
      }
    }
    if (read != ExitCode.OK) {
      return read;
    }
    return new ClusterAnswer(terminal, node, allocator(selectors).build(), output).run(manifests);
  }

  private List<Manifest> read(String file) throws ManifestException {
    ManifestReader reader = ManifestReader.create().withLimits(limits());
    return file.equals("-")
        ? reader.read("standard input", terminal.in())
        : reader.read(Path.of(file));
  }

  private ManifestLimits limits() {
    ManifestLimits limits = ManifestLimits.DEFAULT;
    return maxFileSize == null
        ? limits
        : new ManifestLimits(maxFileSize, limits.maxDepth(), limits.maxAliasBytes());
  }

  /** There is one policy so far, so that naming it is all one can do. */
  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "How to choose: first-fit, which is what Kubernetes does.")
  void policy(String name) {
    if (!name.equals("first-fit")) {
      throw badUsage("unknown policy '" + name + "'; this version knows first-fit");
    }
  }

  private ParameterException badUsage(String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
