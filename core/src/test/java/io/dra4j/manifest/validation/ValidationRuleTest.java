package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ReadingRules;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.model.SelectorException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule has documents that break it, in each version, and one that keeps all rules. */
class ValidationRuleTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> VERSIONS = List.of("v1", "v1beta2", "v1beta1");

  /** Knows {@code broken} and {@code dear} expressions. */
  private static final SelectorCompiler COMPILER =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) throws SelectorException {
          check(expression);
          return new CompiledSelector() {
            @Override
            public boolean matches(String driver, io.dra4j.model.Device device) {
              return true;
            }

            @Override
            public OptionalLong estimate() {
              return OptionalLong.of(expression.equals("dear") ? -1 : 1_000_000);
            }
          };
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) throws SelectorException {
          check(expression);
          return new CompiledAttribute() {
            @Override
            public io.dra4j.model.DeviceAttribute evaluate(
                String driver, io.dra4j.model.Device device) {
              throw new UnsupportedOperationException();
            }

            @Override
            public OptionalLong estimate() {
              return OptionalLong.of(expression.equals("dear") ? -1 : 1_000_000);
            }
          };
        }

        private void check(String expression) throws SelectorException {
          if (expression.equals("broken")) {
            throw new SelectorException("broken");
          }
        }
      };

  private static final ManifestValidator VALIDATOR = ManifestValidator.create(COMPILER);

  /** A line of rules.txt in one version. */
  record Case(String rule, String object, String path, String value, String version) {}

  static Stream<Case> cases() throws IOException {
    return lines().stream()
        .flatMap(
            line -> {
              String except = line.replaceFirst(".* !(v1[a-z0-9]*)$", "$1");
              String[] words = line.replaceFirst(" !v1[a-z0-9]*$", "").split(" ", 4);
              return VERSIONS.stream()
                  .filter(version -> !version.equals(except))
                  .filter(version -> !words[1].equals("rule") || !version.equals("v1beta1"))
                  .map(version -> new Case(words[0], words[1], words[2], words[3], version));
            });
  }

  private static List<String> lines() throws IOException {
    return new String(resource("rules.txt"), UTF_8)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = ValidationRuleTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  /** The objects of valid.yaml. */
  private static Map<String, ObjectNode> valid() throws Exception {
    Map<String, ObjectNode> objects = new LinkedHashMap<>();
    for (Manifest one :
        ManifestReader.create()
            .read("valid.yaml", new ByteArrayInputStream(resource("valid.yaml")))) {
      String name = one.object().metadata().name();
      objects.put(name.startsWith("gpu") ? "class" : name, (ObjectNode) one.source());
    }
    return objects;
  }

  private static ObjectNode valid(String name) throws Exception {
    return Objects.requireNonNull(valid().get(name));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anObjectThatBreaksARuleIsRefusedInEachVersion(Case one) throws Exception {
    ObjectNode object = valid(one.object());
    change(object, List.of(path(one.path())), one.value());
    List<ValidationProblem> problems = problems(inVersion(object, one.version()));
    assertThat(problems).extracting(problem -> problem.rule().id()).contains(one.rule());
    assertThat(problems).allSatisfy(found -> assertThat(found.place().line()).isEqualTo(1));
  }

  @ParameterizedTest
  @CsvSource({"v1", "v1beta2", "v1beta1"})
  void anObjectThatKeepsAllRulesIsTakenInEachVersion(String version) throws Exception {
    for (ObjectNode object : valid().values()) {
      if (!version.equals("v1beta1") || !object.get("kind").asText().equals("DeviceTaintRule")) {
        assertThat(problems(inVersion(object, version))).isEmpty();
      }
    }
  }

  @Test
  void eachRuleHasACase() throws IOException {
    Set<String> covered = new LinkedHashSet<>();
    lines().forEach(line -> covered.add(line.substring(0, line.indexOf(' '))));
    // These are about texts, not about fields.
    covered.addAll(
        List.of(
            ReadingRules.SYNTAX,
            ReadingRules.DUPLICATE_FIELD,
            ReadingRules.OBJECT_TYPE,
            ReadingRules.KIND,
            ReadingRules.API_VERSION,
            ReadingRules.DUPLICATE_OBJECT));
    assertThat(covered)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(ValidationRule.values()).map(ValidationRule::id).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a": [}                                                              | syntax
          {"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},"spec":{},"spec":{}} | duplicate-field
          [1]                                                                   | object-type
          {"kind":"ResourceClaim"}                                              | object-type
          {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaims"}           | known-kind
          {"apiVersion":"resource.k8s.io/v2","kind":"DeviceClass"}              | known-version
          {"apiVersion":"resources.k8s.io/v1","kind":"DeviceClass"}             | known-version
          """)
  void aTextThatCannotBeReadIsRefused(String text, String rule) {
    assertThat(problems(text)).extracting(problem -> problem.rule().id()).contains(rule);
  }

  @Test
  void anObjectThatIsThereTwiceIsRefused() throws Exception {
    String object = valid("claim").toString();
    assertThat(problems(object + object))
        .extracting(one -> one.rule().id())
        .containsExactly(ReadingRules.DUPLICATE_OBJECT);
  }

  @Test
  void allProblemsAreToldWithTheirPlacesInTheVersionOfTheDocument() {
    String text =
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata:
          name: a
        spec:
          driver: gpu.example.com
          driver: gpu.example.com
          pool: {name: p, generation: -1, resourceSliceCount: 1}
          nodeName: node-0
          devices:
          - name: gpu-0
            basic:
              attributes:
                a-b: {int: 1}
              capacity:
                memory: {value: many}
        ---
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata:
          name: a
        spec:
          devices:
            requests:
            - name: gpu
              deviceClasName: gpu
              count: x
        """;
    assertThat(problems(text))
        .extracting(one -> one.place().line() + " " + one.path() + " " + one.rule().id())
        .containsExactly(
            "7 driver duplicate-field",
            "8 spec.pool.generation pool-generation",
            "14 spec.devices[0].basic.attributes[a-b] attribute-name",
            "16 spec.devices[0].basic.capacity[memory].value field-type",
            "25 spec.devices.requests[0] request-one-of",
            "26 spec.devices.requests[0].deviceClasName known-field",
            "27 spec.devices.requests[0].count field-type");
  }

  @Test
  void moreProblemsThanAreKeptAreCounted() throws Exception {
    ObjectNode slice = valid("plain");
    change(slice, List.of("spec", "devices"), "200*");
    slice.get("spec").get("devices").forEach(device -> ((ObjectNode) device).put("name", "A"));
    Validation validation = VALIDATOR.withMaxProblems(10).start();
    validation.add("a", new ByteArrayInputStream(slice.toString().getBytes(UTF_8)));
    ValidationReport report = validation.report();
    assertThat(report.problems()).hasSize(10);
    assertThat(report.omitted()).isEqualTo(390); // 200 names, 199 of them again, and too many
    assertThat(report.isValid()).isFalse();
  }

  private static List<ValidationProblem> problems(String text) {
    Validation validation = VALIDATOR.start();
    validation.add("test", new ByteArrayInputStream(text.getBytes(UTF_8)));
    return validation.report().problems();
  }

  // Changes of objects.

  /** Keys of maps hold dots and slashes: what stands behind these names is one of them. */
  private static String[] path(String text) {
    for (String map :
        List.of(".attributes.", ".capacity.", ".labels.", ".nodeAllocatableResources.")) {
      int at = text.indexOf(map);
      if (at > 0 && text.indexOf('/', at) > 0) {
        List<String> steps = new ArrayList<>(List.of(text.substring(0, at).split("\\.")));
        steps.add(map.substring(1, map.length() - 1));
        steps.add(text.substring(at + map.length()));
        return steps.toArray(new String[0]);
      }
    }
    return text.split("\\.");
  }

  private static void change(JsonNode object, List<String> path, String value) throws IOException {
    JsonNode parent = object;
    for (String step : path.subList(0, path.size() - 1)) {
      parent = parent.isArray() ? parent.get(Integer.parseInt(step)) : parent.get(step);
    }
    String last = path.get(path.size() - 1);
    if (parent instanceof ArrayNode list) {
      int index = Integer.parseInt(last);
      if (index < list.size()) {
        list.set(index, value(list.get(index), value));
      } else {
        list.add(value(list.get(0), value));
      }
    } else if (value.equals("-")) {
      ((ObjectNode) parent).remove(last);
    } else {
      ((ObjectNode) parent).set(last, value(parent.path(last), value));
    }
  }

  private static JsonNode value(JsonNode before, String value) throws IOException {
    if (!value.matches("[0-9]+\\*.*")) {
      return JSON.readTree(value);
    }
    int count = Integer.parseInt(value.substring(0, value.indexOf('*')));
    if (value.endsWith("*x")) {
      return JSON.getNodeFactory().textNode("x".repeat(count));
    }
    if (before instanceof ObjectNode map) {
      JsonNode first = map.elements().next();
      for (int i = 0; map.size() < count; i++) {
        map.set("n" + i, first);
      }
      return map;
    }
    ArrayNode list = JSON.createArrayNode();
    for (int i = 0; i < count; i++) {
      JsonNode copy = before.get(0).deepCopy();
      if (copy instanceof ObjectNode object && object.has("name")) {
        object.put("name", "n" + i);
      }
      list.add(copy);
    }
    return list;
  }

  private static String inVersion(ObjectNode object, String version) {
    object.put("apiVersion", "resource.k8s.io/" + version);
    if (version.equals("v1beta1")) {
      JsonNode spec = object.path("spec");
      for (JsonNode device :
          spec.path("devices").isArray() ? spec.get("devices") : JSON.createArrayNode()) {
        ObjectNode basic = ((ObjectNode) device).deepCopy();
        basic.remove("name");
        ((ObjectNode) device).retain("name");
        ((ObjectNode) device).set("basic", basic);
      }
      JsonNode devices = spec.has("spec") ? spec.get("spec").path("devices") : spec.path("devices");
      for (JsonNode request : devices.path("requests")) {
        JsonNode exactly = ((ObjectNode) request).remove("exactly");
        if (exactly != null) {
          ((ObjectNode) request).setAll((ObjectNode) exactly);
        }
      }
    }
    return object.toString();
  }
}
