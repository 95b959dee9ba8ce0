package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestReader;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server refuses is found while claims are read, wherever they come from. */
class ClaimInspectorTest {

  private static List<String> findings(String text) throws ManifestException {
    return findings(new ClaimInspector(new FewExpressions()), text);
  }

  private static List<String> findings(ClaimInspector inspector, String text)
      throws ManifestException {
    return ManifestReader.builder()
        .inspector(inspector)
        .build()
        .readFile("f", new ByteArrayInputStream(text.getBytes(UTF_8)))
        .findings()
        .stream()
        .map(ClaimInspectorTest::text)
        .toList();
  }

  private static String text(ManifestFinding finding) {
    return finding.rule() + " " + finding.problem().path();
  }

  @ParameterizedTest
  @CsvSource({"v1, exactly.", "v1beta2, exactly.", "v1beta1, ''"})
  void claimsAreLookedAtInTheirOwnVersion(String version, String at) throws ManifestException {
    String open = at.isEmpty() ? "" : "exactly: {";
    String close = at.isEmpty() ? "" : "}";
    assertThat(
            findings(
                """
                apiVersion: resource.k8s.io/%s
                kind: ResourceClaim
                metadata: {name: c}
                spec:
                  devices:
                    requests:
                    - {name: a, %sdeviceClassName: x, count: -1%s}
                    - {name: a, %sdeviceClassName: x, tolerations: [{operator: Exist}]%s}
                """
                    .formatted(version, open, close, open, close)))
        .containsExactly(
            "count-positive spec.devices.requests[0]." + at + "count",
            "request-unique spec.devices.requests[1].name",
            "toleration-operator spec.devices.requests[1]." + at + "tolerations[0].operator");
  }

  @Test
  void expressionsAreCompiledAndTheirCostIsCompared() throws ManifestException {
    String request =
        "{name: a, exactly: {deviceClassName: x, selectors: [{cel: {expression: broken}}, {},"
            + " {cel: {expression: 'a.all(b, true)'}}],"
            + " derivedAttributes: [{name: d/x, expression: broken}]}}";
    assertThat(
            findings(
                "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec:"
                    + " {devices: {constraints: [{matchAttribute: d/x}], requests: ["
                    + request
                    + "]}}}"))
        .containsExactly(
            "selector-expression spec.devices.requests[0].exactly.selectors[0].cel.expression",
            "selector-cel spec.devices.requests[0].exactly.selectors[1]",
            "selector-cost spec.devices.requests[0].exactly.selectors[2].cel.expression",
            "derived-attribute-expression"
                + " spec.devices.requests[0].exactly.derivedAttributes[0].expression");
  }

  @Test
  void templatesClassesAndTaintRulesAreLookedAt() throws ManifestException {
    assertThat(
            findings(
                """
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t},
                  spec: {spec: {devices: {requests: [{name: A, exactly: {deviceClassName: x}}]}}}}
                ---
                {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c_d}}
                ---
                {apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: r},
                  spec: {taint: {key: k, effect: NoSchedul}}}
                """))
        .containsExactly(
            "request-name spec.spec.devices.requests[0].name",
            "object-name metadata.name",
            "taint-rule-selector spec",
            "taint-effect spec.taint.effect");
  }

  @ParameterizedTest
  @CsvSource({
    "v1, Node",
    "v1, Pod",
    "apps/v1, StatefulSet",
    "batch/v1, Job",
    "scheduling.k8s.io/v1beta1, PodGroup",
    "scheduling.k8s.io/v1beta1, CompositePodGroup",
    "scheduling.k8s.io/v1beta1, Workload"
  })
  void ofOtherObjectsTheNameIsLookedAt(String version, String kind) throws ManifestException {
    String text = "{apiVersion: %s, kind: %s, metadata: {%s}}";
    assertThat(findings(text.formatted(version, kind, ""))).containsExactly("object-name metadata");
    assertThat(findings(text.formatted(version, kind, "name: A_B")))
        .containsExactly("object-name metadata.name");
    assertThat(findings(text.formatted(version, kind, "generateName: a-"))).isEmpty();
  }

  @Test
  void ofSlicesOnlyTheNameIsMissedUnlessTheyAreLookedAt() throws ManifestException {
    String text =
        "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {%s}, spec: {driver: d,"
            + " nodeName: n0, allNodes: true, pool: {name: p, resourceSliceCount: 1}}}";
    ClaimInspector all = new ClaimInspector(new FewExpressions()).withSlices();
    assertThat(findings(text.formatted(""))).containsExactly("object-name metadata");
    assertThat(findings(text.formatted("name: s"))).isEmpty();
    assertThat(findings(all, text.formatted("name: s"))).containsExactly("slice-node-one-of spec");
  }

  @Test
  void whatTemplatesOfPodsAndGroupsSayOfClaimsIsLookedAt() throws ManifestException {
    String pods =
        "resourceClaims: [{name: a, resourceClaimName: b, resourceClaimTemplateName: c}, {name: a}]";
    String template =
        "{apiVersion: %s, kind: %s, metadata: {name: a}, spec: {template: {spec: {"
            + pods
            + ", initContainers: [{name: x, resources: {claims: [{name: b}]}}]}}}}";
    List<String> problems =
        List.of(
            "pod-claim-one-of spec.template.spec.resourceClaims[0]",
            "pod-claim-one-of spec.template.spec.resourceClaims[1]",
            "pod-claim-unique spec.template.spec.resourceClaims[1].name",
            "pod-claim-used spec.template.spec.initContainers[0].resources.claims[0].name");
    assertThat(findings(template.formatted("apps/v1", "StatefulSet"))).isEqualTo(problems);
    assertThat(findings(template.formatted("batch/v1", "Job"))).isEqualTo(problems);
    assertThat(
            findings(
                "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: a},"
                    + " spec: {"
                    + pods
                    + "}}"))
        .containsExactly(
            "pod-claim-one-of spec.resourceClaims[0]",
            "pod-claim-one-of spec.resourceClaims[1]",
            "pod-claim-unique spec.resourceClaims[1].name");
    assertThat(
            findings(
                "{apiVersion: scheduling.k8s.io/v1beta1, kind: Workload, metadata: {name: a},"
                    + " spec: {compositePodGroupTemplates: [{name: b, podGroupTemplates: [{name:"
                    + " c, resourceClaims: [{name: d}]}]}]}}"))
        .containsExactly(
            "pod-claim-one-of"
                + " spec.compositePodGroupTemplates[0].podGroupTemplates[0].resourceClaims[0]");
  }
}
