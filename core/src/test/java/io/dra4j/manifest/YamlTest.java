package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.DocumentSink;
import io.dra4j.manifest.internal.json.JsonFields;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.manifest.internal.yaml.YamlDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** YAML means what it means to Kubernetes; the tables were filled by its own libraries. */
class YamlTest {

  private static final String REFUSED = "refused";

  private static Stream<Arguments> table(String name) throws IOException {
    try (InputStream in = YamlTest.class.getResourceAsStream("/manifest/" + name)) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return text
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", 2))
          .map(cells -> Arguments.of(((Json.Text) JsonText.parseValid(cells[0])).value(), cells[1]))
          .toList()
          .stream();
    }
  }

  static Stream<Arguments> scalars() throws IOException {
    return table("yaml-scalars.txt");
  }

  static Stream<Arguments> keys() throws IOException {
    return table("yaml-keys.txt");
  }

  static Stream<Arguments> documents() throws IOException {
    return table("yaml-documents.txt");
  }

  private static List<Json> read(String yaml) throws DocumentException {
    return read(yaml, ManifestLimits.DEFAULT);
  }

  /** Reads all documents, putting together again what comes element by element. */
  private static List<Json> read(String yaml, ManifestLimits limits) throws DocumentException {
    List<Json> documents = new ArrayList<>();
    List<Json> items = new ArrayList<>();
    DocumentSink sink =
        new DocumentSink() {
          @Override
          public void item(Json.Fields head, int index, Json item, long bytes) {
            items.add(item);
          }

          @Override
          public void document(Json document, long bytes) {
            boolean hasItems = !items.isEmpty();
            documents.add(
                hasItems && document instanceof Json.Fields head
                    ? JsonFields.with(head, "items", new Json.Items(List.copyOf(items)))
                    : document);
            items.clear();
          }
        };
    new YamlDocuments(new StringReader(yaml), limits, sink).read();
    return documents;
  }

  private static String sorted(Json value) {
    return JsonText.write(sort(value));
  }

  private static Json sort(Json value) {
    if (value instanceof Json.Fields object) {
      Map<String, Json> fields = new TreeMap<>();
      object.map().forEach((name, field) -> fields.put(name, sort(field)));
      return new Json.Fields(fields);
    }
    return value instanceof Json.Items items
        ? new Json.Items(items.list().stream().map(YamlTest::sort).toList())
        : value;
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("scalars")
  void aScalarMeansWhatItMeansToKubernetes(String scalar, String expected)
      throws DocumentException {
    if (expected.equals(REFUSED)) {
      assertThatThrownBy(() -> read("a: " + scalar)).isInstanceOf(DocumentException.class);
    } else {
      assertThat(JsonText.write(read("a: " + scalar).get(0)))
          .isEqualTo("{\"a\":" + JsonText.write(JsonText.parseValid(expected)) + "}");
    }
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("keys")
  void aKeyBecomesTheTextThatKubernetesMakesOfIt(String key, String expected)
      throws DocumentException {
    if (expected.equals(REFUSED)) {
      assertThatThrownBy(() -> read(key + ": 1")).isInstanceOf(DocumentException.class);
    } else {
      assertThat(JsonText.write(read(key + ": 1").get(0))).isEqualTo("{" + expected + ":1}");
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  void aTextHasTheDocumentsThatKubernetesSees(String yaml, String expected)
      throws DocumentException {
    if (expected.equals(REFUSED)) {
      assertThatThrownBy(() -> read(yaml)).isInstanceOf(DocumentException.class);
    } else {
      List<Json> documents = new ArrayList<>(read(yaml));
      List<Json> wanted = new ArrayList<>(((Json.Items) JsonText.parseValid(expected)).list());
      documents.removeIf(Json.Null.NULL::equals); // empty ones count for nothing
      wanted.removeIf(Json.Null.NULL::equals);
      assertThat(sorted(new Json.Items(documents))).isEqualTo(sorted(new Json.Items(wanted)));
    }
  }

  /** As where files that begin with a mark are put behind each other. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: 1\n---\n\ufeffb: 2\n",
        "a: 1\n\ufeff---\nb: 2\n",
        "\ufeffa: 1\n\ufeff---\n\ufeff# comment\n\ufeffb: 2\n",
        "a: 1\r\n---\r\n\ufeffb: 2\r\n",
        "a: 1 # it's\n---\n\ufeff\n\ufeffb: 2\n",
        "'a': 1\n---\n\ufeff\"b\": 2\n",
      })
  void aByteOrderMarkMayBeginALine(String yaml) throws DocumentException {
    assertThat(read(yaml).stream().map(JsonText::write)).containsExactly("{\"a\":1}", "{\"b\":2}");
  }

  /** Half a token that ends at a tab is not lost: it is refused. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: \"x\\\tb\"\n",
        "a: \"x\\x\tb\"\n",
        "a: |\t\n  foo\n  bar\n",
        "a: !!str\t123\n",
        "a: \"\\UFFFFFFFF\"\n",
      })
  void aTabInATokenIsRefused(String yaml) {
    assertThatThrownBy(() -> read(yaml)).isInstanceOf(DocumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: \"x\\\"\n\ufeffy\"\n", "a: 'x''\n\ufeffy'\n"})
  void aByteOrderMarkInQuotesIsText(String yaml) throws DocumentException {
    assertThat(JsonText.write(read(yaml).get(0))).contains("\ufeffy");
  }

  /** In a block scalar a mark ends the text, as for Kubernetes, if it stands before the indent. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: |\n  x\n\ufeff  y\n",
        "a: |\n\ufeff  x\n",
        "a: >-\n  x\n\ufeff\n  y\n",
        "a:\n- |\n  x\n\ufeff\ty\n",
        "a: x\n\ufeff  y\n",
      })
  void aByteOrderMarkInAScalarIsNotDropped(String yaml) {
    assertThatThrownBy(() -> read(yaml)).isInstanceOf(DocumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"'|', 'x\\n\ufeffy\\n'", "'>-', 'x \ufeffy'", "'|2', 'x\\n\ufeffy\\n'"})
  void aByteOrderMarkBehindTheIndentIsText(String header, String text) throws DocumentException {
    String yaml = "a: " + header + "\n  x\n  \ufeffy\n\ufeffb: 2\n";
    assertThat(JsonText.write(read(yaml).get(0))).isEqualTo("{\"a\":\"" + text + "\",\"b\":2}");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefusedUnlessItWasMerged() throws DocumentException {
    assertThatThrownBy(() -> read("a:\n  b: 1\n  c: 2\n  b: 3\n"))
        .hasMessage("line 4, column 3: duplicate field \"b\"");
    assertThatThrownBy(() -> read("yes: 1\ny: 2\n")).hasMessageContaining("\"true\"");
    assertThatThrownBy(() -> read("{<<: {a: 1}, a: 2, a: 3}")).hasMessageContaining("\"a\"");
    assertThat(read("{<<: {a: 1}, a: 2}")).hasSize(1);
  }

  @Test
  void aMisplacedDirectiveTagOrAnchorIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> read("%YAML 1.1\n---\na: 1")).hasMessageContaining("%YAML directive");
    assertThatThrownBy(() -> read("--- {a: 1}"))
        .hasMessage("line 1, column 5: expected a new line after ---");
    assertThatThrownBy(() -> read("a: &x?y 1")).hasMessageContaining("anchor");
    assertThatThrownBy(() -> read("a: 1\nb: *c"))
        .hasMessage("line 2, column 4: unknown anchor \"c\"");
    assertThatThrownBy(() -> read("a: &x [*x]"))
        .hasMessage("line 1, column 8: anchor \"x\" contains itself");
  }

  @Test
  void anAnchorIsForgottenAtTheEndOfItsDocument() {
    assertThatThrownBy(() -> read("a: &x 1\n---\nb: *x\n")).hasMessageContaining("unknown anchor");
  }

  @Test
  void aliasesAreLimitedByTheMemoryOfWhatTheyRepeatNotByTheirNumber() throws DocumentException {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String aliases = "*a%d, ".formatted(i - 1).repeat(10);
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, aliases));
    }
    assertThatThrownBy(() -> read(bomb.toString()))
        .hasMessageContaining("line 5, column 5: anchors keep more than 4194304 bytes of memory");
    String many = "a: &a x\nb: [" + "*a, ".repeat(100_000) + "]\n";
    assertThat(read(many)).hasSize(1);
    ManifestLimits few = new ManifestLimits(1000, 10, 400);
    assertThat(read("a: &a [1, 2, 3, 4]\nb: *a\n", few)).hasSize(1);
    assertThatThrownBy(() -> read("a: &a [1, 2, 3, 4]\nb: *a\n---\na: &a 1\nb: *a\n", few))
        .hasMessage("line 5, column 4: aliases repeat more than 400 bytes in this file");
  }

  @Test
  void aliasesCannotNestDeeperThanTheLimit() {
    StringBuilder tower = new StringBuilder("a0: &a0 []\n");
    for (int i = 1; i < 200; i++) {
      tower.append("a%d: &a%d [*a%d]\n".formatted(i, i, i - 1));
    }
    assertThatThrownBy(() -> read(tower.toString()))
        .hasMessage("line 100, column 12: nested deeper than 100 levels");
  }

  @Test
  void deepNestingIsRefusedBeforeItCostsAnything() {
    for (String open : new String[] {"[", "{a: ", "- ", "? "}) {
      assertThatThrownBy(() -> read(open.repeat(200_000)))
          .hasMessageContaining("nested deeper than 100 levels");
    }
  }

  @Test
  void anObjectTakesALimitedAmountOfMemory() {
    for (String part :
        new String[] {"1,", "[],", "{},", "x: y,", "\"" + "z".repeat(1000) + "\","}) {
      assertThatThrownBy(() -> read("[" + part.repeat(13_000_000 / part.length()) + "]"))
          .hasMessageContaining("an object takes more than 12582912 bytes of memory");
    }
  }

  @Test
  void aTextThatAnchorsHoldCountsWithEachAlias() {
    String text = "a: &a " + "x".repeat(100_000) + "\nb: [" + "*a, ".repeat(30_000) + "]\n";
    assertThatThrownBy(() -> read(text))
        .hasMessageStartingWith("line 2, column ")
        .hasMessageContaining("an object takes more than 12582912 bytes of memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: @x",
        "a: '@",
        "a: \"@",
        "a: |\n  @",
        "#@",
        "&@",
        "*@",
        "!@",
        "%@",
        "@\n",
        "- |\n@\n"
      })
  void aTextHasALimitedLength(String shape) {
    String filler = shape.contains("@\n") ? "\n" : "x";
    assertThatThrownBy(() -> read(shape.replace("@", filler.repeat(8_000_000))))
        .hasMessageContaining("is longer than 1572864 characters");
  }

  @Test
  void aTextOfTheGreatestLengthIsRead() throws DocumentException {
    String text = "x".repeat(1_500_000);
    assertThat(read("a: " + text + "\n").get(0)).isEqualTo(fields("a", text));
    assertThat(read("a: |\n" + "  xxxx\n".repeat(300_000)).get(0))
        .isEqualTo(fields("a", "xxxx\n".repeat(300_000)));
  }

  private static Json fields(String name, String text) {
    return new Json.Fields(Map.of(name, new Json.Text(text)));
  }

  @Test
  void directivesAreLimitedInNumber() {
    assertThatThrownBy(() -> read("%TAG !a! tag:a\n".repeat(101) + "---\na: b\n"))
        .hasMessageMatching(".*(more than 100 directives|duplicate tag handle).*");
  }
}
