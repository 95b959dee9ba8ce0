package io.dra4j.spi.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonRecordsTest {

  enum Mode {
    FAST,
    SAFE
  }

  record Part(@JsonField(required = true) String name, @Nullable Integer size) {
    Part {
      if (size != null && size < 0) {
        throw new IllegalArgumentException("size is " + size + "; expected 0 or more");
      }
    }
  }

  record Whole(
      @Nullable String text,
      @JsonField("n") @Nullable Long number,
      @Nullable Boolean flag,
      @Nullable Double ratio,
      @Nullable Mode mode,
      @Nullable URI home,
      List<Part> parts,
      Map<String, Boolean> features) {}

  record Strict(int count) {}

  private final JsonRecords json = JsonRecords.builder().text(URI.class, URI::create).build();

  @Test
  void everyFieldBecomesAComponent() throws Exception {
    Whole whole =
        json.read(
            """
            {"text": "a", "n": 9223372036854775807, "flag": false, "ratio": 0.5, "mode": "SAFE",
             "home": "https://example.com", "parts": [{"name": "p", "size": 0}],
             "features": {"tso": true}}
            """,
            Whole.class);

    assertThat(whole)
        .isEqualTo(
            new Whole(
                "a",
                Long.MAX_VALUE,
                false,
                0.5,
                Mode.SAFE,
                URI.create("https://example.com"),
                List.of(new Part("p", 0)),
                Map.of("tso", true)));
  }

  @Test
  void whatIsAbsentOrNullIsNullOrEmpty() throws Exception {
    assertThat(json.read("{\"text\": null}", Whole.class))
        .isEqualTo(new Whole(null, null, null, null, null, null, List.of(), Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"text\": 1}|/text: is 1; expected a string",
        "{\"n\": \"1\"}|/n: is \"1\"; expected an integer of 64 bits",
        "{\"n\": 1.0}|/n: is 1.0; expected an integer of 64 bits",
        "{\"n\": 9223372036854775808}|/n: is 9223372036854775808; expected an integer of 64 bits",
        "{\"flag\": \"true\"}|/flag: is \"true\"; expected true or false",
        "{\"flag\": 0}|/flag: is 0; expected true or false",
        "{\"mode\": \"safe\"}|/mode: is \"safe\"; expected one of [FAST, SAFE]",
        "{\"home\": 1}|/home: is 1; expected a string",
        "{\"parts\": {}}|/parts: is {}; expected a list",
        "{\"parts\": [null]}|/parts/0: is null; expected an object",
        "{\"parts\": [{}]}|/parts/0/name: is missing",
        "{\"parts\": [{\"name\": \"a\", \"size\": -1}]}|/parts/0: size is -1; expected 0 or more",
        "{\"features\": {\"a/b~c\": 1}}|/features/a~1b~0c: is 1; expected true or false",
        "{\"text\": \"a\", \"text\": \"b\"}|/text: occurs twice",
        "[]|configuration: is []; expected an object",
        "{\"parts\": [{\"name\": \"a\", \"nam\": 1}]}|/parts/0/nam: is not a known field; known "
            + "are name, size"
      })
  void whatIsWrongIsToldWithItsPlace(String text, String problem) {
    ConfigurationException thrown =
        catchThrowableOfType(ConfigurationException.class, () -> json.read(text, Whole.class));

    assertThat(thrown.problems()).extracting(Object::toString).containsExactly(problem);
  }

  @Test
  void allProblemsAreTold() {
    assertThatThrownBy(() -> json.read("{\"text\": 1, \"x\": 2, \"flag\": 3}", Whole.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("/text", "/x", "/flag");
  }

  @Test
  void primitiveComponentsMustBeThere() {
    assertThatThrownBy(() -> json.read("{\"count\": null}", Strict.class))
        .hasMessage("/count: is missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{\"text\": }`|is not valid JSON at line 1, column 10",
        "`{} {}`|has more content after the JSON value, at line 1, column 4",
        "` `|is null; expected an object",
        "`{\"text\": \"a\",}`|is not valid JSON at line 1",
        "`{text: 1}`|is not valid JSON at line 1"
      })
  void whatIsNoJsonIsToldWithItsPlace(String text, String problem) {
    assertThatThrownBy(() -> json.read(text, Whole.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void aTextOfMoreThanTenKibibytesIsRefused() {
    assertThatThrownBy(() -> json.read(" ".repeat(10 * 1024) + "{}", Whole.class))
        .hasMessage("configuration: has 10242 bytes; expected at most 10240");
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> json.read("[".repeat(5_000), Whole.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("32");
  }
}
