package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestReader;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What decides where pods run, and is not looked at here, is reported where it matters. */
class PlacementInspectorTest {

  private static final String CLAIMS = "resourceClaims: [{name: g, resourceClaimName: c}], ";

  /** The fields that are reports, and the problems of all objects together. */
  private static List<String> reports(String text) throws ManifestException {
    PlacementInspector inspector = new PlacementInspector();
    ManifestFile file =
        ManifestReader.builder()
            .inspector(inspector)
            .build()
            .readFile("f", new ByteArrayInputStream(text.getBytes(UTF_8)));
    List<String> reports = new ArrayList<>();
    file.findings().forEach(finding -> reports.add(finding.problem().path()));
    inspector.problems().forEach(problem -> reports.add(problem.toString()));
    return reports;
  }

  private static String pod(String metadata, String spec) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: p%s}, spec: {%s}}"
        .formatted(metadata, spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{namespaceSelector: {}}, {namespaceSelector: {matchLabels: {team: a}}}]}} | affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[1].namespaceSelector
          affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchExpressions: [{operator: Gt}]}}]}} | affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].operator
          topologySpreadConstraints: [{}, {labelSelector: {matchExpressions: [{operator: in}]}}] | topologySpreadConstraints[1].labelSelector.matchExpressions[0].operator
          schedulingGates: [{name: a}] | schedulingGates
          priorityClassName: high | priorityClassName
          """)
  void fieldsOfPodsWithClaimsAreTold(String field, String path) throws ManifestException {
    String template =
        "{apiVersion: %s, kind: %s, metadata: {name: a}, spec: {template: {spec: {%s}}}}";
    assertThat(reports(pod("", CLAIMS + field))).containsExactly("spec." + path);
    assertThat(reports(template.formatted("apps/v1", "StatefulSet", CLAIMS + field)))
        .containsExactly("spec.template.spec." + path);
    assertThat(reports(template.formatted("batch/v1", "Job", CLAIMS + field)))
        .containsExactly("spec.template.spec." + path);
    assertThat(reports(pod("", field))).isEmpty();
    assertThat(reports(pod("", CLAIMS + "nodeName: n0, " + field))).isEmpty();
  }

  @Test
  void podsThatGoAwayAndPodsWithoutANameAreTold() throws ManifestException {
    assertThat(reports(pod(", deletionTimestamp: '2024-01-01T00:00:00Z'", CLAIMS)))
        .containsExactly("metadata.deletionTimestamp");
    assertThat(reports(pod("", CLAIMS).replace("name: p", "generateName: p-")))
        .containsExactly("metadata.generateName");
  }

  @ParameterizedTest
  @CsvSource({"apps/v1, StatefulSet", "batch/v1, Job"})
  void whatIsBeingDeletedAndMakesNoPodsIsTold(String apiVersion, String kind)
      throws ManifestException {
    String object =
        "{apiVersion: %s, kind: %s, metadata: {name: a, deletionTimestamp: '2024-01-01T00:00:00Z'},"
            + " spec: {template: {spec: {%s}}}}";
    assertThat(reports(object.formatted(apiVersion, kind, CLAIMS)))
        .containsExactly("metadata.deletionTimestamp");
    assertThat(reports(object.formatted(apiVersion, kind, ""))).isEmpty();
  }

  @Test
  void aSuspendedJobIsToldAndAKnownPriorityIsNot() throws ManifestException {
    String job =
        "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {suspend: %s, template:"
            + " {spec: {%s}}}}";
    assertThat(reports(job.formatted(true, CLAIMS))).containsExactly("spec.suspend");
    assertThat(reports(job.formatted(false, CLAIMS))).isEmpty();
    assertThat(reports(job.formatted(true, ""))).isEmpty();
    assertThat(reports(pod("", CLAIMS + "priority: 7, priorityClassName: high"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tolerations: [{operator: Equal, effect: NoExecute}, {operator: exists}] | tolerations[1].operator
          tolerations: [{operator: Gt}, {effect: Noschedule}] | tolerations[1].effect
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{operator: Gt}, {operator: in}]}]}}} | affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].operator
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{operator: In}, {operator: Gt}]}]}}} | affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[1].operator
          """)
  void wordsThatKubernetesDoesNotKnowAreTold(String field, String path) throws ManifestException {
    assertThat(reports(pod("", CLAIMS + field))).containsExactly("spec." + path);
    assertThat(reports(pod("", field))).isEmpty();
  }

  @Test
  void anEffectThatKubernetesDoesNotKnowIsTold() throws ManifestException {
    String taints = "spec: {taints: [{key: a, effect: NoSchedule}, {key: b, effect: Noschedule}]}";
    assertThat(reports(node(taints, "True"))).containsExactly("spec.taints[1].effect");
  }

  @ParameterizedTest
  @CsvSource({"example.com/queue, 1", "kubernetes.io/job-controller, 0", "'', 0"})
  void aJobOfAnotherControllerIsTold(String controller, int times) throws ManifestException {
    String job =
        "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {managedBy: '%s', template:"
            + " {spec: {%s}}}}";
    assertThat(reports(job.formatted(controller, CLAIMS)))
        .isEqualTo(Collections.nCopies(times, "spec.managedBy"));
    assertThat(reports(job.formatted(controller, ""))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"volcano, 1", "default-scheduler, 0", "'', 0"})
  void aPodOfAnotherSchedulerIsReported(String scheduler, int times) throws ManifestException {
    String field = "schedulerName: '%s', ".formatted(scheduler);
    assertThat(reports(pod("", field + CLAIMS)))
        .isEqualTo(Collections.nCopies(times, "spec.schedulerName"));
    assertThat(reports(pod("", field))).isEmpty();
  }

  @Test
  void theManagersOfAJobSetAndOfItsJobsAreReported() throws ManifestException {
    String set =
        "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s}, spec:"
            + " {managedBy: a/b, replicatedJobs: [{name: w, template: {spec: {managedBy: a/b,"
            + " template: {spec: {%s}}}}}]}}";
    assertThat(reports(set.formatted(CLAIMS)))
        .containsExactly("spec.managedBy", "spec.replicatedJobs[0].template.spec.managedBy");
  }

  @Test
  void whatIsLookedAtAndPreferencesAreNotTold() throws ManifestException {
    assertThat(
            reports(
                pod(
                    "",
                    CLAIMS
                        + "affinity: {nodeAffinity:"
                        + " {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}],"
                        + " requiredDuringSchedulingIgnoredDuringExecution:"
                        + " {nodeSelectorTerms: []}}}, tolerations: [{operator: Exists}]")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spec: {} | Unknown
          spec: {} | False
          spec: {taints: [{key: other, effect: NoSchedule}]} | False
          spec: {taints: [{key: node.kubernetes.io/not-ready, effect: PreferNoSchedule}]} | False
          """)
  void nodesThatAreNotReadyAndHaveNoTaintOfItAreTold(String spec, String ready)
      throws ManifestException {
    assertThat(reports(node(spec, ready))).containsExactly("status.conditions[0].status");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}, {key: a, effect: NoExecute}]} | True
          spec: {unschedulable: true} | True
          spec: {taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]} | Unknown
          spec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]} | False
          """)
  void taintsOfNodesAreLookedAt(String spec, String ready) throws ManifestException {
    assertThat(reports(node(spec, ready))).isEmpty();
  }

  private static String node(String spec, String ready) {
    return "{apiVersion: v1, kind: Node, metadata: {name: n0}, %s, status: {conditions: [{type: Ready, status: '%s'}, {type: DiskPressure, status: 'False'}]}}"
        .formatted(spec, ready);
  }

  @Test
  void extendedResourcesOfClassesThatAreNotThereAreReported() throws ManifestException {
    String container = "containers: [{name: x, resources: {limits: {cpu: 1, %s: 2}}}]";
    String deviceClass =
        "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}\n---\n";
    String implicit = container.formatted("deviceclass.resource.kubernetes.io/gpu");
    assertThat(reports(pod("", container.formatted("example.com/gpu")))).isEmpty();
    assertThat(reports(deviceClass + pod("", implicit))).isEmpty();
    assertThat(reports(pod("", implicit)))
        .singleElement()
        .asString()
        .endsWith("not placed: no DeviceClass \"gpu\" in the input");
    assertThat(reports(pod("", CLAIMS + implicit)))
        .singleElement()
        .asString()
        .endsWith("placed without it: no DeviceClass \"gpu\" in the input");
  }

  @Test
  void containersNameRequestsThatTheirClaimsHave() throws ManifestException {
    String claim =
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec:"
            + " {devices: {requests: [{name: gpu, exactly: {deviceClassName: x}}]}}}\n---\n";
    String pod =
        pod("", CLAIMS + "containers: [{name: x, resources: {claims: [{name: g, request: %s}]}}]");
    assertThat(reports(pod.formatted("gp"))).isEmpty();
    assertThat(reports(claim + pod.formatted("gpu"))).isEmpty();
    assertThat(reports(claim + pod.formatted("gp")))
        .containsExactly(
            "f:3:1: Pod \"p\": spec.containers[0].resources.claims[0].request:"
                + " ResourceClaim default/c has no request \"gp\"; did you mean gpu?");
  }

  @Test
  void ofVeryManyProblemsTheOthersAreCounted() throws ManifestException {
    StringBuilder pods = new StringBuilder();
    String asking =
        CLAIMS
            + "schedulingGates: [{name: x}], containers: [{name: x, resources: {limits:"
            + " {deviceclass.resource.kubernetes.io/gpu: 1}}}]";
    for (int i = 0; i < 25; i++) {
      pods.append(pod("", asking).replace("name: p", "name: p" + i) + "\n---\n");
    }
    assertThat(reports(pods.toString()))
        .hasSize(20 + 1 + 20 + 1)
        .contains("input: and 5 more schedulingGates that are ignored")
        .contains("input: and 5 more problems like these");
  }
}
