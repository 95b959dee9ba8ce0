package io.dra4j.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An escape that is half of a character is refused in names as in values, in JSON and YAML. */
class HalfCharacterTest {

  private static ManifestFile read(String labels) throws ManifestException {
    String text =
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"a\", \"labels\": %s}}"
            .formatted(labels);
    return ManifestReader.builder()
        .build()
        .readFile("f", new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"\\ud800\": \"x\"}",
        "{\"a\\udc00\": \"x\"}",
        "{\"\\ud83d\\ud83d\": \"x\"}",
        "{\"\\ude00\\ud83d\": \"x\"}",
        "{\"x\": \"\\ud800\"}",
        "{\"\\ud800\": x}", // YAML
        "{\"a\\udc00\": x}",
        "{x: \"\\ud800\"}",
        "{? \"\\ud800\" : x}",
      })
  void isRefused(String labels) {
    assertThatThrownBy(() -> read(labels))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("half of a character: write both halves or the character");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\\ud83d\\ude80\": \"\\ud83d\\ude80\"}", "{\"\\ud83d\\ude80\": x}"})
  void bothHalvesAreOneCharacter(String labels) throws ManifestException {
    assertThat(read(labels).manifests().get(0).object().metadata().labels()).containsKey("🚀");
  }
}
