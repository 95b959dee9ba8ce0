package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.manifest.Schema.Field;
import io.dra4j.manifest.Schema.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
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
  private static final String KINDS = "x-kubernetes-group-version-kind";

  /** An object at a place: its type in Kubernetes' documents and in ours. */
  private record Pair(JsonNode theirs, String ours, String path) {}

  @ParameterizedTest
  @CsvSource({"v1, 4, 40", "v1beta2, 5, 40", "v1beta1, 4, 40", "v1alpha3, 1, 9"})
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
