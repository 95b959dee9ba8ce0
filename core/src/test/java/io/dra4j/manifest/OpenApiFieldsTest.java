package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.internal.read.Schema;
import io.dra4j.manifest.internal.read.Schema.Field;
import io.dra4j.manifest.internal.read.Schema.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The fields of all objects are those of the OpenAPI documents of Kubernetes, which are read from
 * the Go module k8s.io/kubernetes that {@code e2e/kube/run} names, but for those that {@code
 * e2e/kube/differences.txt} lists.
 */
@EnabledIfEnvironmentVariable(
    named = "KUBERNETES_MODULE",
    matches = ".+",
    disabledReason = "needs the Go module k8s.io/kubernetes; e2e/kube/check names it")
class OpenApiFieldsTest {

  private static final Path DIFFERENCES = Path.of("../e2e/kube/differences.txt");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String KINDS = "x-kubernetes-group-version-kind";

  /** An object at a place: its type in Kubernetes' documents and in ours. */
  private record Pair(JsonNode theirs, String ours, String path) {}

  @ParameterizedTest
  @CsvSource({"v1, 5, 40", "v1beta2, 5, 40", "v1beta1, 4, 40", "v1alpha3, 1, 9"})
  void noFieldIsLostOrRenamed(String version, int kinds, int types) throws IOException {
    Comparison comparison = new Comparison(version);
    assertThat(comparison.compare()).isEqualTo(kinds);
    assertThat(comparison.wrong).isEmpty();
    assertThat(comparison.compared).hasSizeGreaterThanOrEqualTo(types);
  }

  @Test
  void eachListedFieldIsOneThatDiffers() throws IOException {
    Set<String> differing = new TreeSet<>();
    for (String version : List.of("v1", "v1beta2", "v1beta1")) {
      Comparison comparison = new Comparison(version);
      comparison.compare();
      differing.addAll(comparison.listed);
    }
    Set<String> listed = new TreeSet<>(names("field"));
    listed.addAll(names("renamed"));
    assertThat(differing).containsExactlyInAnyOrderElementsOf(listed);
  }

  /** An object with one field of its kind is read and written in v1: the field is still there. */
  @ParameterizedTest
  @CsvSource({"v1, 150", "v1beta2, 150", "v1beta1, 150", "v1alpha3, 5"})
  void eachFieldIsWrittenAsItWasRead(String version, int fields) throws Exception {
    Comparison comparison = new Comparison(version);
    List<String> lost = new ArrayList<>();
    int read = 0;
    for (Sample sample : comparison.samples()) {
      byte[] text = sample.object().toString().getBytes(StandardCharsets.UTF_8);
      String written;
      try {
        written =
            ManifestWriter.toJson(
                ManifestReader.builder().build().read("sample", new ByteArrayInputStream(text)));
      } catch (ManifestException e) {
        lost.add(sample + ": " + e.getMessage());
        continue;
      }
      read++;
      JsonNode at = new ObjectMapper().readTree(written);
      at = at.has("items") ? at.get("items").get(0) : at;
      for (String step : sample.pathInV1()) {
        at = at.isArray() ? at.path(Integer.parseInt(step)) : at.path(step);
      }
      if (!at.equals(sample.value())) {
        lost.add(sample + " is " + at);
      }
    }
    assertThat(lost).isEmpty();
    assertThat(read).isGreaterThan(fields);
  }

  /** An object with one field. */
  private record Sample(ObjectNode object, List<String> path, JsonNode value) {

    /** Where the field is in version v1. */
    List<String> pathInV1() {
      List<String> steps = new ArrayList<>(path);
      if (object.get("apiVersion").asText().endsWith("/v1beta1")) {
        steps.remove("basic");
        int request = steps.indexOf("requests") + 2; // in a list
        if (request > 1
            && steps.get(request - 3).equals("devices")
            && !List.of("name", "firstAvailable").contains(steps.get(request))) {
          steps.add(request, "exactly");
        }
      }
      return steps;
    }

    @Override
    public String toString() {
      return object.get("kind").asText() + " " + String.join(".", path) + " = " + value;
    }
  }

  /** The names that differences.txt lists after a word. */
  private static Set<String> names(String word) throws IOException {
    Set<String> names = new HashSet<>();
    for (String line : Files.readAllLines(DIFFERENCES)) {
      if (line.startsWith(word + " ")) {
        names.add(line.substring(word.length() + 1, line.indexOf(':')));
      }
    }
    return names;
  }

  /** Goes through all types of one version. */
  private static final class Comparison {

    private final Schema schema = Schema.kubernetes();
    private final String version;
    private final JsonNode document;
    private final Set<String> onlyOurs = names("field");
    private final Set<String> onlyTheirs = names("renamed");
    private final Set<String> compared = new LinkedHashSet<>();
    private final Set<String> listed = new TreeSet<>();
    private final List<String> wrong = new ArrayList<>();
    private final Deque<Pair> open = new ArrayDeque<>();

    Comparison(String version) throws IOException {
      this.version = version;
      Path file =
          Path.of(Objects.requireNonNull(System.getenv("KUBERNETES_MODULE")))
              .resolve("api/openapi-spec/v3/apis__resource.k8s.io__" + version + "_openapi.json");
      document = new ObjectMapper().readTree(file.toFile()).path("components").path("schemas");
    }

    /** Compares all kinds that can be read; says how many the document has. */
    int compare() {
      int kinds = 0;
      for (JsonNode type : document) {
        for (JsonNode kind : type.path(KINDS)) {
          String name = kind.path("kind").asText();
          String ours = schema.typeOf("resource.k8s.io/" + version, name);
          if (kind.path("group").asText().equals("resource.k8s.io")
              && kind.path("version").asText().equals(version)
              && ours != null) {
            kinds++;
            open.add(new Pair(type, ours, name));
          }
        }
      }
      while (!open.isEmpty()) {
        compare(open.remove());
      }
      return kinds;
    }

    /** An object for each field that is no object, list or map of such. */
    List<Sample> samples() {
      List<Sample> samples = new ArrayList<>();
      for (JsonNode type : document) {
        for (JsonNode kind : type.path(KINDS)) {
          String name = kind.path("kind").asText();
          if (kind.path("version").asText().equals(version)
              && kind.path("group").asText().equals("resource.k8s.io")
              && schema.typeOf("resource.k8s.io/" + version, name) != null) {
            for (String part : List.of("metadata", "spec", "status")) {
              if (type.path("properties").has(part)) {
                JsonNode inside = resolved(type.get("properties").get(part));
                addSamples(name, inside, List.of(part), samples);
              }
            }
          }
        }
      }
      return samples;
    }

    private void addSamples(String kind, JsonNode type, List<String> path, List<Sample> to) {
      JsonNode properties = type.path("properties");
      if (type.has("items")) {
        addSamples(kind, resolved(type.get("items")), and(path, "0"), to);
      } else if (type.path("additionalProperties").isObject()) {
        addSamples(kind, resolved(type.get("additionalProperties")), and(path, "a/b"), to);
      } else if (!properties.isEmpty()) {
        for (Map.Entry<String, JsonNode> field : properties.properties()) {
          if (!onlyTheirs.contains(field.getKey())) {
            addSamples(kind, resolved(field.getValue()), and(path, field.getKey()), to);
          }
        }
      } else {
        JsonNode value = sampleOf(type);
        ObjectNode object = NODES.objectNode();
        object.put("apiVersion", "resource.k8s.io/" + version).put("kind", kind);
        object.putObject("metadata").put("name", "a");
        put(object, path, value);
        to.add(new Sample(object, path, value));
      }
    }

    private static List<String> and(List<String> path, String step) {
      List<String> longer = new ArrayList<>(path);
      longer.add(step);
      return longer;
    }

    private static JsonNode sampleOf(JsonNode type) {
      return switch (type.path("type").asText()) {
        case "string" ->
            type.path("format").asText().equals("date-time")
                ? NODES.textNode("2026-01-01T00:00:00Z")
                : NODES.textNode("a");
        case "integer" -> NODES.numberNode(1);
        case "boolean" -> NODES.booleanNode(true);
        default ->
            type.has("oneOf")
                ? NODES.textNode("1")
                : NODES.objectNode().put("a", "b"); // quantities
      };
    }

    private static void put(JsonNode object, List<String> path, JsonNode value) {
      JsonNode at = object;
      for (int i = 0; i < path.size(); i++) {
        boolean isLast = i + 1 == path.size();
        boolean isList = !isLast && path.get(i + 1).equals("0");
        JsonNode next =
            isLast
                ? value
                : at.has(path.get(i))
                    ? at.get(path.get(i))
                    : isList ? NODES.arrayNode() : NODES.objectNode();
        if (at instanceof ArrayNode list) {
          list.add(next);
        } else {
          ((ObjectNode) at).set(path.get(i), next);
        }
        at = next;
      }
    }

    private void compare(Pair pair) {
      if (!compared.add(pair.ours())) {
        return;
      }
      JsonNode theirs = pair.theirs().path("properties");
      theirs
          .properties()
          .forEach(
              one -> {
                Field field = schema.field(pair.ours(), one.getKey());
                String path = pair.path() + "." + one.getKey();
                if (field != null) {
                  compare(one.getValue(), field, path);
                } else if (!onlyTheirs.contains(one.getKey())) {
                  wrong.add("lost: " + path);
                } else {
                  listed.add(one.getKey());
                }
              });
      for (String name : schema.names(pair.ours())) {
        if (!theirs.has(name)) {
          if (onlyOurs.contains(name)) {
            listed.add(name);
          } else {
            wrong.add("not theirs: " + pair.path() + "." + name);
          }
        }
      }
    }

    private void compare(JsonNode type, Field field, String path) {
      JsonNode theirs = resolved(type);
      JsonNode inside = theirs;
      Shape shape = Shape.OBJECT;
      if (theirs.has("items")) {
        shape = Shape.LIST;
        inside = resolved(theirs.get("items"));
      } else if (theirs.path("additionalProperties").isObject()) {
        shape = Shape.MAP;
        inside = resolved(theirs.get("additionalProperties"));
      }
      if (!inside.has("properties")) {
        shape = Shape.VALUE; // or a list or map of them
      }
      if (shape != field.shape()) {
        wrong.add(path + ": " + field.shape() + " instead of " + shape);
      } else if (shape != Shape.VALUE) {
        open.add(new Pair(inside, field.type(), path));
      }
    }

    /** What a type refers to, with or without a description beside. */
    private JsonNode resolved(JsonNode type) {
      JsonNode one = type.has("allOf") ? type.get("allOf").get(0) : type;
      String reference = one.path("$ref").asText();
      return reference.isEmpty()
          ? one
          : document.path(reference.substring(reference.lastIndexOf('/') + 1));
    }
  }
}
