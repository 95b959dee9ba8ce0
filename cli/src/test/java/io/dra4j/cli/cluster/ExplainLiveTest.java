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
import org.junit.jupiter.params.provider.CsvSource;

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

  private static String firstLine(Cli run) {
    return run.out().lines().findFirst().orElse("") + "\n" + run.err();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          class missing       | devices: [{name: d}]                                  | {requests: [{name: r, exactly: {deviceClassName: none}}]} | '' | 1 | device class none not found
          selector false      | devices: [{name: d, attributes: {size: {int: 1}}}]    | {requests: [{name: r, exactly: {deviceClassName: live, selectors: [{cel: {expression: 'device.attributes["live.example.com"].size > 5'}}]}}]} | '' | 1 | size > 5
          selector failing    | devices: [{name: d}]                                  | {requests: [{name: r, exactly: {deviceClassName: live, selectors: [{cel: {expression: 'device.attributes["live.example.com"].none == 5'}}]}}]} | '' | 1 | no such key
          taint               | devices: [{name: d, taints: [{key: example.com/broken, effect: NoSchedule}]}] | {requests: [{name: r, exactly: {deviceClassName: live}}]} | '' | 1 | taint.*example.com/broken
          capacity exhausted  | devices: [{name: d, capacity: {memory: {value: 4Gi}}}] | {requests: [{name: r, exactly: {deviceClassName: live, capacity: {requests: {memory: 8Gi}}}}]} | '' | 1 | 8Gi
          constraint          | devices: [{name: d, attributes: {root: {string: a}}}, {name: e, attributes: {root: {string: b}}}] | {requests: [{name: r, exactly: {deviceClassName: live, count: 2}}], constraints: [{matchAttribute: live.example.com/root}]} | '' | 1 | matchAttribute live.example.com/root
          pool incomplete     | devices: [{name: d}]                                  | {requests: [{name: r, exactly: {deviceClassName: live}}]} | '' | 2 | incomplete
          node affinity       | devices: [{name: d}]                                  | {requests: [{name: r, exactly: {deviceClassName: live}}]} | 'nodeSelector: {zone: b}' | 1 | zone
          """)
  void firstLineNamesTheCause(
      String cause, String devices, String claim, String more, int sliceCount, String expected)
      throws Exception {
    make(slice("live-slice", sliceCount, devices));
    make(claim("pending", claim));
    make(pod("pending", more));
    awaitScheduled("pending", "False");
    Cli run = Cli.run("explain", "pod/pending");
    assertThat(firstLine(run)).as(cause).containsPattern(expected);
    assertThat(run.code()).isNotZero();
  }

  @Test
  void devicesInUse(@TempDir Path folder) throws Exception {
    make(slice("live-slice", 1, "devices: [{name: d}]"));
    make(claim("first", "{requests: [{name: r, exactly: {deviceClassName: live}}]}"));
    make(pod("first", ""));
    awaitScheduled("first", "True");
    make(claim("pending", "{requests: [{name: r, exactly: {deviceClassName: live}}]}"));
    make(pod("pending", ""));
    awaitScheduled("pending", "False");
    Cli run = Cli.run("explain", "pod/pending");
    assertThat(firstLine(run)).contains("in use by default/first");
    assertThat(run.code()).isEqualTo(1);
    Path file = folder.resolve("cluster.json");
    assertThat(Cli.run("snapshot", "-o", file.toString()).code()).isZero();
    assertThat(Cli.run("explain", "pod/pending", file.toString()).out()).isEqualTo(run.out());
    assertThat(Files.readString(file)).contains("\"pending\"").doesNotContain("hunter2");
  }

  @Test
  void countersExhausted() throws Exception {
    make(
        slice(
            "live-counters",
            2,
            "sharedCounters: [{name: gpu, counters: {slots: {value: \"1\"}}}]"));
    make(
        slice(
            "live-slice",
            2,
            """
            devices:
            - {name: d, consumesCounters: [{counterSet: gpu, counters: {slots: {value: "1"}}}]}
            - {name: e, consumesCounters: [{counterSet: gpu, counters: {slots: {value: "1"}}}]}
            """));
    make(claim("first", "{requests: [{name: r, exactly: {deviceClassName: live}}]}"));
    make(pod("first", ""));
    awaitScheduled("first", "True");
    make(claim("pending", "{requests: [{name: r, exactly: {deviceClassName: live}}]}"));
    make(pod("pending", ""));
    awaitScheduled("pending", "False");
    assertThat(firstLine(Cli.run("explain", "pod/pending"))).containsPattern("counter");
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
