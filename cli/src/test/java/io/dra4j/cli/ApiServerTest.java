package io.dra4j.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cel.CelEnvironment;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.manifest.validation.ManifestValidator;
import io.dra4j.manifest.validation.Validation;
import io.dra4j.manifest.validation.ValidationProblem;
import io.dra4j.manifest.validation.ValidationRule.Severity;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code dra4j validate} and a real API server, which {@code e2e/kube/check} starts, agree about
 * the same objects: about each case of the table of rules, and about objects with random changes
 * ({@code -Dapi-server.random=N}, {@code -Dapi-server.seed=S}). The cases of {@code
 * e2e/kube/differences.txt} must be answered differently.
 */
@EnabledIfEnvironmentVariable(
    named = "API_SERVER",
    matches = ".+",
    disabledReason = "needs an API server; e2e/kube/check starts one")
class ApiServerTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final int CHANGED = Integer.getInteger("api-server.random", 12_000);
  private static final long SEED = Long.getLong("api-server.seed", 1);

  private static final ManifestValidator VALIDATOR =
      ManifestValidator.builder(
              CelSelectors.create(
                  CelEnvironment.newExpressions(
                      KubernetesVersion.V1_36, EnumSet.allOf(Feature.class))))
          .maxProblems(100)
          .build();

  private static ApiServer server;
  private static KnownDifferences differences;
  private static List<JsonNode> cases;

  @BeforeAll
  static void connect() throws Exception {
    server = ApiServer.fromEnvironment();
    differences = KnownDifferences.read(Path.of("../e2e/kube/differences.txt"));
    List<JsonNode> read = new ArrayList<>();
    String file = Objects.requireNonNull(System.getProperty("api-server.cases"));
    for (String line : Files.readAllLines(Path.of(file))) {
      read.add(JSON.readTree(line));
    }
    cases = read;
  }

  @Test
  void eachCaseOfTheTableOfRulesIsAnsweredAlike() throws Exception {
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    for (JsonNode one : cases) {
      ObjectNode object = (ObjectNode) one.get("object");
      String name = one.get("rule").asText() + " " + one.get("case").asText();
      List<ValidationProblem> problems = errors(object.toString());
      if (problems.isEmpty() != one.get("valid").asBoolean()) {
        wrong.add(name + ": not as the table says: " + problems);
      }
      if (differences.isServed(object)) {
        ApiServer.Answer answer = server.ask(differences.served(object));
        asked++;
        differences
            .check(one.get("rule").asText(), object, problems, answer, true)
            .ifPresent(text -> wrong.add(name + ": " + text));
      }
    }
    System.out.println("kube: " + asked + " cases of the table of rules");
    assertThat(asked).isGreaterThan(900);
    assertThat(wrong).isEmpty();
    assertThat(differences.unseen()).as("in differences.txt, but not seen").isEmpty();
  }

  @Test
  void objectsWithRandomChangesAreAnsweredAlike() throws Exception {
    List<ObjectNode> valid = new ArrayList<>();
    for (JsonNode one : cases) {
      ObjectNode object = (ObjectNode) one.get("object");
      if (one.get("rule").asText().isEmpty()
          && differences.isServed(object)
          && differences.isKnownWhole(object)) {
        valid.add(differences.served(object));
      }
    }
    ApiTypes types = ApiTypes.fromEnvironment();
    SplittableRandom random = new SplittableRandom(SEED);
    Map<Boolean, Integer> seen = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < CHANGED && wrong.size() < 12; i++) {
      ObjectNode object = valid.get(random.nextInt(valid.size())).deepCopy();
      RandomChanges changes = new RandomChanges(random, valid, types, differences.renamed());
      changes.change(object);
      List<ValidationProblem> problems = errors(object.toString());
      ApiServer.Answer answer = server.ask(object);
      seen.merge(answer.accepts(), 1, Integer::sum);
      differences
          .check("", object, problems, answer, false)
          .ifPresent(text -> wrong.add(changes + ": " + text));
    }
    System.out.println("kube: random changes, seed " + SEED + ", accepted: " + seen);
    assertThat(wrong).as("seed " + SEED).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          syntax          | {"apiVersion": "resource.k8s.io/v1", "kind": [}
          duplicate-field | {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a","name":"b"}}
          object-type     | [1]
          known-kind      | {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaims","metadata":{"name":"a"}}
          known-version   | {"apiVersion":"resource.k8s.io/v2","kind":"DeviceClass","metadata":{"name":"a"}}
          known-version   | {"apiVersion":"resources.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a"}}
          """)
  void aTextThatIsNoObjectIsRefusedByBoth(String rule, String text) throws Exception {
    assertThat(errors(text)).extracting(one -> one.rule().id()).contains(rule);
    JsonNode type =
        text.contains("v2") || text.contains("s.k8s") || text.contains("Claims")
            ? JSON.readTree(text)
            : JSON.readTree("{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\"}");
    assertThat(server.create(type.get("apiVersion").asText(), type.get("kind").asText(), text))
        .matches(answer -> !answer.accepts());
  }

  @Test
  void anObjectThatIsThereTwiceIsRefusedByBoth() throws Exception {
    String text =
        """
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"twice-%d"},"spec":{}}
        """
            .formatted(System.nanoTime());
    assertThat(errors(text)).isEmpty();
    assertThat(server.create("resource.k8s.io/v1", "DeviceClass", text).accepts()).isTrue();
    assertThat(errors(text + text)).extracting(one -> one.rule().id()).contains("unique-object");
    assertThat(server.create("resource.k8s.io/v1", "DeviceClass", text).code()).isEqualTo(409);
  }

  private static List<ValidationProblem> errors(String text) {
    Validation validation = VALIDATOR.start();
    validation.add("test", new ByteArrayInputStream(text.getBytes(UTF_8)));
    return validation.report().problems().stream()
        .filter(one -> one.rule().severity() == Severity.ERROR)
        .toList();
  }
}
