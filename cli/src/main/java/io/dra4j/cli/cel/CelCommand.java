package io.dra4j.cli.cel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cel.CelEnvironment;
import io.dra4j.cel.CelEvaluation;
import io.dra4j.cel.CelLint;
import io.dra4j.cel.CelSelector;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.InputReader;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.DurationConverter;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.InputLines;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.IoMessages;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code dra4j cel}: evaluates selectors, with JSON lines as input and output. */
@Command(
    name = "cel",
    mixinStandardHelpOptions = true,
    exitCodeList = {
      "2:wrong options, or a line that cannot be read",
      "4:the evaluation of a line timed out",
      "0:every line was answered, possibly with an error or a refusal"
    },
    description = {
      "Evaluates selector expressions on devices.",
      "",
      "Each line of standard input is {\"expression\", \"driver\", \"device\":"
          + " {\"attributes\", \"capacity\", \"allowMultipleAllocations\"}}, with the device as"
          + " in a v1 ResourceSlice. Each line of output has match, compileError or evalError,"
          + " and the cost: maxCost is the estimate of the API server, actualCost the cost of the"
          + " evaluation, and overLimit means that the API server would reject the expression. A"
          + " line that cannot be read is answered with error, and the next lines are still"
          + " evaluated. Unknown fields are reported on standard error.",
      "",
      "Answers are exact for Kubernetes 1.37. With an older --kubernetes, functions, fields and"
          + " syntax follow that release; costs and error messages follow 1.37.",
      ""
    })
public final class CelCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final List<ResourceSlice> published = new ArrayList<>();
  private @Nullable Boolean newExpressions; // absent without the option

  @Mixin private FeatureOptions features = new FeatureOptions();
  @Spec private @Nullable CommandSpec spec;

  public CelCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Option(
      names = "--env",
      paramLabel = "ENV",
      description =
          "stored: the environment of the scheduler; new: the environment of the API server for"
              + " new objects, with the features of --kubernetes and --features. Both have the"
              + " functions and fields of the release of --kubernetes, by default 1.37. Default:"
              + " stored; with --admission: new.")
  void environment(String name) {
    newExpressions =
        switch (name) {
          case "stored" -> false;
          case "new" -> true;
          default ->
              throw CommandUsage.bad(
                  spec, "unknown environment '" + name + "': expected stored or new");
        };
  }

  private CelEnvironment environment() {
    KubernetesVersion version = features.release();
    boolean isNew = newExpressions == null ? admission : newExpressions;
    if (isNew) {
      return CelEnvironment.newExpressions(version, features.features());
    }
    if (!features.areUnsaid()) {
      throw CommandUsage.bad(
          spec, "--features requires --env new: stored expressions may use all features");
    }
    return CelEnvironment.stored(version);
  }

  @Option(
      names = "--explain",
      description =
          "Explain why a device matches or not: each condition with its value on the device,"
              + " deciding conditions marked with an asterisk. Probable mistakes come first.")
  private boolean explain;

  @Option(
      names = "--expression",
      paramLabel = "E",
      description =
          "With --explain and --slices: explain this selector on the devices of the slices, without"
              + " reading standard input.")
  private @Nullable String expression;

  @Option(
      names = "--device",
      paramLabel = "D",
      description = "With --expression: explain only this device, NAME or DRIVER/POOL/DEVICE.")
  private @Nullable String onlyDevice;

  @Option(
      names = "--admission",
      description =
          "Print the verdict of the API server on the selector: accepted, with its cost; over the"
              + " cost limit, with the most expensive part; or refused, with the place of each"
              + " problem. Also print probable mistakes: a cost over 80 %% of the limit and, with"
              + " --slices, names that no device has, and selectors that are true on all devices or"
              + " on none.")
  private boolean admission;

  @Option(
      names = "--slices",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description =
          "With --admission and --expression: manifests with the ResourceSlices that drivers"
              + " publish.")
  private List<Path> slices = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "With --explain or --admission: text or json. Default: text. Otherwise always json.")
  private @Nullable Output output;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationConverter.class,
      description = "Time limit for the evaluation of one line. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ofMinutes(1);

  private enum Output {
    TEXT,
    JSON
  }

  @Override
  public Integer call() throws JsonProcessingException {
    checkOptions();
    if (!readSlices()) {
      return ExitCode.BAD_INPUT.value();
    }
    CelSelectors selectors = CelSelectors.create(environment());
    KubernetesVersion version = features.release();
    if (version.compareTo(KubernetesVersion.V1_37) < 0) {
      terminal.problem(
          ("warning: --kubernetes %s: functions, fields and syntax follow %s; costs and"
                  + " error messages follow 1.37")
              .formatted(version, version));
    }
    ExitCode code =
        expression == null ? answerLines(selectors) : explainPublished(expression, selectors);
    return code.value();
  }

  private void checkOptions() {
    if (!explain && !admission && output == Output.TEXT) {
      throw CommandUsage.bad(
          spec, "-o text requires --explain or --admission: other answers are JSON lines");
    } else if (explain && admission) {
      throw CommandUsage.bad(spec, "--explain and --admission cannot be used together");
    } else if (expression != null && (!explain || slices.isEmpty())) {
      throw CommandUsage.bad(spec, "--expression requires --explain and --slices");
    } else if (onlyDevice != null && expression == null) {
      throw CommandUsage.bad(spec, "--device requires --expression");
    } else if (!admission && expression == null && !slices.isEmpty()) {
      throw CommandUsage.bad(spec, "--slices requires --admission or --expression");
    } else if (slices.contains(Path.of("-"))) {
      throw CommandUsage.bad(
          spec, "--slices cannot be '-': standard input has the selectors; give a file");
    }
  }

  /** Reads the published slices. Returns false if that is impossible, which is reported. */
  private boolean readSlices() {
    try {
      InputReader reader =
          new InputReader(terminal, ManifestReader.builder().withoutSources().build(), false);
      for (Path file : slices) {
        for (Manifest one : reader.read(file.toString())) {
          if (one.object() instanceof ResourceSlice slice) {
            published.add(slice);
          }
        }
      }
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
      return false;
    }
    if (published.isEmpty() && !slices.isEmpty()) {
      terminal.problem("warning: --slices: no ResourceSlice in the input");
    }
    return true;
  }

  /** Answers the lines of standard input. */
  private ExitCode answerLines(CelSelectors selectors) throws JsonProcessingException {
    InputLines lines = new InputLines(terminal.in());
    ExitCode code = ExitCode.OK;
    while (!terminal.isUnread().getAsBoolean()) {
      InputLines.Line line;
      try {
        line = lines.next();
      } catch (IOException e) {
        terminal.problem("standard input: " + IoMessages.describe(e));
        return ExitCode.BAD_INPUT;
      }
      if (line == null) {
        break;
      } else if (!line.text().isBlank() || line.problem() != null) {
        code = code.or(answer(line, selectors));
      }
    }
    return code;
  }

  /** Explains a selector on devices of the slices. */
  private ExitCode explainPublished(String selector, CelSelectors selectors)
      throws JsonProcessingException {
    int explained = 0;
    List<String> known = new ArrayList<>();
    for (ResourceSlice slice : published) {
      for (Device device : slice.devices()) {
        String id = "%s/%s/%s".formatted(slice.driver(), slice.pool().name(), device.name());
        known.add(id);
        if (onlyDevice != null && !onlyDevice.equals(device.name()) && !onlyDevice.equals(id)) {
          continue;
        }
        explained++;
        try {
          SelectorExplanation said =
              selectors.explain(selector, slice.driver(), device, Budget.of(timeout));
          if (output == Output.JSON) {
            ObjectNode answer = JsonTree.NODES.objectNode().put("device", id);
            answer.setAll(CelExplanationJson.of(said));
            terminal.out().println(JsonTree.text(answer));
          } else {
            print(id, said.lines());
          }
        } catch (BudgetExceededException e) {
          terminal.problem(id + ": " + e.reason());
          return ExitCode.UNDECIDED;
        }
      }
    }
    if (explained == 0 && onlyDevice != null) {
      terminal.problem(
          "--device: the slices have no device %s%s"
              .formatted(onlyDevice, SimilarNames.hint(SimilarNames.of(onlyDevice, known))));
      return ExitCode.BAD_INPUT;
    } else if (explained == 0) {
      terminal.problem("--slices: the input has no devices");
      return ExitCode.BAD_INPUT;
    }
    return ExitCode.OK;
  }

  /** Answers a line. A bad line is answered with an error, and the next lines are still read. */
  private ExitCode answer(InputLines.Line line, CelSelectors selectors)
      throws JsonProcessingException {
    String place = "standard input:" + line.number() + ":";
    List<CelQuestion.Fault> faults = new ArrayList<>();
    ExitCode code = ExitCode.BAD_INPUT;
    try {
      if (line.problem() == null) {
        CelQuestion question = CelQuestion.read(line.text());
        question
            .unknownFields()
            .forEach(unknown -> terminal.problem("warning: " + place + text(unknown)));
        answer(line.number(), question, selectors);
        return ExitCode.OK;
      }
      faults.add(new CelQuestion.Fault(line.column(), line.problem()));
    } catch (CelQuestion.BadLineException e) {
      faults.addAll(e.faults());
    } catch (BudgetExceededException e) {
      faults.add(new CelQuestion.Fault(1, e.reason()));
      code = ExitCode.UNDECIDED;
    }
    faults.forEach(fault -> terminal.problem(place + text(fault)));
    if (!(explain || admission) || output == Output.JSON) {
      String error =
          faults.stream().map(CelQuestion.Fault::message).collect(Collectors.joining("; "));
      terminal.out().println(JsonTree.text(JsonTree.NODES.objectNode().put("error", error)));
    }
    return code;
  }

  private void answer(int number, CelQuestion question, CelSelectors selectors)
      throws JsonProcessingException, BudgetExceededException {
    if (admission) {
      admit(number, question.expression(), selectors);
    } else if (explain) {
      explain(number, question, selectors);
    } else {
      terminal.out().println(JsonTree.text(evaluate(question, selectors)));
    }
  }

  private static String text(CelQuestion.Fault fault) {
    return fault.column() + ": " + fault.message();
  }

  private void admit(int number, String expression, CelSelectors selectors)
      throws JsonProcessingException, BudgetExceededException {
    List<CelLint> lints;
    try {
      lints = selectors.lint(expression, published, Budget.of(timeout));
    } catch (SelectorException e) {
      lints = List.of(); // the verdict has the place and the reason
    }
    CelAdmissionReport report = new CelAdmissionReport(selectors.admit(expression), lints);
    if (output == Output.JSON) {
      terminal.out().println(JsonTree.text(report.json()));
    } else {
      print("line " + number, report.lines());
    }
  }

  private void print(String of, List<String> lines) {
    terminal.out().println(of + ": " + Terminal.safe(lines.get(0)));
    lines.stream().skip(1).map(Terminal::safe).forEach(terminal.out()::println);
  }

  private void explain(int number, CelQuestion question, CelSelectors selectors)
      throws JsonProcessingException, BudgetExceededException {
    SelectorExplanation said =
        selectors.explain(
            question.expression(), question.driver(), question.device(), Budget.of(timeout));
    if (output == Output.JSON) {
      terminal.out().println(JsonTree.text(CelExplanationJson.of(said)));
      return;
    }
    print("line " + number, said.lines());
  }

  private ObjectNode evaluate(CelQuestion question, CelSelectors selectors)
      throws BudgetExceededException {
    ObjectNode answer = JsonTree.NODES.objectNode();
    CelSelector selector;
    try {
      selector = selectors.compileSelector(question.expression());
    } catch (SelectorException e) {
      return answer.put("compileError", e.getMessage());
    }
    answer.set("maxCost", unsigned(selector.maxCost()));
    if (Long.compareUnsigned(selector.maxCost(), CelSelector.MAX_COST) > 0) {
      answer.put("overLimit", true);
    }
    CelEvaluation evaluation =
        selector.evaluate(question.driver(), question.device(), Budget.of(timeout));
    evaluation.actualCost().ifPresent(cost -> answer.set("actualCost", unsigned(cost)));
    return evaluation.failed()
        ? answer.put("evalError", evaluation.error())
        : answer.put("match", evaluation.matches());
  }

  private static JsonNode unsigned(long number) {
    return JsonTree.NODES.numberNode(new BigInteger(Long.toUnsignedString(number)));
  }
}
