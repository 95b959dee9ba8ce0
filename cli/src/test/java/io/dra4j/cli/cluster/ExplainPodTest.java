package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code dra4j explain pod/NAME} answers about that pod, whatever else is in the cluster. */
class ExplainPodTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: p, generation: 1, resourceSliceCount: 1}
        devices: [{name: gpu-0}, {name: gpu-1}]
      """;

  private static String claim(String name, int count) {
    return """
    ---
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: %s, namespace: ml}
    spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: %d}}]}}
    """
        .formatted(name, count);
  }

  private static String pod(String name, String spec) {
    return "---\n{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: ml}, spec: {%s}}\n"
        .formatted(name, spec);
  }

  private static String using(String claim) {
    return "resourceClaims: [{name: c, resourceClaimName: " + claim + "}]";
  }

  private static String template(String template) {
    return "resourceClaims: [{name: c, resourceClaimTemplateName: " + template + "}]";
  }

  /** A pod that is stuck on its node, one without its template, and a set whose pods wait. */
  private static final String OTHERS =
      claim("a-stuck", 1)
          + pod("a-bound", "nodeName: n1, " + using("a-stuck"))
          + pod("a-lost", "priority: 9, " + template("none"))
          + claim("a-wanted", 2)
          + pod("a-greedy", "priority: 9, " + using("a-wanted"))
          + claim("a-unused", 2)
          + """
          ---
          apiVersion: apps/v1
          kind: StatefulSet
          metadata: {name: set, namespace: ml}
          spec:
            replicas: 2
            template: {spec: {resourceClaims: [{name: c, resourceClaimTemplateName: none}]}}
          """;

  private static Cli explain(String objects, String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "explain";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "-";
    return Cli.wideWith(NODE + objects, all);
  }

  private static String firstLine(Cli answer) {
    return answer.out().lines().findFirst().orElse("");
  }

  @Test
  void theAnswerIsAboutThePodAndNotAboutOthers() {
    Cli answer = explain(OTHERS + claim("c", 2) + pod("x", using("c")), "pod/ml/x");
    assertThat(answer.out()).isEqualTo("ml/x: fits on node n1\n");
    assertThat(answer.code()).isZero();
    Cli refused = explain(OTHERS + claim("c", 3) + pod("x", using("c")), "pod/ml/x");
    assertThat(firstLine(refused)).startsWith("ml/x: ").contains("the node has only 2");
    assertThat(refused.out()).doesNotContain("ml/a-");
    assertThat(refused.code()).isEqualTo(1);
  }

  @Test
  void aPodThatIsStuckOnItsNodeIsExplainedWhenItIsAskedFor() {
    Cli answer = explain(OTHERS, "pod/ml/a-bound");
    assertThat(firstLine(answer))
        .startsWith("ml/a-bound: node n1 is the node that the pod names (spec.nodeName)")
        .contains("claim ml/a-stuck");
    assertThat(answer.code()).isEqualTo(1);
  }

  @Test
  void aMissingTemplateIsTheCauseOfItsOwnPodAndAWarningForOthers() {
    String missing = "no ResourceClaimTemplate ml/none";
    Cli answer = explain(OTHERS, "pod/ml/a-lost");
    assertThat(firstLine(answer)).isEqualTo("ml/a-lost: spec.resourceClaims[c]: " + missing);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).doesNotContain("ml/a-lost");
    String asked =
        OTHERS.replace("a-lost", "a-bad").replace("priority: 9, res", "nodeName: n1, res");
    Cli other = explain(asked + claim("c", 1) + pod("x", using("c")), "pod/ml/x");
    assertThat(other.errLines())
        .anyMatch(line -> line.startsWith("dra4j: warning: ") && line.endsWith(missing))
        .allMatch(line -> line.startsWith("dra4j: warning: "));
    assertThat(other.code()).isZero();
  }

  @Test
  void theCauseIsThereBesideVeryManyOtherMistakes() {
    StringBuilder others = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      others.append(pod("a" + i, "nodeName: n1, " + template("none")));
    }
    Cli answer = explain(others + pod("x", template("gone")), "pod/ml/x");
    assertThat(firstLine(answer))
        .isEqualTo("ml/x: spec.resourceClaims[c]: no ResourceClaimTemplate ml/gone");
    assertThat(answer.code()).isEqualTo(2);
  }

  @Test
  void aMistakeInOneClaimOfThePodDoesNotHideTheOthers() {
    String claims =
        "resourceClaims: [{name: a, resourceClaimName: c}, {name: b, resourceClaimName: gone}]";
    Cli answer = explain(claim("c", 1) + pod("x", claims), "pod/ml/x");
    assertThat(answer.out()).contains("no ResourceClaim ml/gone").doesNotContain("ml/c");
  }

  @Test
  void aProblemOfAnotherPodIsNoProblemOfAClaim() {
    String objects = OTHERS + claim("c", 1) + pod("x", "priority: 10, " + using("c"));
    Cli answer = explain(objects, "--claim", "ml/c");
    assertThat(answer.out()).isEqualTo("ml/x: fits on node n1\n");
    assertThat(answer.code()).isZero();
    assertThat(explain(objects, "claim/ml/c").code()).isZero();
    assertThat(explain(pod("x", using("c")), "--claim", "ml/c").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          containers: [{name: a}]             |
          nodeName: n1, containers: [{name: a}] |
          """)
  void aPodWithoutClaimsHasAnAnswer(String spec) throws Exception {
    Cli answer = explain(OTHERS + pod("x", spec), "pod/ml/x");
    assertThat(firstLine(answer))
        .isEqualTo(
            "ml/x: requests no devices through ResourceClaims; kubectl describe pod x -n ml shows"
                + " other reasons");
    assertThat(answer.code()).isZero();
    JsonNode json =
        new ObjectMapper()
            .readTree(explain(OTHERS + pod("x", spec), "pod/ml/x", "-o", "json").out());
    assertThat(json.at("/pods/0/fits").asBoolean()).isTrue();
    assertThat(json.at("/pods/0").has("node")).isFalse();
  }

  @Test
  void aPodThatAsksForWhatNoNodeHasIsToldSo() {
    String spec = "containers: [{name: a, resources: {limits: {example.com/gpu: 1}}}]";
    assertThat(firstLine(explain(pod("x", spec), "pod/ml/x")))
        .startsWith(
            "ml/x: requests no devices through ResourceClaims; it requests example.com/gpu");
  }

  @Test
  void aPodThatHasEndedIsNotExplained() {
    String pod =
        pod("x", using("c"))
            .replace("}}\n", "}, status: {phase: Failed}}\n")
            .replace("}]}}", "}]}");
    Cli answer = explain(claim("c", 1) + pod, "pod/ml/x");
    assertThat(answer.out()).isEqualTo("ml/x: has ended (Failed): no scheduler places it\n");
    assertThat(answer.code()).isZero();
  }

  @Test
  void gatesAndOtherSchedulersAreCauses() {
    String gates = "schedulingGates: [{name: example.com/hold}], ";
    Cli gated = explain(claim("c", 1) + pod("x", gates + using("c")), "pod/ml/x");
    assertThat(firstLine(gated))
        .isEqualTo(
            "ml/x: waits for the removal of its scheduling gate example.com/hold"
                + " (spec.schedulingGates): no scheduler places it before; apart from that: fits on"
                + " node n1");
    Cli other =
        explain(claim("c", 3) + pod("x", "schedulerName: volcano, " + using("c")), "pod/ml/x");
    assertThat(firstLine(other))
        .startsWith("ml/x: is placed by the scheduler volcano (spec.schedulerName), not by")
        .contains("the node has only 2");
    assertThat(other.code()).isEqualTo(1);
    assertThat(
            explain(claim("c", 1) + pod("x", "schedulerName: default-scheduler, " + using("c")))
                .out())
        .isEqualTo("ml/x: fits on node n1\n");
    assertThat(firstLine(explain(pod("x", gates + "priority: 1"), "pod/ml/x")))
        .startsWith("ml/x: waits for the removal")
        .contains("apart from that: requests no devices");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pod ml/x", "po ml/x", "pods ml/x", "pod x -n ml", "pod/x -n ml"})
  void kindAndNameMayBeTwoArguments(String question) {
    Cli answer = explain(OTHERS + claim("c", 1) + pod("x", using("c")), question.split(" "));
    assertThat(answer.out()).as(answer.err()).isEqualTo("ml/x: fits on node n1\n");
  }

  @Test
  void aFileThatIsCalledPodIsAFile(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("pod"), NODE + claim("c", 1));
    assertThat(Cli.run("explain", file.toString()).out()).isEqualTo("ml/c: fits on node n1\n");
    Cli noPod = Cli.run("explain", "pod", file.toString()); // and no pod of a live cluster
    assertThat(noPod.err()).startsWith("dra4j: pod: no such file");
  }

  @Test
  void aNodeThatNeverHasSoManyDevicesIsNamedSo() {
    String[] first = NODE.split("---\n", -1);
    String second =
        "---\n%s---\n%s"
            .formatted(first[0], first[2])
            .replace("n1", "n2")
            .replace("{name: s}", "{name: t}")
            .replace("name: p,", "name: q,");
    Cli answer = explain(second + claim("c", 8) + pod("x", using("c")), "pod/ml/x");
    assertThat(firstLine(answer))
        .isEqualTo("ml/x: 2 nodes: node has 2 devices of class gpu, 8 are requested");
  }

  @Test
  void aSelectorThatReadsAttributesOfAnotherDriverIsSaidToDoSo() {
    String objects =
        """
        ---
        {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: any}, spec: {}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: nics}
        spec:
          driver: dra.net
          nodeName: n1
          pool: {name: nics, generation: 1, resourceSliceCount: 1}
          devices: [{name: nic-0, attributes: {rdma: {bool: true}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: ml}
        spec:
          devices:
            requests:
            - name: r
              exactly:
                deviceClassName: any
                selectors: [{cel: {expression: 'device.attributes["amd.com"].model == "b"'}}]
        """;
    String nics = objects.replace("deviceClassName: any", "deviceClassName: nic");
    nics =
        nics.replace(
            "{name: any}, spec: {}",
            "{name: nic}, spec: {selectors: [{cel: {expression:"
                + " 'device.driver == \"dra.net\"'}}]}");
    assertThat(explain(nics).out())
        .contains(
            "this device has no attributes in the domain \"amd.com\", only in \"dra.net\"; a"
                + " selector of another driver's devices begins with device.driver == \"amd.com\" &&");
  }
}
