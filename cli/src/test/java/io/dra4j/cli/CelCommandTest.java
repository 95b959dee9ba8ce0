package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertThat(cli.errLines())
        .singleElement()
        .asString()
        .startsWith("dra4j: standard input: line 2: ");
    Cli type = Cli.runWith("{\"device\": {\"attributes\": {\"x\": {\"int\": \"1\"}}}}", "cel");
    assertThat(type.code()).isEqualTo(2);
    assertThat(type.err()).contains("spec.devices[0].attributes[x].int: expected an integer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5                             | the line: expected object, found number
          ["true"]                      | the line: expected object, found array
          {"expression": 5}             | expression: expected string, found number
          {"driver": {}}                | driver: expected string, found object
          {"device": "gpu-0"}           | device: expected object, found string
          """)
  void aValueOfAnotherTypeIsRefused(String line, String message) {
    Cli cli = Cli.runWith(line + "\n", "cel");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines()).containsExactly("dra4j: standard input: line 1: " + message);
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
    Cli stored = Cli.runWith(line, "cel", "--kubernetes", "1.35");
    assertThat(stored.code()).isEqualTo(2);
    assertThat(stored.err()).contains("--kubernetes and --features are for --env new");
  }
}
