package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims with admin access are refused in namespaces of the files that do not allow it. */
class AdminNamespacesTest {

  private static final String LABEL = "resource.kubernetes.io/admin-access";
  private static final String ADMIN =
      "{devices: {requests: [{name: plain, exactly: {deviceClassName: gpu}},"
          + " {name: all, exactly: {deviceClassName: gpu, allocationMode: All, adminAccess: true}},"
          + " {name: more, exactly: {deviceClassName: gpu, adminAccess: true}}]}}";
  private static final String FIELD = "devices.requests[1].exactly.adminAccess";
  private static final String CLAIM = claim("v1", "namespace: team-a", ADMIN);

  private static String namespace(String metadata) {
    return "{apiVersion: v1, kind: Namespace, metadata: {name: team-a%s}}".formatted(metadata);
  }

  private static String claim(String version, String namespace, String spec) {
    return "{apiVersion: resource.k8s.io/%s, kind: ResourceClaim, metadata: {name: c, %s}, spec: %s}"
        .formatted(version, namespace, spec);
  }

  private static String template(String namespace) {
    return ("{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t,"
            + " namespace: %s}, spec: {spec: %s}}")
        .formatted(namespace, ADMIN);
  }

  private static List<ValidationProblem> problems(String... documents) {
    Validation validation = ManifestValidator.builder(new FewExpressions()).build().start();
    validation.add("f", stream(documents));
    return validation.report().problems();
  }

  private static ByteArrayInputStream stream(String... documents) {
    return new ByteArrayInputStream(String.join("\n---\n", documents).getBytes(UTF_8));
  }

  @Test
  void aNamespaceWithoutTheLabelRefusesAClaim() {
    assertThat(problems(namespace(""), CLAIM))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.rule()).isEqualTo(ValidationRule.ADMIN_ACCESS_NAMESPACE);
              assertThat(one.path()).isEqualTo("spec." + FIELD);
              assertThat(one.message())
                  .isEqualTo(
                      "expected Namespace team-a with the label "
                          + LABEL
                          + ": \"true\", found none");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ", labels: {}",
        ", labels: {resource.kubernetes.io/admin-access: \"false\"}",
        ", labels: {resource.kubernetes.io/admin-access: \"True\"}",
        ", labels: {resource.kubernetes.io/admin-access: \"\"}",
        ", labels: {resource.k8s.io/admin-access: \"true\"}",
        ", labels: {admin-access: \"true\"}",
        ", annotations: {resource.kubernetes.io/admin-access: \"true\"}",
        ", deletionTimestamp: 2026-01-01T00:00:00Z",
      })
  void nothingButTheLabelWithItsValueAllowsIt(String metadata) {
    assertThat(problems(CLAIM, namespace(metadata)))
        .extracting(ValidationProblem::rule)
        .containsExactly(ValidationRule.ADMIN_ACCESS_NAMESPACE);
  }

  @Test
  void theLabelOfAnotherPrefixIsNamed() {
    assertThat(problems(namespace(", labels: {resource.k8s.io/admin-access: \"true\"}"), CLAIM))
        .singleElement()
        .extracting(ValidationProblem::message)
        .asString()
        .endsWith("found the label \"resource.k8s.io/admin-access\"");
  }

  @Test
  void templatesAndOldVersionsAndListsAreLookedAt() {
    String flat = "{devices: {requests: [{name: r, deviceClassName: gpu, adminAccess: true}]}}";
    String list =
        "{apiVersion: v1, kind: List, items: [%s, %s]}"
            .formatted(template("team-a"), namespace(""));
    assertThat(problems(list))
        .extracting(ValidationProblem::path)
        .containsExactly("spec.spec." + FIELD);
    assertThat(problems(claim("v1beta1", "namespace: team-a", flat), namespace("")))
        .extracting(ValidationProblem::path)
        .containsExactly("spec.devices.requests[0].adminAccess");
    assertThat(problems(claim("v1beta2", "namespace: team-a", ADMIN), namespace(""))).hasSize(1);
    assertThat(
            problems(
                CLAIM,
                "{apiVersion: v1, kind: NamespaceList, items: [{metadata: {name: team-a}}]}"))
        .hasSize(1);
    assertThat(
            problems(
                claim("v1", "uid: u", ADMIN),
                "{apiVersion: v1, kind: Namespace, metadata: {name: default}}"))
        .hasSize(1);
  }

  @Test
  void claimsThatAreAllowedOrAskForNoneAreTaken() {
    String labelled = namespace(", labels: {" + LABEL + ": \"true\"}");
    assertThat(problems(labelled, CLAIM, template("team-a"))).isEmpty();
    assertThat(problems(CLAIM, template("team-b"))).isEmpty();
    assertThat(problems(namespace(""), template("team-b"))).isEmpty();
    assertThat(problems(namespace(""), CLAIM.replace("adminAccess: true", "adminAccess: false")))
        .isEmpty();
    assertThat(
            problems(
                namespace(""),
                CLAIM.substring(0, CLAIM.length() - 1)
                    + ", status: {allocation: {devices: {results: []}}}}"))
        .isEmpty();
  }

  @Test
  void aLabelThatIsNoTextIsOneProblemAndThatOfTheNamespace() {
    assertThat(problems(CLAIM, namespace(", labels: {" + LABEL + ": true}")))
        .singleElement()
        .extracting(ValidationProblem::path)
        .isEqualTo("metadata.labels[" + LABEL + "]");
  }

  @Test
  void filesOfOtherClustersHaveOtherNamespaces() {
    Validation validation = ManifestValidator.builder(new FewExpressions()).build().start();
    validation.add("namespaces", stream(namespace("")));
    validation.startCluster();
    validation.add("claims", stream(CLAIM));
    assertThat(validation.report().isValid()).isTrue();
    assertThat(validation.report().objects()).isEqualTo(2);
  }

  @Test
  void whoPlacesPodsIsWarnedWithoutLosingTheNamespace() throws ManifestException {
    PlacementInspector inspector = new PlacementInspector();
    var file =
        ManifestReader.builder()
            .inspector(inspector)
            .build()
            .readFile("f", stream(namespace(""), template("team-a")));
    assertThat(file.skipped()).singleElement().matches(one -> one.isInspected());
    assertThat(inspector.problems())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.path()).isEqualTo("spec.spec." + FIELD);
              assertThat(one.message()).endsWith("found none (the API server refuses this)");
            });
  }
}
