package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.validation.ValidationCases.Case;
import java.io.ByteArrayInputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule has documents that break it, in each version, and one that keeps all rules. */
class ValidationRuleTest {

  private static final ManifestValidator VALIDATOR =
      ManifestValidator.builder(new FewExpressions()).build();

  static Stream<Case> breaking() {
    return ValidationCases.breaking().stream();
  }

  static Stream<Case> keeping() {
    return ValidationCases.keeping().stream();
  }

  @ParameterizedTest
  @MethodSource("breaking")
  void anObjectThatBreaksARuleIsRefusedInEachVersion(Case one) {
    List<ValidationProblem> problems = problems(one.changed().toString());
    assertThat(problems).extracting(problem -> problem.rule().id()).contains(one.rule());
    assertThat(problems).allSatisfy(found -> assertThat(found.place().line()).isEqualTo(1));
  }

  @ParameterizedTest
  @MethodSource("keeping")
  void anObjectThatJustKeepsARuleIsTakenInEachVersion(Case one) {
    assertThat(problems(one.changed().toString())).isEmpty();
  }

  @Test
  void anObjectThatKeepsAllRulesIsTakenInEachVersion() {
    for (String name : ValidationCases.names()) {
      for (String version : ValidationCases.versions(ValidationCases.valid(name))) {
        ObjectNode one = ValidationCases.inVersion(ValidationCases.valid(name), version);
        assertThat(problems(one.toString())).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"rules.txt", "kept.txt"})
  void eachRuleHasACase(String file) {
    Set<String> covered = new LinkedHashSet<>();
    ValidationCases.lines(file).forEach(line -> covered.add(line.substring(0, line.indexOf(' '))));
    // These are about texts and several objects, not about fields.
    covered.addAll(
        List.of(
            ManifestFinding.SYNTAX,
            ManifestFinding.DUPLICATE_FIELD,
            ManifestFinding.OBJECT_TYPE,
            ManifestFinding.KIND,
            ManifestFinding.API_VERSION,
            ManifestFinding.DUPLICATE_OBJECT,
            ManifestFinding.WHOLE_LIST,
            ValidationRule.ADMIN_ACCESS_NAMESPACE.id(),
            ValidationRule.POD_CLAIM_REQUEST.id()));
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
    String object = ValidationCases.valid("claim").toString();
    assertThat(problems(object + object))
        .extracting(one -> one.rule().id())
        .containsExactly(ManifestFinding.DUPLICATE_OBJECT);
  }

  @Test
  void aRequestThatAClaimDoesNotHaveIsWarnedOf() {
    String claim = ValidationCases.valid("claim").toString();
    String pod = ValidationCases.valid("pod").toString();
    String other = pod.replace("{\"name\":\"nic\"}", "{\"name\":\"nic\",\"request\":\"nix\"}");
    assertThat(problems(other)).isEmpty();
    assertThat(problems(claim + pod)).isEmpty();
    assertThat(problems(other + claim))
        .singleElement()
        .satisfies(one -> assertThat(one.rule()).isEqualTo(ValidationRule.POD_CLAIM_REQUEST))
        .asString()
        .endsWith(
            "Pod \"team/pod\": spec.containers[0].resources.claims[1].request: ResourceClaim"
                + " team/claim has no request \"nix\"; did you mean nic? [pod-claim-request]");
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
    ObjectNode slice = ValidationCases.valid("plain");
    ValidationCases.change(slice, List.of("spec", "devices"), "200*");
    slice.get("spec").get("devices").forEach(device -> ((ObjectNode) device).put("name", "A"));
    Validation validation =
        ManifestValidator.builder(new FewExpressions()).maxProblems(10).build().start();
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
}
