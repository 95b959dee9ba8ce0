package io.dra4j.cli;

import io.dra4j.allocation.AllocationPolicy;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.placement.PlacementPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
          + " (with a policy other than first-fit: on the best node) that takes all of its claims; a claim that no pod refers to is placed as if a pod of"
          + " its own did. With --all-nodes each FILE is a cluster of its own, and all of its"
          + " pending claims are tried together on each node by itself."
    })
final class AllocateCommand implements Callable<Integer> {

  /** How the answer is written. */
  enum Output {
    TABLE,
    YAML,
    JSON,
    SVG
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
          "table, yaml, json or svg: a server with lines between the pairs of GPUs and NICs, as wide"
              + " as their GB/s. With --all-nodes, json is one line for each FILE. Default: table.")
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
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Refuse larger files, for example 1Gi. Default: 256Mi.")
  private @Nullable Long maxFileSize;

  @Option(
      names = "--strict",
      description = "Refuse input with fields or objects that would be passed over.")
  private boolean strict;

  @Spec private @Nullable CommandSpec spec;

  private @Nullable PlacementPolicy policy;

  private final Terminal terminal;

  AllocateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (allNodes && (output == Output.YAML || output == Output.SVG)) {
      throw badUsage(
          "--all-nodes answers with -o table or -o json, not "
              + output.name().toLowerCase(Locale.ROOT));
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
    return Allocator.builder()
        .selectors(selectors)
        .features(features.features())
        .timeout(timeout)
        .policy(policy());
  }

  /** Each node by itself is compared with the reference, which has neither scores nor wishes. */
  private AllocationPolicy policy() {
    if (policy != null) {
      return policy;
    }
    return allNodes ? AllocationPolicy.firstFit() : PlacementPolicy.firstFit();
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
    return new InputReader(terminal, reader, strict).read(file);
  }

  private ManifestLimits limits() {
    ManifestLimits limits = ManifestLimits.DEFAULT;
    return maxFileSize == null
        ? limits
        : new ManifestLimits(maxFileSize, limits.maxDepth(), limits.maxAliasBytes());
  }

  /**
   * Sets how to choose.
   *
   * @param name one of {@link PlacementPolicy#names()}
   */
  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "How to choose among what is valid: first-fit, which is what Kubernetes does; best, the"
              + " most bandwidth between GPUs and NICs; pack, which keeps most of a server useful;"
              + " spread. Default: first-fit.")
  void policy(String name) {
    if (!PlacementPolicy.names().contains(name)) {
      throw badUsage(
          "unknown policy '" + name + "'; known are " + String.join(", ", PlacementPolicy.names()));
    }
    policy = PlacementPolicy.of(name);
  }

  private ParameterException badUsage(String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
