package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ValidateCommandTest {

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: gpus}
      spec:
        devices:
          requests:
          - name: gpu
            exactly:
              deviceClassName: gpu.example.com
              selectors:
              - cel: {expression: "%s"}
          constraints:
          - {requests: [gpus], matchAttribute: resource.kubernetes.io/pcieRoot}
      """;

  /** Cases of the allocator that the API server would refuse, with the rules that they break. */
  private static final Set<String> REFUSED =
      Set.of(
          "invalid-pool.yaml",
          "invalid-pool-all.yaml",
          "order-binding-conditions-last.yaml",
          "selector-does-not-compile.yaml",
          "shared-beyond-maximum.yaml",
          "shared-count-needs-devices.yaml",
          "shared-counters-and-shares.yaml",
          "shared-partly-used.yaml",
          "shared-rounding.yaml",
          "small-000578.yaml",
          "small-000784.yaml",
          "small-001196.yaml");

  @Test
  void allProblemsAreToldWithTheirPlaces() {
    Cli cli = Cli.runWith(CLAIM.formatted("device.nope"), "validate", "-");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("standard input:11:29: ResourceClaim \"gpus\": spec.devices.requests[0].exactly")
        .contains(
            "undefined field 'nope' [selector-expression]\n     | device.nope\n     | ......^\n")
        .contains(
            "standard input:13:19: ResourceClaim \"gpus\": spec.devices.constraints[0].requests[0]:"
                + " expected a request of the claim, found \"gpus\"; did you mean gpu?"
                + " [request-reference]")
        .endsWith("1 object in 1 file: 2 errors\n");
  }

  @Test
  void whatIsValidIsSaidInALine() {
    Cli cli =
        Cli.runWith(
            CLAIM.formatted("true").replace("[gpus]", "[gpu]")
                + "---\n{apiVersion: v1, kind: ConfigMap}\n",
            "validate",
            "-");
    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .isEqualTo(
            """
            not checked (kinds that dra4j does not read): 1 ConfigMap (v1)
            1 object in 1 file: valid
            """);
  }

  private static final String CLASS = "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, %s}\n";

  private static final String SLICE =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %s}, spec: {
        driver: d.io, nodeName: node-1, pool: {name: p, generation: 1, resourceSliceCount: 2},
        devices: [{name: d0}]}}
      """;

  static Stream<List<String>> filesOfOneCluster() {
    String claim = CLAIM.formatted("true").replace("[gpus]", "[gpu]");
    String named = CLASS.formatted("metadata: {name: gpu.example.com}, spec: {}");
    return Stream.of(
        List.of("[unique-object]", claim, claim),
        List.of("[unique-object]", named, named.replace("{}", "{selectors: []}")),
        List.of("", claim, named),
        List.of("", claim, claim.replace("name: gpus", "name: more")),
        List.of("[unique-object]", claim, named, claim),
        List.of("[unique-object]", SLICE.formatted("a"), SLICE.formatted("a")));
  }

  /** Each file is a cluster of its own, unless they are to be one. */
  @ParameterizedTest
  @MethodSource("filesOfOneCluster")
  void filesAreOneClusterWhereTheyAreToBe(List<String> files, @TempDir Path directory)
      throws IOException {
    List<String> line = new ArrayList<>(List.of("validate"));
    for (int i = 1; i < files.size(); i++) {
      line.add(Files.writeString(directory.resolve(i + ".yaml"), files.get(i)).toString());
    }
    Cli apart = Cli.run(line.toArray(String[]::new));
    line.add("--together");
    Cli together = Cli.run(line.toArray(String[]::new));

    assertThat(apart.code()).as(apart.out()).isZero();
    assertThat(together.code()).as(together.out()).isEqualTo(files.get(0).isEmpty() ? 0 : 2);
    assertThat(together.out()).contains(files.get(0));
    if (!files.get(0).isEmpty()) {
      assertThat(together.out())
          .contains("the same object is also in " + directory.resolve("1.yaml"));
    }
  }

  @Test
  void selectorsAreThoseOfTheRelease() {
    String claim =
        CLAIM.formatted("device.allowMultipleAllocations == true").replace("[gpus]", "[gpu]");
    assertThat(Cli.runWith(claim, "validate", "-").code()).isZero();
    String beta = claim.replace("resource.k8s.io/v1", "resource.k8s.io/v1beta2");
    assertThat(Cli.runWith(beta, "validate", "--kubernetes", "1.33", "-").out())
        .contains("[selector-expression]");
  }

  @ParameterizedTest
  @CsvSource({
    "resource.k8s.io/v1,       DeviceClass,     1.33, 1.34",
    "resource.k8s.io/v1beta2,  DeviceClass,     1.32, 1.33",
    "resource.k8s.io/v1beta2,  DeviceTaintRule, 1.35, 1.36",
    "resource.k8s.io/v1,       DeviceTaintRule, 1.36, 1.37",
    "resource.k8s.io/v1alpha3, DeviceTaintRule, 1.32, 1.33",
    "scheduling.k8s.io/v1beta1, PodGroup,       1.36, 1.37"
  })
  void versionsOfTheApiAreThoseOfTheRelease(
      String apiVersion, String kind, String without, String with) {
    String object =
        "{apiVersion: %s, kind: %s, metadata: {name: a}, spec: {}}".formatted(apiVersion, kind);
    String problem =
        "apiVersion: %s %s requires Kubernetes %s, but the release is %s [known-version]"
            .formatted(apiVersion, kind, with, without);
    assertThat(Cli.runWith(object, "validate", "--kubernetes", without, "-").out())
        .contains(problem);
    assertThat(Cli.runWith(object, "validate", "--kubernetes", with, "-").out())
        .doesNotContain("[known-version]");
    assertThat(Cli.runWith(object, "validate", "-").out()).doesNotContain("[known-version]");
  }

  @Test
  void programsGetFields() throws IOException {
    Cli cli = Cli.runWith(CLAIM.formatted("true"), "validate", "-o", "json", "-");
    JsonNode answer = new ObjectMapper().readTree(cli.out());
    assertThat(answer.get("valid").asBoolean()).isFalse();
    JsonNode problem = answer.get("problems").get(0);
    assertThat(problem.get("rule").asText()).isEqualTo("request-reference");
    assertThat(problem.get("line").asInt()).isEqualTo(13);
    assertThat(problem.get("near").get(0).asText()).isEqualTo("gpu");
  }

  @Test
  void toolsOfCodeReviewGetSarif() throws IOException {
    Cli cli = Cli.runWith(CLAIM.formatted("true"), "validate", "-o", "sarif", "-");
    assertThat(cli.code()).isEqualTo(2);
    JsonNode run = new ObjectMapper().readTree(cli.out()).get("runs").get(0);
    JsonNode result = run.get("results").get(0);
    assertThat(result.get("ruleId").asText()).isEqualTo("request-reference");
    JsonNode place = result.get("locations").get(0).get("physicalLocation");
    assertThat(place.get("artifactLocation").get("uri").asText()).isEqualTo("standard%20input");
    assertThat(place.get("region").get("startLine").asInt()).isEqualTo(13);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "validate | Missing required parameter",
        "validate --max-problems 0 - | --max-problems: expected at least 1, found 0",
        "validate -o xml - | Invalid value"
      })
  void wrongOptionsAreRefused(String line, String message) {
    Cli cli = Cli.run(line.split(" "));
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains(message);
  }

  @Test
  void aFileThatCannotBeReadIsAProblem(@TempDir Path directory) {
    assertThat(Cli.run("validate", directory.resolve("none.yaml").toString()))
        .satisfies(
            cli -> assertThat(cli.code()).isEqualTo(2),
            cli -> assertThat(cli.out()).contains("none.yaml: no such file [syntax]"));
    assertThat(Cli.run("validate", directory.toString()).out()).contains("is a directory");
  }

  @Test
  void anAnswerThatIsLostIsSaid() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    int code =
        Main.run(
            new ByteArrayInputStream(CLAIM.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            full,
            new ByteArrayOutputStream(),
            "validate",
            "-");
    assertThat(code).isEqualTo(74);
  }

  static Stream<Path> examples() throws IOException {
    try (Stream<Path> cases = Files.list(Path.of("../core/src/test/resources/conformance"));
        Stream<Path> examples = Files.list(Path.of("../examples"))) {
      List<Path> files =
          Stream.concat(cases, examples)
              .filter(file -> file.toString().endsWith(".yaml"))
              .filter(file -> !REFUSED.contains(String.valueOf(file.getFileName())))
              .toList();
      return files.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void examplesAreValid(Path file) {
    Cli cli = Cli.run("validate", file.toString());
    assertThat(cli.out()).endsWith(": valid\n");
    assertThat(cli.code()).isZero();
  }
}
