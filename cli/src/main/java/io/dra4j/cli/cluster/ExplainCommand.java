package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.input.ManifestOptions.ObjectReference;
import io.dra4j.cli.input.QuestionScope;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code dra4j explain}: explains why claims do not fit, and what would help. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    exitCodeList = {ExitCode.HELP_REJECTED, ExitCode.HELP_UNDECIDED, ExitCode.HELP_DOES_NOT_FIT},
    description = {
      "Explains why claims do not fit, and what would help.",
      "",
      "All FILEs form one cluster, whose pods are placed as by dra4j allocate. For each pod that"
          + " fits on no node, it prints the reasons, grouped by nodes with the same reason; the"
          + " requirements that cannot be fulfilled together; and suggestions, each of which was"
          + " tested on a copy of the cluster.",
      "",
      "Among the FILEs, pod/NAME or pod NAME selects a pod of the cluster. Only this pod is"
          + " placed, as if it were the next one, and answer and exit code refer to it."
          + " claim/NAME is the same as --claim. Scheduling gates and another schedulerName are"
          + " reported first. Without a FILE, the live cluster is read: dra4j explain pod/NAME"
          + " explains why that pod is pending. NAME is an object in the namespace of -n, or"
          + " NAMESPACE/NAME."
    })
public final class ExplainCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TEXT,
    JSON,
    HTML
  }

  @Mixin private ManifestOptions manifests = new ManifestOptions();

  @Mixin private FeatureOptions features = new FeatureOptions();

  @Option(
      names = "--claim",
      paramLabel = "NS/NAME",
      description =
          "Explain only the pods that use this claim. Without NS/, the namespace is that of -n, or"
              + " else default.")
  private @Nullable String claim;

  @Option(names = "--node", paramLabel = "N", description = "Try only this node.")
  private @Nullable String node;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text, json, or html: one page without scripts. Default: text.")
  private Output output = Output.TEXT;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description =
          "Time limit for the search on one node, and for the explanation of one pod."
              + " Default: 1m.")
  private Duration timeout = Duration.ofMinutes(1);

  @Mixin private RunTimeOption runTime = new RunTimeOption();

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  public ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (claim != null && !claim.matches("([^/]+/)?[^/]+")) {
      throw CommandUsage.bad(
          spec, "--claim: expected NAMESPACE/NAME or NAME, found '" + claim + "'");
    }
    if (manifests.cluster().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    ObjectReference reference = manifests.takeReference().orElse(null);
    String misuse = manifests.misuse();
    if (reference != null && !reference.isPod() && claim != null) {
      misuse = "a claim is named twice: by --claim and by claim/" + reference.name();
    }
    if (misuse != null) {
      throw CommandUsage.bad(spec, misuse);
    }
    SelectorCompiler selectors = features.selectors();
    Optional<ClusterInput> read = manifests.readAll(terminal, selectors, features);
    if (read.isEmpty()) {
      return ExitCode.BAD_INPUT.value();
    }
    QuestionScope scope = scopeOf(reference);
    if (!scope.pod().isEmpty() && read.get().pod(scope.pod()).isEmpty()) {
      terminal.problem("no pod " + Terminal.safe(scope.pod()) + " in the input");
      return ExitCode.BAD_INPUT.value();
    }
    ClusterInput input = read.get().within(scope);
    Allocator allocator =
        features.allocator(selectors).timeout(timeout).policy(PlacementPolicy.firstFit()).build();
    ExplainRun run =
        new ExplainRun(terminal, allocator, selectors, timeout, node, claimOf(reference));
    ExitCode code = run.run(input, runTime.start());
    run.report().ifPresent(report -> print(report, input.differences()));
    return code.value();
  }

  private QuestionScope scopeOf(@Nullable ObjectReference reference) {
    if (reference == null) {
      return manifests.scope();
    }
    return reference.isPod() ? QuestionScope.ofPod(nameOf(reference)) : QuestionScope.ALL;
  }

  /** Returns the claim whose pods are explained; null for all. */
  private @Nullable String claimOf(@Nullable ObjectReference reference) {
    if (reference != null && !reference.isPod()) {
      return nameOf(reference);
    }
    QuestionScope scope = manifests.scope();
    return claim == null || claim.contains("/") || scope.isAll()
        ? claim
        : scope.namespace() + "/" + claim;
  }

  private static String nameOf(ObjectReference reference) {
    return reference.namespace() + "/" + reference.name();
  }

  private void print(ExplainReport report, List<String> differences) {
    switch (output) {
      case TEXT -> new ExplainText(report).print(terminal);
      case JSON -> terminal.out().println(ExplainJson.of(report, differences));
      case HTML -> terminal.out().print(ExplainPage.of(report));
    }
  }
}
