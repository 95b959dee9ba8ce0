package io.dra4j.manifest.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.SourcePosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of texts that are no objects of Kubernetes, and where their parts stand. */
class PlacedValueTest {

  private static final String YAML =
      """
      # of a rail
      interface: {name: gpu0, "a/b": 1}
      routes:
      - destination: 10.0.0.0/8
      - gateway: 10.0.0.1
        scope: 253
      """;

  @Test
  void yamlBecomesJson() throws ManifestException {
    assertThat(PlacedValue.read("x", YAML).toJson())
        .isEqualTo(
            "{\"interface\":{\"name\":\"gpu0\",\"a/b\":1},\"routes\":[{\"destination\":\"10.0.0.0/8\"},"
                + "{\"gateway\":\"10.0.0.1\",\"scope\":253}]}");
  }

  @Test
  void jsonStaysAsItIs() throws ManifestException {
    String json = " {\"a\": 1.50,\n \"a\": [{\"b\": null}]} ";

    PlacedValue value = PlacedValue.read("x", json);

    assertThat(value.toJson()).isEqualTo(json);
    assertThat(value.problem("/a", "is there twice").place()).isEqualTo(new SourcePosition(1, 3));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 2, 1",
    "/interface/name, 2, 13",
    "/interface/a~1b, 2, 25",
    "/routes, 3, 1",
    "/routes/1, 5, 3",
    "/routes/1/scope, 6, 3",
    "/routes/1/via/0, 5, 3",
    "/routes/9/gateway, 3, 1",
    "/none, 2, 1"
  })
  void partsHavePlaces(String pointer, int line, int column) throws ManifestException {
    assertThat(PlacedValue.read("x.yaml", YAML).problem(pointer, "is wrong").place())
        .isEqualTo(new SourcePosition(line, column));
  }

  @Test
  void problemIsOneLine() throws ManifestException {
    assertThat(PlacedValue.read("x.yaml", YAML).problem("/routes/1/scope", "is wrong"))
        .hasToString("x.yaml:6:3: /routes/1/scope: is wrong");
  }

  @Test
  void listNamedItemsIsKept() throws ManifestException {
    assertThat(PlacedValue.read("x", "items: [1, {a: 2}]\nb: 3").toJson())
        .isEqualTo("{\"items\":[1,{\"a\":2}],\"b\":3}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'# nothing' | x: is empty",
        "'a: 1\n---\nb: 2' | x:3:1: a second value: expected one",
        "'{\"a\": 1} {}' | x:1:10: a second value: expected one",
        "'a: 1\nb: 2\na: 3' | x:3:1: duplicate field \"a\"",
        "'a:\n  - [b' | x:2:7: ",
      })
  void otherTextsAreRefused(String text, String message) {
    assertThatThrownBy(() -> PlacedValue.read("x", text.replace("\\n", "\n")))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith(message);
  }
}
