package io.dra4j.cli.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.dra4j.cel.CelEnvironment;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.input.ClusterSource;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.cli.terminal.SizeConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.validation.ManifestValidator;
import io.dra4j.manifest.validation.Validation;
import io.dra4j.manifest.validation.ValidationReport;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dra4j validate}: reports problems that the API server would reject, with their places. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    exitCodeList = {"2:errors, or wrong options", "0:no errors; there may be warnings"},
    description = {
      "Reports problems of manifests that the API server would reject, with their places.",
      "",
      "Checks all objects of all files as written. ResourceSlices, ResourceClaims,"
          + " ResourceClaimTemplates, DeviceClasses and DeviceTaintRules in the versions v1,"
          + " v1beta2 and v1beta1 (DeviceTaintRules: v1, v1beta2 and v1alpha3) are checked by all"
          + " rules of the API. Nodes, pods, their controllers and groups, and ResourceQuotas are"
          + " checked by the types and names of their fields. Objects of other kinds are counted"
          + " but not checked. Selectors are compiled, and their cost is estimated as by the API"
          + " server.",
      "",
      "Each problem is a line: file, line and column, the object, the field in the version"
          + " of the document, the expected and the found value, similar names, and the rule in"
          + " brackets. docs/validation.md lists the rules. A warning marks something that the"
          + " API server accepts but that is probably a mistake. Each file is a separate cluster,"
          + " in which an object may occur only once; with --together, all files form one"
          + " cluster. Does not check what depends on the cluster: permissions, quotas, and"
          + " fields of existing objects that must not change. --kubernetes and --features"
          + " determine the versions of the API and the features that selectors may use; other"
          + " fields follow 1.37.",
      ""
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  dra4j validate claims.yaml classes.yaml",
      "  kubectl get resourceslices -o yaml | dra4j validate -",
      "  dra4j validate --from-cluster",
      "  dra4j validate --kubernetes 1.34 -o sarif deploy/*.yaml > dra4j.sarif"
    })
public final class ValidateCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Mixin private FeatureOptions features = new FeatureOptions();
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Manifests, YAML or JSON; - is standard input.")
  private List<String> files = List.of();

  @Mixin private ClusterSource source = new ClusterSource();

  @Option(
      names = "--together",
      description =
          "All files form one cluster: no object may be in two of them. Default: each file is a"
              + " separate cluster.")
  private boolean together;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "text, json, or sarif (2.1.0, for code review tools). Default: ${DEFAULT-VALUE}.")
  private Output output = Output.TEXT;

  @Option(
      names = "--max-problems",
      paramLabel = "N",
      description = "Print the first N problems and count the others. Default: ${DEFAULT-VALUE}.")
  private int maxProblems = ManifestValidator.MAX_PROBLEMS;

  @Option(
      names = "--max-file-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Refuse larger files, for example 1Gi. Default: 256Mi.")
  private @Nullable Long maxFileSize;

  private enum Output {
    TEXT,
    JSON,
    SARIF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ValidateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    if (source.options().printRules(terminal)) {
      return ExitCode.OK.value();
    }
    checkUsage();
    Optional<ValidationReport> read = validate();
    if (read.isEmpty()) {
      return ExitCode.BAD_INPUT.value();
    }
    ValidationReport report = read.get();
    List<String> inputs = source.isChosen() ? List.of(ClusterSource.NAME) : files;
    if (report.objects() == 0 && report.problems().isEmpty() && report.skipped().isEmpty()) {
      terminal.problem(
          "warning: %s: has no objects"
              .formatted(String.join(", ", inputs).replaceAll("^-$", "standard input")));
    }
    ValidationReportWriter answer = new ValidationReportWriter(report, inputs);
    switch (output) {
      case TEXT -> answer.lines().forEach(terminal::line);
      case JSON -> terminal.out().println(JsonTree.text(answer.json()));
      case SARIF -> terminal.out().println(JsonTree.text(answer.sarif()));
    }
    return (report.isValid() ? ExitCode.OK : ExitCode.BAD_INPUT).value();
  }

  private void checkUsage() {
    String misuse = source.misuse(files, "FILE");
    if (misuse == null && maxProblems < 1) {
      misuse = "--max-problems: expected at least 1, found " + maxProblems;
    } else if (misuse == null && Collections.frequency(files, "-") > 1) {
      misuse = "FILE: standard input can be read only once, found - twice";
    }
    if (misuse != null) {
      throw new ParameterException(
          spec == null ? new CommandLine(this) : spec.commandLine(), misuse);
    }
  }

  private Optional<ValidationReport> validate() {
    KubernetesVersion version = features.release();
    CelSelectors selectors =
        CelSelectors.create(CelEnvironment.newExpressions(version, features.features()));
    ManifestLimits limits = ManifestLimits.DEFAULT;
    if (maxFileSize != null) {
      limits = new ManifestLimits(maxFileSize, limits.maxDepth(), limits.maxAliasBytes());
    }
    Validation validation =
        ManifestValidator.builder(selectors)
            .kubernetes(version)
            .limits(limits)
            .maxProblems(maxProblems)
            .build()
            .start();
    if (source.isChosen()) {
      return source.read(
          terminal,
          in -> {
            validation.startCluster();
            validation.add(ClusterSource.NAME, in);
            return validation.report();
          });
    }
    for (String file : files) {
      if (!together) {
        validation.startCluster();
      }
      if (file.equals("-")) {
        validation.add("standard input", terminal.in());
      } else {
        validation.add(Path.of(file));
      }
    }
    return Optional.of(validation.report());
  }
}
