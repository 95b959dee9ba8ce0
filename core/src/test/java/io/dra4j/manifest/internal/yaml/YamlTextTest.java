package io.dra4j.manifest.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.DocumentSink;
import io.dra4j.manifest.internal.json.JsonText;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written as YAML is read as what it was. */
class YamlTextTest {

  private static final List<String> PIECES =
      List.of(
          "a",
          "B",
          "0",
          "1",
          "9",
          "x",
          "o",
          "b",
          "e",
          "E",
          "_",
          "-",
          "+",
          ".",
          ":",
          ": ",
          " #",
          "#",
          " ",
          "  ",
          "\n",
          "\n\n",
          "\t",
          "\r",
          "'",
          "\"",
          "\\",
          "{",
          "}",
          "[",
          "]",
          ",",
          "&",
          "*",
          "!",
          "|",
          ">",
          "%",
          "@",
          "`",
          "?",
          "? ",
          "- ",
          "<<",
          "=",
          "~",
          "y",
          "no",
          "null",
          "true",
          ".inf",
          "é",
          "☃",
          "\ud83d\ude00",
          "\u0000",
          "\u0007",
          "\u0085",
          "\u00a0",
          "\u2028",
          "\u202e",
          "\udb40\udc01",
          "\ufeff",
          "---",
          "...",
          "\n ",
          " \n",
          "\n\t");

  private static Json read(String yaml) throws DocumentException {
    List<Json> documents = new ArrayList<>();
    DocumentSink sink =
        new DocumentSink() {
          @Override
          public void item(Json.Fields head, int index, Json item, long bytes) {
            throw new AssertionError("not a list");
          }

          @Override
          public void document(Json document, long bytes) {
            documents.add(document);
          }
        };
    new YamlDocuments(new StringReader(yaml), ManifestLimits.DEFAULT, sink).read();
    return documents.get(0);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "gpu-0|gpu-0",
        "device.driver == \"x\" && y|device.driver == \"x\" && y",
        "10Gi|10Gi",
        "1.2.3|1.2.3",
        "0000:8f:00.0|0000:8f:00.0",
        "resource.kubernetes.io/pcieRoot|resource.kubernetes.io/pcieRoot",
        "a b|a b",
        "``|\"\"",
        "yes|\"yes\"",
        "n|\"n\"",
        "017|\"017\"",
        "1e3|\"1e3\"",
        "1_0|\"1_0\"",
        ".5|\".5\"",
        ".nan|\".nan\"",
        "~|\"~\"",
        "<<|\"<<\"",
        "12:30|\"12:30\"",
        "0000:45:00.0|\"0000:45:00.0\"",
        "2026-01-31|\"2026-01-31\"",
      })
  void onlyTextThatCouldBeMistakenIsQuoted(String text, String yaml) throws DocumentException {
    Json value = new Json.Fields(Map.of("x" + text, new Json.Text(text)));
    assertThat(YamlText.write(value)).endsWith(": " + yaml + "\n");
    assertThat(read(YamlText.write(value))).isEqualTo(value);
  }

  @Test
  void whatTurnsTheDirectionOfWritingIsEscaped() throws DocumentException {
    String text = "a\u202e\\\nb\u2066\u001b[31m\u007f\u0085\u2028é\udb40\udc01";
    Json value = new Json.Fields(Map.of(text, new Json.Text(text)));

    String yaml = YamlText.write(value);
    String json = JsonText.writePretty(value);

    assertThat(yaml).contains("\"a\\u202E\\\\\\nb\\u2066\\e[31m").contains("é\\U000E0001\"");
    assertThat(json).contains("\"a\\u202E\\\\\\nb\\u2066\\u001B[31m\\u007F\\u0085\\u2028é");
    assertThat(read(yaml)).isEqualTo(value);
    assertThat(JsonText.parseValid(json)).isEqualTo(value);
  }

  @Test
  void valuesOfEveryTypeAreWrittenInBlocks() throws DocumentException {
    String json =
        "{\"a\":{\"b\":[1,[true,null],{}],\"c\":[]},\"d\":\"two\\nlines\\n\",\"e\":{\"f\":-1.5e3}}";
    String yaml =
        """
        a:
          b:
          - 1
          - - true
            - null
          - {}
          c: []
        d: |
          two
          lines
        e:
          f: -1.5e3
        """;
    assertThat(YamlText.write(JsonText.parseValid(json))).isEqualTo(yaml);
    assertThat(JsonText.write(read(yaml))).isEqualTo(json.replace("-1.5e3", "-1500"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyTextReadsBackAsItself(long seed) throws DocumentException {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      Json value = value(random);
      String yaml = YamlText.write(value);
      assertThat(read(yaml)).as("seed %d, round %d:%n%s", seed, i, yaml).isEqualTo(value);
    }
  }

  private static Json value(SplittableRandom random) {
    Map<String, Json> fields = new LinkedHashMap<>();
    fields.put(text(random), new Json.Text(text(random)));
    fields.put(
        text(random),
        new Json.Items(List.of(new Json.Text(text(random)), new Json.Text(text(random)))));
    fields.put("last", new Json.Text(text(random)));
    return new Json.Fields(fields);
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i >= 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }
}
