package io.dra4j.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cel.CelEnvironment;
import io.dra4j.cel.CelEvaluation;
import io.dra4j.cel.CelSelector;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.SelectorException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dra4j cel}: evaluates selectors, JSON lines in, JSON lines out. */
@Command(
    name = "cel",
    mixinStandardHelpOptions = true,
    description = {
      "Evaluates selector expressions on devices.",
      "",
      "Each line of standard input is {\"expression\", \"driver\", \"device\": {\"attributes\","
          + " \"capacity\", \"allowMultipleAllocations\"}}, the device as in a v1 ResourceSlice."
          + " Each line of the answer has match, or compileError, or evalError, and the cost:"
          + " maxCost is the estimate before, actualCost what it was, overLimit tells that the"
          + " API server would refuse the expression."
    })
final class CelCommand implements Callable<Integer> {

  private final Terminal terminal;
  private boolean newExpressions;

  @Mixin private FeatureOptions features = new FeatureOptions();
  @Spec private @Nullable CommandSpec spec;

  CelCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Option(
      names = "--env",
      paramLabel = "ENV",
      description =
          "stored: what the scheduler uses; new: what the API server uses for new objects, with"
              + " the features of --kubernetes and --features.")
  void environment(String name) {
    newExpressions =
        switch (name) {
          case "stored" -> false;
          case "new" -> true;
          default -> throw badUsage("unknown environment '" + name + "': want stored or new");
        };
  }

  private CelEnvironment environment() {
    if (newExpressions) {
      return CelEnvironment.newExpressions(features.features());
    }
    if (!features.areUnsaid()) {
      throw badUsage("--kubernetes and --features are for --env new: stored ones may use anything");
    }
    return CelEnvironment.stored();
  }

  private ParameterException badUsage(String message) {
    return spec == null
        ? new ParameterException(new CommandLine(this), message)
        : new ParameterException(spec.commandLine(), message);
  }

  @Override
  public Integer call() throws IOException {
    CelSelectors selectors = CelSelectors.create(environment());
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      try {
        terminal.out().println(JsonTree.text(evaluate(line, selectors)));
      } catch (JsonProcessingException e) {
        terminal.problem("standard input: line " + number + ": " + e.getOriginalMessage());
        return ExitCode.BAD_INPUT.value();
      } catch (ManifestException e) {
        int badLine = number;
        e.problems()
            .forEach(
                problem ->
                    terminal.problem(
                        "standard input: line "
                            + badLine
                            + ": "
                            + problem.path()
                            + ": "
                            + problem.message()));
        return ExitCode.BAD_INPUT.value();
      }
    }
    return ExitCode.OK.value();
  }

  private static ObjectNode evaluate(String line, CelSelectors selectors)
      throws JsonProcessingException, ManifestException {
    JsonNode input = expect(JsonTree.read(line), JsonNodeType.OBJECT, "the line");
    String driver = field(input, "driver", JsonNodeType.STRING).asText("");
    Device device = device(driver, field(input, "device", JsonNodeType.OBJECT));
    String expression = field(input, "expression", JsonNodeType.STRING).asText("");
    ObjectNode answer = JsonTree.NODES.objectNode();
    CelSelector selector;
    try {
      selector = selectors.compileSelector(expression);
    } catch (SelectorException e) {
      return answer.put("compileError", e.getMessage());
    }
    answer.set("maxCost", unsigned(selector.maxCost()));
    if (Long.compareUnsigned(selector.maxCost(), CelSelector.MAX_COST) > 0) {
      answer.put("overLimit", true);
    }
    CelEvaluation evaluation = selector.evaluate(driver, device);
    if (evaluation.cost() != CelEvaluation.NO_COST) {
      answer.set("actualCost", unsigned(evaluation.cost()));
    }
    return evaluation.failed()
        ? answer.put("evalError", evaluation.error())
        : answer.put("match", evaluation.matches());
  }

  private static JsonNode field(JsonNode line, String name, JsonNodeType type)
      throws MismatchedInputException {
    return expect(line.path(name), type, name);
  }

  /** What is missing or null is left to its default. */
  private static JsonNode expect(JsonNode value, JsonNodeType type, String what)
      throws MismatchedInputException {
    if (value.isMissingNode() || value.isNull() || value.getNodeType() == type) {
      return value;
    }
    throw MismatchedInputException.from(
        (JsonParser) null,
        JsonNode.class,
        "%s: expected %s, found %s".formatted(what, kind(type), kind(value.getNodeType())));
  }

  private static String kind(JsonNodeType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  private static JsonNode unsigned(long number) {
    return JsonTree.NODES.numberNode(new BigInteger(Long.toUnsignedString(number)));
  }

  /** Reads the device with the reader of manifests, as the only device of a slice. */
  private static Device device(String driver, JsonNode json)
      throws JsonProcessingException, ManifestException {
    ObjectNode slice = JsonTree.NODES.objectNode();
    slice.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceSlice");
    slice.putObject("metadata").put("name", "device");
    ObjectNode spec = slice.putObject("spec").put("driver", driver);
    spec.putObject("pool").put("name", "pool").put("generation", 1).put("resourceSliceCount", 1);
    ObjectNode device = spec.putArray("devices").addObject().put("name", "device");
    if (json instanceof ObjectNode fields) {
      device.setAll(fields);
    }
    byte[] text = JsonTree.bytes(slice);
    return ManifestReader.create().read("device", new ByteArrayInputStream(text)).stream()
        .map(manifest -> ((ResourceSlice) manifest.object()).devices().get(0))
        .findFirst()
        .orElseThrow();
  }
}
