package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.cli.Cli;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A pod is pending in a live cluster, after the real scheduler has refused it: {@code dra4j explain
 * pod/NAME} names the cause in its first line, and so does the same question about a snapshot.
 */
class ExplainLiveTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: live-1, labels: {zone: a}}
      status:
        capacity: {cpu: "8", memory: 32Gi, pods: "110"}
        allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
        conditions: [{type: Ready, status: "True", reason: Faked}]
      """;

  private static final String CLASS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: live}
      spec: {selectors: [{cel: {expression: 'device.driver == "live.example.com"'}}]}
      """;

  private KubernetesClient client;
  private final List<HasMetadata> made = new ArrayList<>();

  @BeforeEach
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    make(NODE);
    make(CLASS);
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      Collections.reverse(made);
      made.forEach(one -> client.resource(one).withGracePeriod(0).delete());
      made.forEach(
          one -> client.resource(one).waitUntilCondition(Objects::isNull, 30, TimeUnit.SECONDS));
      client.close();
    }
  }

  private void make(String yaml) {
    for (HasMetadata object :
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))).items()) {
      made.add(client.resource(object).create());
    }
  }

  private static String slice(String name, int sliceCount, String more) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceSlice
    metadata: {name: %s}
    spec:
      driver: live.example.com
      nodeName: live-1
      pool: {name: live-1, generation: 1, resourceSliceCount: %d}
    %s"""
        .formatted(name, sliceCount, more.indent(2));
  }

  private static String claim(String name, String devices) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: %s, namespace: default}
    spec: {devices: %s}
    """
        .formatted(name, devices);
  }

  private static String pod(String name, String more) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %1$s, namespace: default}
    spec:
      resourceClaims: [{name: c, resourceClaimName: %1$s}]
      containers:
      - name: main
        image: example.com/none
        env: [{name: PASSWORD, value: hunter2}]
        resources: {claims: [{name: c}]}
      %2$s
    """
        .formatted(name, more);
  }

  private void awaitScheduled(String pod, String status) {
    client
        .pods()
        .inNamespace("default")
        .withName(pod)
        .waitUntilCondition(one -> hasCondition(one, status), 60, TimeUnit.SECONDS);
  }

  private static boolean hasCondition(Pod pod, String status) {
    return pod != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(
                one -> one.getType().equals("PodScheduled") && one.getStatus().equals(status));
  }

  /**
   * A pod that is pending, and why.
   *
   * @param cause the cause, as the documentation calls it
   * @param slices what the specification of each slice of the pool has, but for names
   * @param first the request of a pod that is placed before; empty for none
   * @param claim what the specification of the claim has below {@code devices}
   * @param more what the specification of the pod has besides
   * @param expected what the first line of the answer has
   */
  private record Case(
      String cause,
      List<String> slices,
      String first,
      String claim,
      String more,
      List<String> expected) {

    @Override
    public String toString() {
      return cause;
    }
  }

  private static final String ONE = "devices: [{name: d}]";

  private static String request(String more) {
    return "{requests: [{name: r, exactly: {deviceClassName: live" + more + "}}]}";
  }

  private static String selecting(String expression) {
    return request(", selectors: [{cel: {expression: '" + expression + "'}}]");
  }

  static List<Case> causes() {
    String any = request("");
    return List.of(
        new Case(
            "class missing",
            List.of(ONE),
            "",
            "{requests: [{name: r, exactly: {deviceClassName: none}}]}",
            "",
            List.of("device class none not found")),
        new Case(
            "selector false",
            List.of("devices: [{name: d, attributes: {size: {int: 1}}}]"),
            "",
            selecting("device.attributes[\"live.example.com\"].size > 5"),
            "",
            List.of("device.attributes[\"live.example.com\"].size > 5")),
        new Case(
            "selector failing",
            List.of(ONE),
            "",
            selecting("device.attributes[\"live.example.com\"].none == 5"),
            "",
            List.of("no such key: none")),
        new Case(
            "devices in use", List.of(ONE), any, any, "", List.of("is in use by default/first")),
        new Case(
            "taint",
            List.of(
                "devices: [{name: d, taints: [{key: example.com/broken, effect: NoSchedule}]}]"),
            "",
            any,
            "",
            List.of("has the taint example.com/broken:NoSchedule")),
        new Case(
            "counter exhausted",
            List.of(
                "sharedCounters: [{name: gpu, counters: {slots: {value: \"1\"}}}]",
                """
                devices:
                - {name: d, consumesCounters: [{counterSet: gpu, counters: {slots: {value: "1"}}}]}
                - {name: e, consumesCounters: [{counterSet: gpu, counters: {slots: {value: "1"}}}]}
                """),
            any,
            any,
            "",
            List.of("shared counter gpu.slots than is left", "default/first")),
        new Case(
            "capacity exhausted",
            List.of(
                """
                devices:
                - name: d
                  allowMultipleAllocations: true
                  capacity: {memory: {value: 4Gi, requestPolicy: {default: 1Gi}}}
                """),
            request(", capacity: {requests: {memory: 3Gi}}"),
            request(", capacity: {requests: {memory: 2Gi}}"),
            "",
            List.of("3Gi of the 4Gi of memory in use, 2Gi are requested", "default/first")),
        new Case(
            "constraint",
            List.of(
                """
                devices:
                - {name: d, attributes: {root: {string: a}}}
                - {name: e, attributes: {root: {string: b}}}
                """),
            "",
            "{requests: [{name: r, exactly: {deviceClassName: live, count: 2}}],"
                + " constraints: [{matchAttribute: live.example.com/root}]}",
            "",
            List.of("matchAttribute live.example.com/root")),
        new Case(
            "pool incomplete",
            List.of(ONE, ""),
            "",
            any,
            "",
            List.of("pool live.example.com/live-1 is incomplete")),
        new Case(
            "node affinity",
            List.of(ONE),
            "",
            any,
            "nodeSelector: {zone: b}",
            List.of("node live-1 lacks zone=b")));
  }

  /** The scheduler has refused the pod; a slice without content is promised, and missing. */
  @ParameterizedTest
  @MethodSource("causes")
  void firstLineNamesTheCause(Case pending, @TempDir Path directory) throws Exception {
    for (int i = 0; i < pending.slices().size(); i++) {
      if (!pending.slices().get(i).isEmpty()) {
        make(slice("live-slice-" + i, pending.slices().size(), pending.slices().get(i)));
      }
    }
    if (!pending.first().isEmpty()) {
      make(claim("first", pending.first()));
      make(pod("first", ""));
      awaitScheduled("first", "True");
    }
    make(claim("pending", pending.claim()));
    make(pod("pending", pending.more()));
    awaitScheduled("pending", "False");
    Cli run = Cli.run("explain", "pod/pending");
    assertThat(run.code()).isNotZero();
    String firstLine = run.out().lines().findFirst().orElse(run.err());
    System.out.printf("cluster: explain, %s: %s%n", pending, firstLine);
    assertThat(firstLine).contains("pending").contains(pending.expected());
    Path file = directory.resolve("cluster.json");
    assertThat(Cli.run("snapshot", "-o", file.toString()).code()).isZero();
    assertThat(Cli.run("explain", "pod/pending", file.toString()).out()).isEqualTo(run.out());
    assertThat(Files.readString(file)).contains("\"pending\"").doesNotContain("hunter2");
  }

  /** What the API server took is valid. */
  @Test
  void otherCommandsReadTheClusterToo() {
    make(slice("live-slice", 1, "devices: [{name: d}, {name: e}]"));
    make(claim("pending", "{requests: [{name: r, exactly: {deviceClassName: live}}]}"));
    Cli valid = Cli.run("validate", "--from-cluster");
    assertThat(valid.code()).as(valid.out() + valid.err()).isZero();
    Cli topology = Cli.run("topology", "--from-cluster", "--node", "live-1");
    assertThat(topology.code()).as(topology.err()).isZero();
    assertThat(topology.out()).contains("live-1");
    assertThat(Cli.run("validate", "--from-cluster", "a.yaml").err())
        .contains("--from-cluster reads the live cluster, not 'a.yaml'");
    assertThat(Cli.run("topology", "--from-cluster", "--no-host").err()).contains("--from-cluster");
    assertThat(Cli.run("validate", "--print-rbac").out()).contains("kind: ClusterRole");
  }
}
