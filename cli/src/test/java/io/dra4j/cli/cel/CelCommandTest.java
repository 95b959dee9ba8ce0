package io.dra4j.cli.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import io.dra4j.cli.terminal.InputLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelCommandTest {

  private static String line(String expression) {
    return "{\"expression\": \"%s\", \"driver\": \"d\", \"device\": {\"attributes\": {\"x\": {\"int\": 1}}}}\n"
        .formatted(expression);
  }

  @Test
  void everyLineIsAnswered() {
    Cli cli =
        Cli.runWith(
            line("device.attributes['d'].x == 1")
                + "\n"
                + line("device.attributes['d'].x == 2")
                + line("device.nope")
                + line("device.attributes['d'].y == 1"),
            "cel");
    assertThat(cli.code()).isZero();
    assertThat(cli.out().lines().toList())
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("{\"actualCost\":5,\"match\":true,\"maxCost\":5}"),
            second ->
                assertThat(second).isEqualTo("{\"actualCost\":5,\"match\":false,\"maxCost\":5}"),
            third -> assertThat(third).startsWith("{\"compileError\":"),
            fourth ->
                assertThat(fourth)
                    .isEqualTo(
                        "{\"actualCost\":5,\"evalError\":\"no such key: y\",\"maxCost\":5}"));
  }

  @Test
  void whatTheApiServerWouldRefuseAsTooCostlyIsMarked() {
    String expression = "device.attributes['d'].x.split(',').join('-') == ''";
    Cli cli = Cli.runWith(line("type(device.attributes['d'].x) == int") + line(expression), "cel");
    assertThat(cli.out().lines().toList())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isEqualTo(
                        "{\"actualCost\":6,\"match\":true,\"maxCost\":1844674407370955270,"
                            + "\"overLimit\":true}"),
            second -> assertThat(second).contains("evalError").endsWith(",\"overLimit\":true}"));
  }

  @Test
  void theEnvironmentOfNewExpressionsCanBeChosen() {
    Cli cli = Cli.runWith(line("[1].includes(1)"), "cel", "--env", "new");
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).contains("\"match\":true");
    assertThat(Cli.runWith("", "cel", "--env", "old").code()).isEqualTo(2);
  }

  @Test
  void aBrokenLineIsNamed() {
    Cli cli = Cli.runWith(line("true") + "{\n", "cel");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines()).singleElement().asString().startsWith("dra4j: standard input:2:2: ");
    Cli type =
        Cli.runWith(
            "{\"expression\": \"true\", \"device\": {\"attributes\": {\"x\": {\"int\": \"1\"}}}}",
            "cel");
    assertThat(type.code()).isEqualTo(2);
    assertThat(type.err())
        .startsWith("dra4j: standard input:1:63: device.attributes[x].int: expected an integer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5                                       | 1:1: the line: expected an object, found a number
          ["true"]                                | 1:1: the line: expected an object, found a list
          "true"                                  | 1:1: the line: expected an object, found a string
          null                                    | 1:1: the line: expected an object, found null
          {}                                      | 1:1: expression: required
          {"driver": "d"}                         | 1:1: expression: required
          {"expression": null}                    | 1:1: expression: required
          {"expression": 5}                       | 1:16: expression: expected a string, found a number
          {"driver": {}}                          | 1:12: driver: expected a string, found an object
          {"driver": true}                        | 1:12: driver: expected a string, found true or false
          {"device": "gpu-0"}                     | 1:12: device: expected an object, found a string
          {"expression": "true"} {}               | 1:24: expected the end of the line after the object
          {"expression": "a", "expression": "b"}  | 1:21: expression: duplicate field
          {"expression": "a", "device": {"b": 1, "b": 2}} | 1:40: device: duplicate field "b"
          """)
  void aValueOfAnotherTypeIsRefused(String line, String message) {
    Cli cli = Cli.runWith(line + "\n", "cel");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines()).containsExactly("dra4j: standard input:" + message);
  }

  @Test
  void aBadLineIsAnsweredAndTheNextOnesGoOn() {
    byte[] input =
        (line("true") + "{\n\n\u00ff\n" + line("false")).getBytes(StandardCharsets.ISO_8859_1);
    Cli cli = Cli.runWith(input, "cel");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out().lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("\"match\":true"),
            second -> assertThat(second).startsWith("{\"error\":\"Unexpected end-of-input"),
            third -> assertThat(third).isEqualTo("{\"error\":\"byte 0xFF is not UTF-8 text\"}"),
            fourth -> assertThat(fourth).contains("\"match\":false"));
    assertThat(cli.errLines())
        .last()
        .isEqualTo("dra4j: standard input:4:1: byte 0xFF is not UTF-8 text");
  }

  @Test
  void fieldsThatThereAreNotAreTold() {
    Cli cli =
        Cli.runWith(
            "{\"expression\":\"true\",\"drivr\":\"d\",\"device\":{\"attribtes\":{}}}\n", "cel");
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).contains("\"match\":true");
    assertThat(cli.errLines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "dra4j: warning: standard input:1:22: drivr: unknown field; did you mean driver"),
            device ->
                assertThat(device)
                    .contains("standard input:1:44: device.attribtes: unknown field"));
  }

  /**
   * Written here with ~ for a backslash, of which Java makes characters before it reads anything.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'~ud800' == '~ufffd'",
        "'a~uD800b~uDe00' == 'a~ufffdb~ufffd'",
        "'~ud800~ud83d~ude00~ud83d' == '~ufffd~ud83d~ude00~ufffd' && '~ud83d~ude00'.size() == 1",
        "'~~~~ud800'.size() == 6 && device.driver == '~ufffd'",
        "device.attributes['~ufffd'].b == '~ufffd~ufffd' || '~ufffd' in device.attributes",
      })
  void halvesOfCharactersAreReadAsGoReadsThem(String expression) {
    String line =
        "{'expression':%s,'driver':'~udc00','device':{'attributes':{'b':{'string':'~ud800~ud800'}}}}"
            .replace('\'', '"')
            .formatted('"' + expression + '"')
            .replace('~', '\\');
    Cli cli = Cli.runWith(line + "\n", "cel");
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).contains("\"match\":true");
  }

  @Test
  void aLineWithoutEndIsNotKept() {
    Cli cli = Cli.runWith(" ".repeat(InputLines.MAX_BYTES + 1) + "\n" + line("true"), "cel");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.out()).contains("has 4194305 bytes, more than 4194304").contains("\"match\"");
  }

  @Test
  void theFirstLineOfAnExplanationNamesTheMistake() {
    Cli cli = Cli.runWith(line("device.attributes['e'].x == 1 && true"), "cel", "--explain");
    assertThat(cli.code()).isZero();
    assertThat(cli.out().lines())
        .containsExactly(
            "line 1: error: this device has no attributes in the domain \"e\": write"
                + " device.attributes[\"d\"].x",
            "  * error   device.attributes['e'].x == 1 && true",
            "    * error   device.attributes['e'].x == 1",
            "                device.attributes[\"e\"].x = not there",
            "                no such key: x",
            "      true    true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      textBlock =
          """
          (false || 2 > 3) || 1 > 2   -> false || 2 > 3
          (true && 2 < 3) && 1 < 2    -> true && 2 < 3
          1 > 2 || (false || 2 > 3)   -> false || 2 > 3
          ((1 > 2 || (false))) || 2 > 3 -> 1 > 2 || (false)
          """)
  void conditionsInBracketsAreExplainedOneByOne(String expression, String inBrackets) {
    Cli cli = Cli.runWith(line(expression), "cel", "--explain");
    assertThat(cli.code()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out().lines())
        .anyMatch(line -> line.endsWith(" " + inBrackets))
        .hasSize(6)
        .allSatisfy(
            line ->
                assertThat(line.replace("(", ""))
                    .hasSize(line.length() - line.replaceAll("[^)]", "").length()));
  }

  @Test
  void theCostliestConditionIsFoundBehindBrackets() {
    String costly = "lists.range(1000).all(x, lists.range(1000).all(y, x < y))";
    Cli cli = Cli.runWith(line("(true && " + costly + ") && true"), "cel", "--admission");
    assertThat(cli.code()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out().lines().toList())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("line 1: over the limit: "),
            second ->
                assertThat(second).startsWith("  1:10: most of it, ").endsWith(": " + costly));
  }

  @Test
  void anExplanationIsJsonOnRequest() {
    Cli cli = Cli.runWith(line("device.attributes['d'].x > 1"), "cel", "--explain", "-o", "json");
    assertThat(cli.out())
        .isEqualToIgnoringNewLines(
            "{\"expression\":{\"decides\":true,\"readings\":{\"device.attributes[\\\"d\\\"].x\":\"1\"},"
                + "\"text\":\"device.attributes['d'].x > 1\",\"verdict\":\"false\"},\"hints\":[],"
                + "\"summary\":\"false: device.attributes['d'].x > 1, where"
                + " device.attributes[\\\"d\\\"].x is 1\",\"verdict\":\"false\"}");
  }

  @Test
  void anEvaluationEndsWithItsTime() {
    String loops = "lists.range(900).all(x, lists.range(900).all(y, x + y >= 0))";
    Cli cli = Cli.runWith(line(loops) + line("true"), "cel", "--timeout", "0s");
    assertThat(cli.code()).isEqualTo(4);
    assertThat(cli.out()).startsWith("{\"error\":\"");
    assertThat(Cli.runWith(line("true"), "cel", "-o", "text").code()).isEqualTo(2);
  }

  @Test
  void whatIsMissingOrNullHasItsDefault() {
    String line = "{\"expression\": \"device.driver == ''\", \"driver\": null}\n";
    assertThat(Cli.runWith(line, "cel").out()).contains("\"match\":true");
  }

  @Test
  void aReleaseOfKubernetesDecidesWhatNewExpressionsMayUse() {
    String line = line("!device.allowMultipleAllocations");
    assertThat(Cli.runWith(line, "cel", "--env", "new", "--kubernetes", "1.36").out())
        .contains("\"match\":true");
    assertThat(Cli.runWith(line, "cel", "--env", "new", "--kubernetes", "1.35").out())
        .contains("undefined field 'allowMultipleAllocations'");
    String gate = "DRAConsumableCapacity=true";
    assertThat(
            Cli.runWith(line, "cel", "--env", "new", "--kubernetes", "1.35", "--features", gate)
                .out())
        .contains("\"match\":true");
    Cli stored = Cli.runWith(line, "cel", "--kubernetes", "1.35", "--features", gate);
    assertThat(stored.code()).isEqualTo(2);
    assertThat(stored.err()).contains("--features requires --env new");
  }

  @Test
  void aReleaseOfKubernetesDecidesWhichFunctionsThereAre() {
    String field = line("!device.allowMultipleAllocations");
    assertThat(Cli.runWith(field, "cel", "--kubernetes", "1.34").out()).contains("\"match\":true");
    assertThat(Cli.runWith(field, "cel", "--kubernetes", "1.33").out())
        .contains("undefined field 'allowMultipleAllocations'");
    String list = line("[2, 1].sort() == [1, 2]");
    assertThat(Cli.runWith(list, "cel", "--kubernetes", "1.34").out()).contains("\"match\":true");
    assertThat(Cli.runWith(list, "cel", "--kubernetes", "1.33", "--env", "new").out())
        .contains("undeclared reference to 'sort'");
  }

  private static final String COSTLY = "lists.range(1000).all(x, lists.range(1000).all(y, x < y))";

  @Test
  void theAdmissionOfTheApiServerIsToldInLines() {
    Cli cli =
        Cli.runWith(
            line("device.driver == 'd'") + line("true && " + COSTLY) + line("device.nope"),
            "cel",
            "--admission");
    assertThat(cli.code()).isZero();
    assertThat(cli.out().lines().toList())
        .hasSize(5)
        .satisfies(
            lines ->
                assertThat(lines.get(0)).isEqualTo("line 1: accepted: costs at most 3 of 1000000"))
        .satisfies(
            lines -> assertThat(lines.get(1)).startsWith("line 2: over the limit: costs at most "))
        .satisfies(
            lines -> assertThat(lines.get(2)).startsWith("  1:9: most of it, ").endsWith(COSTLY))
        .satisfies(lines -> assertThat(lines.get(3)).isEqualTo("line 3: refused"))
        .satisfies(lines -> assertThat(lines.get(4)).isEqualTo("  1:7: undefined field 'nope'"));
  }

  @Test
  void theAdmissionOfTheApiServerIsToldAsJson(@TempDir Path directory) throws IOException {
    Path slices = directory.resolve("slices.yaml");
    Files.writeString(
        slices,
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s}
        spec:
          driver: d
          nodeName: node-1
          pool: {name: node-1, generation: 1, resourceSliceCount: 1}
          devices:
          - name: a
            attributes: {model: {string: A100}}
        """);
    Cli cli =
        Cli.runWith(
            line("device.attributes['d'].modle == 'A100'") + line("1 + 'a'") + line(COSTLY),
            "cel",
            "--admission",
            "-o",
            "json",
            "--slices",
            slices.toString());
    assertThat(cli.code()).isZero();
    List<String> lines = cli.out().lines().toList();
    assertThat(lines.get(0))
        .contains("\"verdict\":\"accepted\"", "\"kind\":\"unknown-name\"", "\"never-true\"");
    assertThat(lines.get(1))
        .contains("\"verdict\":\"refused\"", "{\"column\":3,\"length\":1,\"line\":1,");
    assertThat(lines.get(2))
        .contains("\"verdict\":\"overLimit\"", "\"excess\":", "\"costliest\":{");
  }

  /** Kubernetes reads names in backticks since 1.37. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "device.`driver` == ''",
        "device.attributes['d.io'].`my-attr` == 1",
        "{'my-key': true}.`my-key`",
        "device.attributes[''].`a.b/c` == 1 || device.driver == ''"
      })
  void namesInBackticksAreRefusedBefore137(String expression) {
    for (String version : List.of("1.33", "1.34", "1.36")) {
      assertThat(Cli.runWith(line(expression), "cel", "--kubernetes", version).out())
          .as(version)
          .contains("{\"compileError\":\"compilation failed: ", "unsupported syntax: '`'");
    }
    for (String version : List.of("1.37", "1.38")) {
      assertThat(Cli.runWith(line(expression), "cel", "--kubernetes", version).out())
          .as(version)
          .doesNotContain("compileError");
    }
    assertThat(Cli.runWith(line("'`' != device.driver"), "cel", "--kubernetes", "1.34").out())
        .contains("\"match\":true");
  }

  /** The API server's environment for new objects is not that of stored ones. */
  @Test
  void theAdmissionIsThatOfNewObjects() {
    String field = line("device.allowMultipleAllocations == true");
    String[] of134 = {"cel", "--admission", "--kubernetes", "1.34"};
    assertThat(Cli.runWith(field, of134).out()).startsWith("line 1: refused");
    assertThat(Cli.runWith(field, "cel", "--admission", "--kubernetes", "1.36").out())
        .startsWith("line 1: accepted");
    assertThat(
            Cli.runWith(
                    field,
                    "cel",
                    "--admission",
                    "--kubernetes",
                    "1.34",
                    "--features",
                    "ConsumableCapacity")
                .out())
        .startsWith("line 1: accepted");
    assertThat(
            Cli.runWith(field, "cel", "--admission", "--kubernetes", "1.34", "--env", "stored")
                .out())
        .startsWith("line 1: accepted");
  }

  @Test
  void slicesAreReadForTheAdmissionOnly(@TempDir Path directory) {
    assertThat(Cli.runWith("", "cel", "--slices", "x").code()).isEqualTo(2);
    assertThat(Cli.runWith("", "cel", "--admission", "--explain").code()).isEqualTo(2);
    Cli missing =
        Cli.runWith("", "cel", "--admission", "--slices", directory.resolve("x").toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.errLines()).hasSize(1);
  }

  private static final String PUBLISHED =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {
        driver: gpu.example.com, nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1},
        devices: [{name: gpu-0, attributes: {model: {string: a}}}, {name: gpu-1, attributes: {model: {string: b}}}]}}
      """;

  @Test
  void aSelectorIsExplainedOnTheDevicesOfSlices(@TempDir Path directory) throws IOException {
    String file = Files.writeString(directory.resolve("s.yaml"), PUBLISHED).toString();
    String selector = "device.attributes['gpu.example.com'].model = 'a'";
    Cli all = Cli.run("cel", "--explain", "--expression", selector, "--slices", file);
    assertThat(all.code()).isZero();
    assertThat(all.out().lines().filter(line -> line.startsWith("gpu.example.com/")))
        .containsExactly(
            "gpu.example.com/n1/gpu-0: refused: CEL writes == for =: write"
                + " device.attributes['gpu.example.com'].model == 'a'",
            "gpu.example.com/n1/gpu-1: refused: CEL writes == for =: write"
                + " device.attributes['gpu.example.com'].model == 'a'");

    String right = selector.replace("=", "==");
    for (String name : new String[] {"gpu-1", "gpu.example.com/n1/gpu-1"}) {
      Cli one =
          Cli.run(
              "cel",
              "--explain",
              "--expression",
              right,
              "--slices",
              file,
              "--device",
              name,
              "-o",
              "json");
      assertThat(one.out().lines())
          .singleElement()
          .asString()
          .startsWith("{\"device\":\"gpu.example.com/n1/gpu-1\"")
          .endsWith("\"verdict\":\"false\"}");
    }
    Cli none =
        Cli.run("cel", "--explain", "--expression", right, "--slices", file, "--device", "gpu-7");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("--device: the slices have no device gpu-7");
    assertThat(Cli.run("cel", "--expression", right).err())
        .contains("--expression requires --explain and --slices");
    assertThat(Cli.run("cel", "--explain", "--device", "gpu-1").err())
        .contains("--device requires --expression");
  }
}
