package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocateCommandTest {

  private static final String CONFORMANCE =
      "../core/src/test/resources/conformance/aligned-pairwise.yaml";
  private static final String EXAMPLE = "../examples/gke-a4-aligned.yaml";
  private static final String ONE_PAIR_PER_ROOT =
      "../core/src/test/resources/conformance/aligned-one-pair-per-root.yaml";

  /** A node with two GPUs and a class for them. */
  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-1, labels: {zone: a}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: gpu.example.com
        nodeName: node-1
        pool: {name: node-1, generation: 1, resourceSliceCount: 1}
        devices: [{name: gpu-0}, {name: gpu-1}]
      ---
      """;

  private static String claim(String name, String request) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: %s}
    spec: {devices: {requests: [{name: r, exactly: %s}]}}
    ---
    """
        .formatted(name, request);
  }

  private static Cli allocate(String cluster, String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "allocate";
    all[1] = "-";
    System.arraycopy(args, 0, all, 2, args.length);
    return Cli.runWith(cluster, all).unwrapped();
  }

  @ParameterizedTest
  @ValueSource(strings = {"conditions-in-brackets", "conditions-of-a-class"})
  void claimsWithConditionsInBracketsThatDoNotFitAreRefused(String name) {
    Cli cli = Cli.run("allocate", "src/test/resources/io/dra4j/cli/explain/" + name + ".yaml");
    assertThat(cli.code()).isEqualTo(ExitCode.DOES_NOT_FIT.value());
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("default/t: n0: does not fit: claim default/t, request r: needs");
  }

  @Test
  void theExampleGivesEachPodTwoPairsOnOneRoot() throws IOException {
    Cli cli = Cli.run("allocate", "-o", "json", EXAMPLE);
    assertThat(cli.code()).isZero();
    JsonNode items = new ObjectMapper().readTree(cli.out()).path("items");
    assertThat(items.findValuesAsText("device"))
        .containsExactly(
            "gpu-0", "gpu-1", "gpu0rdma0", "gpu1rdma0", "gpu-0", "gpu-1", "gpu0rdma0", "gpu1rdma0");
    assertThat(items.findValuesAsText("pool"))
        .containsExactly("a4-0", "a4-0", "a4-0", "a4-0", "a4-1", "a4-1", "a4-1", "a4-1");
  }

  @Test
  void theTableAndThePictureNamePodsDevicesAndRoots() {
    Cli cli = Cli.run("allocate", EXAMPLE);
    assertThat(cli.code()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("default/nccl-test-0  a4-0  nccl-test-0-devices  gpu")
        .contains("default/nccl-test-1  a4-1  nccl-test-1-devices  nic")
        .contains("|-- NUMA node 0")
        .contains("|   |-- pci0000:8a")
        .contains("gpu-0      gpu.nvidia.com  0000:8f:00.0  <== default/nccl-test-0-devices")
        .contains("gpu-7      gpu.nvidia.com  0000:cc:00.0  free");
  }

  @Test
  void thePictureLeavesOutWhatANewerGenerationSupersedes() {
    String older =
        CLUSTER
            .substring(CLUSTER.indexOf("kind: ResourceSlice"))
            .replace("name: s}", "name: older}")
            .replace("gpu-0", "gone-0")
            .replace("gpu-1", "gone-1");
    String newer = CLUSTER.replace("generation: 1", "generation: 2");
    Cli cli =
        allocate(
            newer
                + "apiVersion: resource.k8s.io/v1\n"
                + older
                + claim("wants-gpu", "{deviceClassName: gpu}"));
    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .containsPattern("gpu-0 .*<== default/wants-gpu")
        .containsPattern("gpu-1 .*free")
        .doesNotContain("gone-");
  }

  @Test
  void aClaimThatDoesNotFitIsExplainedAndExitsWith1() {
    Cli cli = Cli.run("allocate", ONE_PAIR_PER_ROOT).unwrapped();
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .contains("does not fit: claim default/")
        .contains("no PCIe root has 2 free devices for ")
        .contains("matchAttribute resource.kubernetes.io/pcieRoot needs all 4 to share one");
  }

  @Test
  void laterPodsFindTheDevicesOfEarlierOnesInUse() {
    String claims =
        claim("a", "{deviceClassName: gpu}")
            + claim("b", "{deviceClassName: gpu}")
            + claim("c", "{deviceClassName: gpu}");
    Cli cli = allocate(CLUSTER + claims);
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .containsPattern("default/a +node-1 +a +r +gpu.example.com/gpu-0")
        .containsPattern("default/b +node-1 +b +r +gpu.example.com/gpu-1")
        .contains(
            "default/c: node-1: does not fit: claim default/c, request r: needs 1 device of"
                + " class gpu, but of the node's 2 none can be allocated: 2 are in use by default/a and"
                + " default/b");
  }

  @Test
  void podsRunWhereNodeNameSelectorAndSharedClaimsAllow() {
    String second =
        CLUSTER
            .replace("node-1", "node-2")
            .replace("name: s}", "name: s2}")
            .replace("zone: a", "zone: b")
            .replace(
                "kind: DeviceClass\nmetadata: {name: gpu}",
                "kind: DeviceClass\nmetadata: {name: other}");
    String pods =
        claim("shared", "{deviceClassName: gpu}")
            + """
            apiVersion: v1
            kind: Pod
            metadata: {name: picky}
            spec: {nodeSelector: {zone: b}, resourceClaims: [{name: x, resourceClaimName: shared}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: friend}
            spec: {resourceClaims: [{name: x, resourceClaimName: shared}]}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: bound}
            spec: {nodeName: node-1, resourceClaims: [{name: x, resourceClaimName: shared}]}
            """;
    Cli cli = allocate(CLUSTER + second + pods);
    assertThat(cli.out())
        .containsPattern("default/picky +node-2 +shared +r +gpu.example.com/gpu-0")
        .containsPattern("default/friend +node-2 +shared +r +gpu.example.com/gpu-0")
        .contains(
            "default/bound: does not fit: node node-1 is not where claim default/shared, which is"
                + " allocated, can be used (metadata.name In [node-2]); node node-2 is not node-1,"
                + " the node that the pod names");
    assertThat(cli.code()).isEqualTo(1);
  }

  private static String pod(String spec) {
    return claim("x", "{deviceClassName: gpu}")
        + "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {resourceClaims: [{name: x,"
        + " resourceClaimName: x}], "
        + spec
        + "}}\n";
  }

  /** The cluster with something in the spec of its node. */
  private static String cluster(String spec) {
    return CLUSTER.replace("labels: {zone: a}}\n", "labels: {zone: a}}\nspec: " + spec + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{operator: Exists}", "{key: nvidia.com/gpu, operator: Exists}"})
  void podsThatTolerateTheTaintOfGpuNodesArePlaced(String toleration) {
    String tainted = cluster("{taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}");
    Cli cli = allocate(tainted + pod("tolerations: [" + toleration + "]"), "--strict");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).containsPattern("default/p +node-1 +x");
  }

  /** Spec of the node, of the pod, and the message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]} | a: 1 | node node-1 has the taint nvidia.com/gpu:NoSchedule, which the pod does not tolerate
          {unschedulable: true} | a: 1 | node node-1 is cordoned (spec.unschedulable), and the pod does not tolerate node.kubernetes.io/unschedulable:NoSchedule
          {} | nodeSelector: {zone: c} | node node-1 lacks zone=c: it has zone=a
          {} | nodeName: n7 | the pod names node n7 (spec.nodeName), and there is no Node of that name
          {} | affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: NotIn, values: [a]}]}]}}} | node node-1 is not what the pod's node affinity requires (zone NotIn [a]): it has zone=a
          """)
  void theCauseIsNamed(String node, String pod, String sentence) {
    String input = cluster(node) + pod(pod.replace("a: 1", "hostname: h"));
    Cli cli = allocate(input);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out()).contains("\ndefault/p: does not fit: " + sentence + "\n");
    Cli json = allocate(input, "-o", "json");
    assertThat(json.errLines()).containsExactly("dra4j: default/p: does not fit: " + sentence);
    Cli explained = Cli.wideWith(input, "explain", "-");
    assertThat(explained.code()).isEqualTo(1);
    assertThat(explained.out()).startsWith("default/p: " + sentence + "\n");
  }

  @Test
  void whyOtherNodesAreOutOfTheQuestionIsToldToo() {
    String second =
        CLUSTER
            .substring(CLUSTER.indexOf("---"))
            .replace("metadata: {name: gpu}", "metadata: {name: more}")
            .replace("name: s}", "name: s2}")
            .replace("node-1", "node-2");
    String node = "{apiVersion: v1, kind: Node, metadata: {name: node-2}}\n";
    Cli cli =
        allocate(
            cluster("{taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}")
                + node
                + second
                + claim("held", "{deviceClassName: gpu, allocationMode: All}")
                + "{apiVersion: v1, kind: Pod, metadata: {name: first}, spec: {resourceClaims:"
                + " [{name: x, resourceClaimName: held}]}}\n---\n"
                + pod("hostname: h"));
    assertThat(cli.out())
        .contains("default/p: node-2: does not fit: claim default/x")
        .contains(
            "does not fit on others: node node-1 has the taint nvidia.com/gpu:NoSchedule, which"
                + " the pod does not tolerate");
  }

  @Test
  void helpSaysWhichAffinityIsLookedAt() {
    String help = Cli.run("allocate", "--help").out().replaceAll("\\s+", " ");
    assertThat(help)
        .contains(
            "Considered for each node: claims, nodeName, nodeSelector, required node affinity")
        .contains("required affinity to pods, mandatory topology spread, host ports");
  }

  @Test
  void podsThatHaveEndedHoldNoDevicesAndWaitForNone() {
    String done =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: done, uid: u1}
        spec: {nodeName: node-1, resourceClaims: [{name: x, resourceClaimName: old}]}
        status: {phase: Succeeded}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: old}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 2}}]}}
        status:
          reservedFor: [{resource: pods, name: done, uid: u1}]
          allocation:
            devices:
              results:
              - {request: r, driver: gpu.example.com, pool: node-1, device: gpu-0}
              - {request: r, driver: gpu.example.com, pool: node-1, device: gpu-1}
        ---
        """;
    Cli cli = allocate(CLUSTER + done + claim("new", "{deviceClassName: gpu, count: 2}"));
    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .containsPattern("default/new +node-1 +new +r +gpu.example.com/gpu-1")
        .doesNotContain("default/done")
        .doesNotContain("default/old");
    Cli running =
        allocate(
            CLUSTER
                + done.replace("Succeeded", "Running")
                + claim("new", "{deviceClassName: gpu, count: 2}"));
    assertThat(running.code()).isEqualTo(1);
  }

  @Test
  void reasonsOfManyNodesAreAFewLines() {
    StringBuilder nodes = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      nodes.append(
          CLUSTER
              .replace("node-1", "n" + i)
              .replace("name: s}", "name: s" + i + "}")
              .replace(
                  "DeviceClass\nmetadata: {name: gpu}",
                  "DeviceClass\nmetadata: {name: gpu" + i + "}"));
    }
    String many = nodes + claim("a", "{deviceClassName: gpu1, count: 3}");
    Cli table = allocate(many);
    assertThat(table.code()).isEqualTo(1);
    assertThat(table.out()).contains("... and 26 more nodes");
    assertThat(allocate(many, "-o", "json").errLines())
        .hasSize(5)
        .last()
        .isEqualTo("dra4j: default/a: ... and 26 more nodes");
  }

  @Test
  void theClaimsComeBackAsOneListWithTheirUnknownFields() throws IOException {
    String claims =
        claim("a", "{deviceClassName: gpu}")
                .replace("metadata: {", "metadata: {finalizers: [example.com/f], ")
            + claim("b", "{deviceClassName: gpu, count: 2}");
    Cli cli = allocate(CLUSTER + claims, "-o", "json");
    JsonNode list = new ObjectMapper().readTree(cli.out());
    assertThat(list.path("kind").asText()).isEqualTo("List");
    assertThat(list.path("items").get(0).path("metadata").path("finalizers").get(0).asText())
        .isEqualTo("example.com/f");
    assertThat(list.path("items").get(0).at("/status/allocation/devices/results/0/device").asText())
        .isEqualTo("gpu-0");
    assertThat(list.path("items").get(1).has("status")).isFalse();
    assertThat(cli.err()).startsWith("dra4j: default/b: node-1: does not fit");
    Cli yaml = allocate(CLUSTER + claims, "-o", "yaml");
    assertThat(yaml.out()).startsWith("apiVersion: v1\nkind: List\nitems:\n");
  }

  @Test
  void everyFileGetsItsLineWithAllNodes(@TempDir Path directory) throws IOException {
    Path bad = Files.writeString(directory.resolve("bad.yaml"), "a: [");
    Path good =
        Files.writeString(
            directory.resolve("good.yaml"), CLUSTER + claim("a", "{deviceClassName: gpu}"));
    Cli cli =
        Cli.run(
            "allocate",
            "--all-nodes",
            "-o",
            "json",
            bad.toString(),
            "missing.yaml",
            good.toString());
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines()).hasSize(2);
    assertThat(cli.out().lines())
        .hasSize(3)
        .allSatisfy(line -> assertThat(new ObjectMapper().readTree(line).has("nodes")).isTrue());
    assertThat(cli.out().lines().toList().get(1))
        .isEqualTo(
            "{\"error\":\"missing.yaml: no such file\",\"file\":\"missing.yaml\",\"nodes\":{}}");
  }

  @Test
  void exitCodesTellWhatWentWrong() {
    assertThat(allocate(CLUSTER + claim("a", "{deviceClassName: nope}")).code()).isEqualTo(3);
    assertThat(
            allocate(
                    CLUSTER
                        + claim(
                            "a", "{deviceClassName: gpu, selectors: [{cel: {expression: 'x('}}]}"))
                .code())
        .isEqualTo(3);
    assertThat(allocate(CLUSTER + claim("a", "{deviceClassName: gpu}"), "--timeout", "0s").code())
        .isEqualTo(4);
    assertThat(allocate(CLUSTER + claim("a", "{deviceClassName: gpu, count: 3}")).code())
        .isEqualTo(1);
    assertThat(allocate(CLUSTER + claim("a", "{deviceClassName: gpu}")).code()).isZero();
    assertThat(
            allocate(
                    CLUSTER
                        + claim("a", "{deviceClassName: gpu, count: 3}")
                        + claim("b", "{deviceClassName: nope}"))
                .code())
        .isEqualTo(3);
  }

  @Test
  void aSelectorThatDoesNotCompileIsOneClearReason() {
    Cli cli =
        allocate(
            CLUSTER
                + claim(
                    "a",
                    "{deviceClassName: gpu, selectors: [{cel: {expression: 'device.nope'}}]}"));
    assertThat(cli.out())
        .contains("default/a: claim default/a, request r: selector #0: CEL compile error:")
        .doesNotContain("Exception");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: b: c",
        "{\"kind\": \"Node\", \"apiVersion\": \"v1\", \"metadata\": 5}",
        """
        apiVersion: v1
        kind: Node
        metadata: {name: x}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: x}\
        """,
        "x: &x [*x]",
        "\u0000",
      })
  void badInputIsOneLineAndExitCode2(String input) {
    Cli cli = allocate(input);
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines()).singleElement().asString().startsWith("dra4j: standard input:");
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void aFileOverTheSizeLimitIsRefused() {
    Cli cli = allocate(CLUSTER, "--max-file-size", "100");
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines())
        .containsExactly("dra4j: standard input: is larger than the limit of 100 bytes");
  }

  @Test
  void danglingReferencesAreNamed() {
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec: {resourceClaims: [{name: x, resourceClaimTemplateName: nope}]}
        """;
    Cli cli = allocate(CLUSTER + pod);
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: standard input:18:1: pod default/p: spec.resourceClaims[x]: no"
                + " ResourceClaimTemplate default/nope");
    assertThat(cli.out())
        .isEqualTo(
            "Nothing placed: all pods with claims have errors, and no claims are pending.\n");
  }

  @Test
  void theReleaseOfTheClusterDecidesWhatCounts() {
    String taint = "taints: [{key: broken, effect: NoSchedule}]";
    String cluster =
        CLUSTER.replace("{name: gpu-0}, {name: gpu-1}", "{name: gpu-0, " + taint + "}")
            + claim("a", "{deviceClassName: gpu}");
    assertThat(allocate(cluster).code()).isEqualTo(1);
    assertThat(allocate(cluster, "--kubernetes", "1.36").code()).isEqualTo(1);
    assertThat(allocate(cluster, "--kubernetes", "v1.35.4").code()).isZero();
    assertThat(allocate(cluster, "--kubernetes", "1.35", "--features", "DRADeviceTaints").code())
        .isEqualTo(1);
  }

  @Test
  void aScoreSaysWhatThePodsDevicesAreWorth() {
    Cli cli = Cli.run("allocate", "--policy", "best", EXAMPLE);

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("default/nccl-test-0: 2 pairs each on one PCIe root: 80 of at most");
  }

  @Test
  void eachNodeByItselfIsScoredWhereAPolicyIsNamed() {
    assertThat(Cli.run("allocate", "--all-nodes", "-o", "json", EXAMPLE).out())
        .doesNotContain("score");
    assertThat(
            Cli.run("allocate", "--all-nodes", "-o", "json", "--policy", "pack", CONFORMANCE).out())
        .contains("\"score\":{\"explanation\":\"2 pairs", "\"upperBoundGigabytesPerSecond\":80.0");
  }

  @Test
  void wrongUsageIsExplainedAndExitsWith2() {
    assertThat(Cli.run("allocate", "--all-nodes", "-o", "yaml", EXAMPLE).code()).isEqualTo(2);
    assertThat(Cli.run("allocate", "--policy", "fastest", EXAMPLE).err())
        .contains("unknown policy 'fastest'; known policies: first-fit, best, pack, spread");
    assertThat(Cli.run("allocate", "--features", "Nope", EXAMPLE).err())
        .contains("unknown feature 'Nope'");
    assertThat(Cli.run("allocate", "--features", "AdminAccess=on", EXAMPLE).err())
        .contains("'AdminAccess=on': expected NAME, NAME=true or NAME=false");
    assertThat(Cli.run("allocate", "--kubernetes", "1.31", EXAMPLE).err())
        .contains("unknown version '1.31'; known versions: 1.32, 1.33,");
    Cli later =
        Cli.run("allocate", "--kubernetes", "1.33", "--features", "ConsumableCapacity", EXAMPLE);
    assertThat(later.code()).isEqualTo(2);
    assertThat(later.err()).contains("Kubernetes 1.33 has no feature ConsumableCapacity");
    assertThat(Cli.run("allocate", "--timeout", "soon", EXAMPLE).err()).contains("not a duration");
    assertThat(Cli.run("allocate", "--node", "nope", EXAMPLE).errLines())
        .containsExactly("dra4j: --node: no node \"nope\" in the input; nodes: a4-0, a4-1");
    assertThat(Cli.run("allocate").code()).isEqualTo(2);
    assertThat(Cli.run().code()).isEqualTo(2);
  }

  @Test
  void namesFromManifestsCannotSteerTheTerminal() {
    String evil = CLUSTER.replace("name: gpu-0", "name: \"\\e[31mgpu\\n0\"");
    assertThat(allocate(evil + claim("a", "{deviceClassName: gpu}")).out())
        .contains("-- \\u001b[31mgpu\\u000a0  ")
        .doesNotContain("\u001b");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "apiVersion: resource.k8s.io/v1|apiVersion resource.k8s.io/v1 has no kind",
        "kind: ResourceClaim|kind ResourceClaim has no apiVersion; known are resource.k8s.io/v1,"
            + " resource.k8s.io/v1beta2, resource.k8s.io/v1beta1",
        "spec: {}|it has neither apiVersion nor kind",
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaims}|kind ResourceClaims of"
            + " resource.k8s.io/v1 is not known; did you mean ResourceClaim or"
            + " ResourceSlice?",
        "{apiVersion: resources.k8s.io/v1, kind: ResourceClaim}|ResourceClaim of apiVersion"
            + " resources.k8s.io/v1 is not known; known are resource.k8s.io/v1,"
            + " resource.k8s.io/v1beta2, resource.k8s.io/v1beta1",
        "{apiVersion: resource.k8s.io/v1, kind: Gpu}|kind Gpu of resource.k8s.io/v1 is not known",
      })
  void anObjectOfAMistakenTypeIsSkippedAloudAndStrictlyRefused(String object, String reason) {
    Cli cli = Cli.runWith(object, "allocate", "-");
    Cli strict = Cli.runWith(object, "allocate", "--strict", "-");

    assertThat(cli.code()).isZero();
    assertThat(cli.errLines())
        .first()
        .isEqualTo("dra4j: warning: standard input:1:1: skipped: " + reason);
    assertThat(strict.code()).isEqualTo(2);
    assertThat(strict.out()).isEmpty();
    assertThat(strict.errLines()).containsExactly("dra4j: standard input:1:1: skipped: " + reason);
  }

  @Test
  void objectsOfOtherKindsAreCounted() {
    Cli cli =
        Cli.runWith(
            String.join(
                "\n---\n",
                "{apiVersion: v1, kind: Service}",
                "{apiVersion: batch/v1, kind: CronJob}",
                "{apiVersion: v1, kind: Service}"),
            "allocate",
            "-");

    assertThat(cli.errLines())
        .contains(
            "dra4j: warning: standard input: skipped (kinds that dra4j does not read): 2 Service (v1), 1"
                + " CronJob (batch/v1)");
  }

  @Test
  void aFieldThatDoesNotExistIsNamedWithItsPlaceAndStrictlyRefused() {
    String slice =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s}
        spec:
          driver: gpu.example.com
          nodeName: a
          pool: {name: a, generation: 1, resourceSliceCount: 1}
          devicess:
          - name: gpu-0
        """;
    String message =
        "standard input:8:3: ResourceSlice \"s\": spec.devicess: unknown field; did you mean"
            + " devices";

    Cli cli = Cli.runWith(slice, "allocate", "-");
    Cli strict = Cli.runWith(slice, "allocate", "--strict", "-");

    assertThat(cli.errLines()).contains("dra4j: warning: " + message);
    assertThat(strict.code()).isEqualTo(2);
    assertThat(strict.errLines()).containsExactly("dra4j: " + message);
  }

  @ParameterizedTest
  @CsvSource({"v1beta1, name", "v1beta2, nam"})
  void fieldsAreThoseOfTheDocumentsOwnVersion(String version, String name) {
    Cli cli =
        Cli.runWith(
            """
            apiVersion: resource.k8s.io/%s
            kind: ResourceSlice
            metadata: {name: s}
            spec:
              driver: gpu.example.com
              nodeName: a
              pool: {name: a, generation: 1, resourceSliceCount: 1}
              devices: [{%s: gpu-0, basic: {attributes: {}}}]
            """
                .formatted(version, name),
            "allocate",
            "--strict",
            "-");

    if (version.equals("v1beta1")) {
      assertThat(cli.code()).isZero();
    } else {
      assertThat(cli.errLines())
          .containsExactly(
              "dra4j: standard input:8:14: ResourceSlice \"s\": spec.devices[0].nam: unknown"
                  + " field; did you mean name or nodeName",
              "dra4j: standard input:8:26: ResourceSlice \"s\": spec.devices[0].basic: unknown"
                  + " field; its fields are one level up here: spec.devices[0].attributes",
              "dra4j: standard input:8:13: ResourceSlice \"s\": spec.devices[0]: expected name: a DNS"
                  + " label: at most 63 lower case letters, digits and - (the API server refuses"
                  + " this)");
    }
  }

  @Test
  void aByteThatIsNoTextIsNamedWithItsLineAndColumn() {
    byte[] text = ("# comment\n".repeat(100) + "kind: Po?\n").getBytes(StandardCharsets.US_ASCII);
    text[text.length - 2] = (byte) 0xFF;

    Cli cli = Cli.runWith(text, "allocate", "-");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines())
        .containsExactly("dra4j: standard input:101:9: byte 0xFF is not UTF-8 text");
  }

  @Test
  void aCharacterThatYamlForbidsIsNamedWithItsLineAndColumn() {
    Cli cli = Cli.runWith("# comment\n".repeat(100) + "kind: \u0001\n", "allocate", "-");

    assertThat(cli.errLines())
        .containsExactly("dra4j: standard input:101:7: character U+0001 is not allowed in YAML");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1Ki", "1KiB", "1024", "1024B", "1K"})
  void sizesHaveUnits(String size) {
    Cli cli = Cli.runWith("#".repeat(1025), "allocate", "--max-file-size", size, "-");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.err()).contains("is larger than the limit of 10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1MiX", "-1", "", "99999999T", "many", "0"})
  void whatIsNoSizeIsSaidInOurWords(String size) {
    Cli cli = Cli.run("allocate", "--max-file-size", size, "-");

    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines().get(0))
        .isEqualTo(
            "dra4j: Invalid value for option '--max-file-size': '"
                + size
                + "' is not a size such as 512Ki, 256MiB or 1G");
  }

  private static final String TAINTED_AND_PARTITIONED =
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: counters}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 2}
        sharedCounters: [{name: card, counters: {memory: {value: 40Gi}}}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: devices}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 2}
        devices:
        - {name: sick, taints: [{key: unhealthy, effect: NoSchedule}]}
        - name: half
          consumesCounters: [{counterSet: card, counters: {memory: {value: 20Gi}}}]
        - name: whole
          consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: %s}}]}}
      """;

  @Test
  void freeInThePictureMeansAllocatable() {
    Cli cli = Cli.runWith(TAINTED_AND_PARTITIONED.formatted(1), "allocate", "-");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out().lines().map(String::strip))
        .anyMatch(line -> line.matches(".* sick .* tainted: unhealthy:NoSchedule"))
        .anyMatch(line -> line.matches(".* half .* <== default/c"))
        .anyMatch(line -> line.matches(".* whole .* counters used up: card.memory"));
  }

  @Test
  void freeInThePictureMeansAllocatableWithTheFeaturesThatAreOn() {
    String cluster = TAINTED_AND_PARTITIONED.formatted(1);
    for (String output : List.of("table", "svg")) {
      String[] args = {"allocate", "-", "--features", "DeviceTaints=false", "-o", output};
      assertThat(Cli.runWith(cluster, args).out()).contains("free").doesNotContain("tainted");
    }
  }

  private static final String OWN_NAMES_OF_A_DRIVER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu.nvidia.com}
      spec: {selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: n1-gpus}
      spec:
        driver: gpu.nvidia.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 1}
        devices:
        - name: gpu-0
          attributes:
            pciBusID: {string: "0000:8f:00.0"}
            gpu.nvidia.com/numa: {int: 1}
            resource.kubernetes.io/pcieRoot: {string: "pci0000:8a"}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu.nvidia.com}}]}}
      """;

  @Test
  void aDeviceSitsWhereTopologySaysIt(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("bus.yaml"), OWN_NAMES_OF_A_DRIVER);

    assertThat(Cli.run("topology", "--slices", file.toString()).out())
        .contains("NUMA node 1", "pci0000:8a");
    assertThat(Cli.run("allocate", file.toString()).out().lines())
        .contains(
            "default/c  n1    c      g        gpu.nvidia.com/gpu-0  pci0000:8a  1",
            "`-- NUMA node 1",
            "    `-- pci0000:8a",
            "        `-- gpu-0  gpu.nvidia.com  0000:8f:00.0  <== default/c");
  }

  private static final String OVERDRAWN =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      spec: {selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: n1-a-counters}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 2}
        sharedCounters:
        - {name: cs-0, counters: {memory: {value: "10"}}}
        - {name: cs-1, counters: {memory: {value: "10"}}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: n1-b-devices}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 2}
        devices:
        - {name: d0, consumesCounters: [{counterSet: cs-0, counters: {memory: {value: "20"}}}]}
        - {name: d1, consumesCounters: [{counterSet: cs-1, counters: {memory: {value: "5"}}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c0, namespace: default}
      spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}
      status: {allocation: {devices: {results: [{request: g, driver: gpu.example.com, pool: n1, device: d0}]}}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c1, namespace: default}
      spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}
      """;

  @Test
  void aDeviceOfAPoolWithAnOverdrawnCounterIsNotFree() {
    Cli cli = Cli.runWith(OVERDRAWN, "allocate", "-").unwrapped();

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out().lines())
        .anyMatch(line -> line.matches(".* d1 .* counters of its pool overdrawn: cs-0\\.memory"))
        .anyMatch(
            line ->
                line.endsWith(
                    "1 needs shared counters of a pool whose counter cs-0.memory is overdrawn (used by default/c0)"));
  }

  @Test
  void aPictureOfNothingSaysSo() {
    Cli cli = allocate(CLUSTER, "-o", "svg");

    assertThat(cli.code()).isZero();
    assertThat(cli.errLines())
        .containsExactly("dra4j: no picture: no pod was placed or refused on a node");
    assertThat(cli.out())
        .startsWith("<svg ")
        .contains(">no picture: no pod was placed or refused on a node<")
        .endsWith("</svg>\n");
  }

  @Test
  void thePictureIsThereWhenNothingFits() {
    Cli cli = Cli.runWith(TAINTED_AND_PARTITIONED.formatted(3), "allocate", "-");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out().lines())
        .contains("n1")
        .anyMatch(line -> line.matches(".* sick .* tainted: unhealthy:NoSchedule"))
        .anyMatch(line -> line.matches(".* half .* free"));
  }

  @Test
  void thePictureAsSvgSaysWhatBecameOfEachDevice() {
    Cli cli = Cli.runWith(TAINTED_AND_PARTITIONED.formatted(1), "allocate", "-", "-o", "svg");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains(">Node n1<", ">tainted: unhealthy:NoSchedule<", ">held by default/c<")
        .contains(">counters used up: card.memory<")
        .doesNotContain(">free<");
  }

  @Test
  void thePictureAsSvgIsThereWhenNothingFits() {
    Cli cli = Cli.runWith(TAINTED_AND_PARTITIONED.formatted(3), "allocate", "-", "-o", "svg");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.err()).contains("default/c: n1: does not fit: ");
    assertThat(cli.out())
        .contains(">Node n1<", ">half<", ">free<", ">tainted: unhealthy:NoSchedule<");
  }

  @Test
  void whoeverHasAdminAccessTakesADeviceFromNobody() {
    String text =
        TAINTED_AND_PARTITIONED.formatted(1).replace("count: 1", "count: 1, adminAccess: true");

    assertThat(Cli.runWith(text, "allocate", "-").out().lines().map(String::strip))
        .anyMatch(line -> line.matches(".* half .* <== default/c \\(admin\\), else free"))
        .anyMatch(line -> line.matches(".* whole .* free"));
    assertThat(Cli.runWith(text, "allocate", "-", "-o", "svg").out())
        .contains(">free<")
        .doesNotContain("used up", "held by");
  }

  @Test
  void inputWithoutNodesSaysSo() {
    String text = TAINTED_AND_PARTITIONED.formatted(1).replace("kind: Node,", "kind: Namespace,");

    Cli cli = Cli.runWith(text, "allocate", "-");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.errLines())
        .contains(
            "dra4j: warning: the input has no Node, so no pod can be placed: add the output of"
                + " kubectl get nodes -o yaml");
  }

  @Test
  void slicesOfNodesThatAreMissingAreTold() {
    String text = TAINTED_AND_PARTITIONED.formatted(1).replace("nodeName: n1", "nodeName: n2");

    Cli cli = Cli.runWith(text, "allocate", "-");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: warning: the input has no Node n2, but ResourceSlices for it (counters,"
                + " devices): their devices are not allocated");
  }

  /** A server of two pairs, of which one may be in use. */
  private static String pairs(String node) {
    StringBuilder text =
        new StringBuilder(
            "---\napiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {rack: r}}\n"
                .formatted(node));
    for (String kind : new String[] {"gpu", "nic"}) {
      text.append(
          """
          ---
          apiVersion: resource.k8s.io/v1
          kind: ResourceSlice
          metadata: {name: %s-%s}
          spec:
            driver: %s
            nodeName: %s
            pool: {name: %s, generation: 1, resourceSliceCount: 1}
            devices:
          """
              .formatted(
                  node, kind, kind.equals("gpu") ? "gpu.nvidia.com" : "dra.net", node, node));
      for (int i = 0; i < 2; i++) {
        text.append(
            "  - {name: %s-%d, attributes: {resource.kubernetes.io/pcieRoot: {string: pci%04x:00}, resource.kubernetes.io/pciBusID: {string: \"%04x:%02x:00.0\"}}}\n"
                .formatted(kind, i, i, i, kind.equals("gpu") ? 1 : 2));
      }
    }
    return text.toString();
  }

  private static final String PAIR_TEMPLATE =
      """
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      spec: {selectors: [{cel: {expression: device.driver == "gpu.nvidia.com"}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: nic}
      spec: {selectors: [{cel: {expression: device.driver == "dra.net"}}]}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: pair}
      spec:
        spec:
          devices:
            requests:
            - {name: gpu, exactly: {deviceClassName: gpu, count: 2}}
            - {name: nic, exactly: {deviceClassName: nic, count: 2}}
      """;

  @Test
  void aGangOfAStatefulSetIsPlacedAsAWhole() {
    String set =
        PAIR_TEMPLATE
            + """
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: train}
            spec: {replicas: %d, template: {spec: {resourceClaims: [{name: c, resourceClaimTemplateName: pair}]}}}
            """;
    Cli fits = allocate(pairs("a") + pairs("b") + set.formatted(2), "--gang", "--levels", "rack");
    assertThat(fits.err()).isEmpty();
    assertThat(fits.code()).isZero();
    assertThat(fits.out())
        .contains("StatefulSet default/train: ")
        .contains("on equal rails of 2 servers, in one domain of rack");

    Cli firstFit =
        allocate(pairs("a") + pairs("b") + set.formatted(2), "--gang", "--policy", "first-fit");
    assertThat(firstFit.code()).isZero();
    assertThat(firstFit.out()).contains("there may be a better plan");
    String cluster = pairs("a") + pairs("b") + set.formatted(2);
    Cli noLevel = allocate(cluster, "--gang", "--levels", "rack,shelf");
    assertThat(noLevel.code()).isEqualTo(2);
    assertThat(noLevel.err())
        .contains("--levels: no Node in the input has the label 'shelf'")
        .hasLineCount(1);
    Cli noRail = allocate(cluster, "--gang", "--rails", "attribute:example.com/rail");
    assertThat(noRail.code()).isEqualTo(2);
    assertThat(noRail.err()).contains("no device in the input has the attribute");
    Cli negative = allocate(cluster.replace("replicas: 2", "replicas: -3"), "--gang");
    assertThat(negative.code()).isEqualTo(2);
    assertThat(negative.err()).contains("spec.replicas: expected 0 or more, found number -3");
    Cli twice =
        allocate(
            cluster, "--defragment", "--move-cost", "default/a=1", "--move-cost", "default/a=2");
    assertThat(twice.code()).isEqualTo(2);
    assertThat(twice.err()).contains("--move-cost: found two costs of the pod default/a");

    Cli tooLarge = allocate(pairs("a") + pairs("b") + set.formatted(3), "--gang");
    assertThat(tooLarge.code()).isEqualTo(1);
    assertThat(tooLarge.out())
        .contains(
            "default/train-0: StatefulSet default/train does not fit: 3 pods do not fit together");
  }

  @Test
  void aPodGroupIsPlacedAsFarAsItHasToBe() {
    String group =
        PAIR_TEMPLATE
            + """
            ---
            apiVersion: scheduling.k8s.io/v1alpha2
            kind: PodGroup
            metadata: {name: g}
            spec:
              schedulingPolicy: {gang: {minCount: %d}}
              schedulingConstraints: {topology: [{key: rack}]}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: train}
            spec:
              parallelism: 3
              template:
                spec:
                  schedulingGroup: {podGroupName: g}
                  resourceClaims: [{name: c, resourceClaimTemplateName: pair}]
            """;
    Cli two = allocate(pairs("a") + pairs("b") + group.formatted(2), "--gang");
    assertThat(two.out())
        .contains("PodGroup default/g: ")
        .contains("default/train-0  a")
        .contains("default/train-1  b");
    assertThat(two.code()).isEqualTo(1);

    Cli all = allocate(pairs("a") + pairs("b") + group.formatted(3), "--gang");
    assertThat(all.out()).contains("PodGroup default/g does not fit: 3 pods do not fit together");
  }

  @Test
  void roomForAPodBeyondThoseOfItsGangIsMadeWhereTheGangIs() {
    String cluster =
        pairs("a")
            + pairs("b").replace("{rack: r}", "{rack: other}")
            + PAIR_TEMPLATE
            + """
            ---
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {name: g}
            spec:
              schedulingPolicy: {gang: {minCount: 1}}
              schedulingConstraints: {topology: [{key: rack}]}
            ---
            apiVersion: batch/v1
            kind: Job
            metadata: {name: train}
            spec:
              parallelism: 2
              template:
                spec:
                  schedulingGroup: {podGroupName: g}
                  resourceClaims: [{name: c, resourceClaimTemplateName: pair}]
            """;
    Cli ran = allocate(cluster, "--gang", "--defragment");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .contains("default/train-0  a")
        .contains("does not fit on 1 more node: its gang is where its topology keys have other")
        .contains("default/train-1: moving running pods does not make room");
  }

  /** The launcher uses no claims, and counts. */
  @Test
  void aPodGroupWithFewerPodsThanItNeedsIsNotPlaced() {
    String group =
        PAIR_TEMPLATE
            + """
            ---
            apiVersion: scheduling.k8s.io/v1alpha2
            kind: PodGroup
            metadata: {name: g}
            spec: {schedulingPolicy: {gang: {minCount: %d}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: launcher}
            spec: {schedulingGroup: {podGroupName: g}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: worker}
            spec:
              schedulingGroup: {podGroupName: g}
              resourceClaims: [{name: c, resourceClaimTemplateName: pair}]
            """;
    assertThat(allocate(pairs("a") + group.formatted(2), "--gang").code()).isZero();

    Cli three = allocate(pairs("a") + group.formatted(3), "--gang", "--defragment");
    assertThat(three.code()).isEqualTo(1);
    assertThat(three.out())
        .contains("PodGroup default/g does not fit: it has 1 pod with claims and needs 2 together")
        .contains(
            "PodGroup default/g: moving pods does not help, since it has 1 pod but 2 must be"
                + " placed together");
  }

  @Test
  void theCauseOfAGangIsToldOnce() {
    String set =
        PAIR_TEMPLATE
            + """
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: train}
            spec: {replicas: 3, template: {spec: {resourceClaims: [{name: c, resourceClaimTemplateName: pair}]}}}
            """;
    Cli none = allocate(pairs("a") + running("left", "a", "gpu-0") + set, "--gang", "-o", "yaml");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err().lines().toList())
        .hasSize(3)
        .anyMatch(line -> line.contains("StatefulSet default/train does not fit"))
        .anyMatch(line -> line.contains("a: does not fit: claim default/train-0"))
        .anyMatch(line -> line.endsWith("default/train-0, default/train-1, default/train-2"));
  }

  @Test
  void aClaimOfNoDevicesHasARow() {
    Cli none =
        allocate(
            pairs("a")
                + """
                ---
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: nothing}
                spec: {devices: {}}
                """);
    assertThat(none.code()).isZero();
    assertThat(none.out().replaceAll(" +", " ")).contains("default/nothing a nothing - no device");
  }

  @Test
  void aProfileSaysWhatLinksCarry(@TempDir Path directory) throws IOException {
    String pod =
        PAIR_TEMPLATE
            + """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: one}
            spec: {resourceClaims: [{name: c, resourceClaimTemplateName: pair}]}
            """;
    Path half =
        Files.writeString(
            directory.resolve("half"),
            "{\"name\": \"half\", \"classes\": {\"SWITCH\": {\"efficiency\": 0.5}}}");
    String usual = allocate(pairs("a") + pod, "-o", "json").out();
    String halved = allocate(pairs("a") + pod, "-o", "json", "--profile", half.toString()).out();
    assertThat(usual).contains("\"gigabytesPerSecond\": 80.0");
    assertThat(halved).contains("\"gigabytesPerSecond\": 40.0", "\"gigabytesPerSecond\": 20.0");

    Path broken = Files.writeString(directory.resolve("broken"), "{\"name\": \"x\", \"speed\": 1}");
    Cli refused = allocate(pod, "--profile", broken.toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).startsWith("dra4j: " + broken + ": /speed").hasLineCount(1);
    Cli missing = allocate(pod, "--profile", directory.resolve("none").toString());
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("none: no such file").hasLineCount(1);
  }

  @Test
  void whatIsAboutGangsWantsAGang() {
    assertThat(allocate(CLUSTER, "--levels", "rack").code()).isEqualTo(2);
    for (String rails :
        new String[] {
          "some", "subnet:", "attribute:", "attribute:rail", "attribute:a/b/c", "x:a/b"
        }) {
      assertThat(allocate(CLUSTER, "--gang", "--rails", rails).code()).as(rails).isEqualTo(2);
    }
  }

  /** A claim for one GPU, which a pod has that runs. */
  private static String running(String name, String node, String gpu) {
    return """
    ---
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: %s}
    spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
    status:
      allocation:
        devices: {results: [{request: r, driver: gpu.nvidia.com, pool: %s, device: %s}]}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec: {nodeName: %s, resourceClaims: [{name: c, resourceClaimName: %s}]}
    """
        .formatted(name, node, gpu, name, node, name);
  }

  /** Sentences are no wider than the terminal, and trees of many servers come on demand. */
  @ParameterizedTest
  @CsvSource({"3, '', 3", "4, '', 4", "5, '', 0", "12, '', 0", "5, --tree, 5", "12, --tree, 12"})
  void theAnswerComesFirst(int nodes, String option, int trees) {
    StringBuilder cluster = new StringBuilder(PAIR_TEMPLATE);
    for (int i = 0; i < nodes; i++) {
      cluster.append(pairs("server-" + i));
    }
    cluster.append(
        """
        ---
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train}
        spec:
          parallelism: %d
          template: {spec: {resourceClaims: [{name: c, resourceClaimTemplateName: pair}]}}
        """
            .formatted(nodes + 1));

    Cli cli = Cli.runWith(cluster.toString(), ("allocate - " + option).strip().split(" "));

    List<String> lines = cli.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("%d of %d pods placed".formatted(nodes, nodes + 1));
    assertThat(lines.get(2)).startsWith("POD ");
    String unplaced = "default/train-" + nodes;
    assertThat(lines.stream().filter(line -> line.startsWith(unplaced)))
        .hasSize(1)
        .allMatch(line -> line.startsWith(unplaced + ": "));
    assertThat(lines.stream().filter(line -> line.startsWith("`-- ") || line.startsWith("|-- ")))
        .hasSize(trees);
    assertThat(cli.out().contains("use --tree to show all, --node to show one"))
        .isEqualTo(trees == 0);
    assertThat(lines).allMatch(line -> line.length() <= 110 || line.startsWith("default/train"));
  }

  @Test
  void whatWouldHaveToMoveIsSaid() {
    String cluster =
        pairs("a")
            + pairs("b")
            + PAIR_TEMPLATE
            + running("left", "a", "gpu-0")
            + running("right", "b", "gpu-0")
            + """
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: large}
            spec: {resourceClaims: [{name: c, resourceClaimTemplateName: pair}]}
            """;

    Cli cheap = allocate(cluster, "--defragment", "--move-cost", "default/left=3");
    assertThat(cheap.code()).isEqualTo(1);
    assertThat(cheap.out())
        .contains(
            "default/large: moving default/right to gpu-1 of node a would make room on node b, at a cost"
                + " of 1");

    String gang =
        pairs("a")
            + pairs("b")
            + pairs("c")
            + PAIR_TEMPLATE
            + running("left", "a", "gpu-0")
            + running("right", "b", "gpu-0")
            + """
            ---
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: train}
            spec: {replicas: 2, template: {spec: {resourceClaims: [{name: c, resourceClaimTemplateName: pair}]}}}
            """;
    assertThat(allocate(gang, "--gang", "--defragment").out())
        .contains(
            "StatefulSet default/train: moving default/left to gpu-1 of node b would make room for 2"
                + " pods on nodes a, c, at a cost of 1");
    assertThat(allocate(gang, "--gang", "--defragment", "--move-cost", "default/left=2").out())
        .contains(
            "StatefulSet default/train: moving default/right to gpu-1 of node a would make room for 2"
                + " pods on nodes b, c, at a cost of 1");

    Cli unknown = allocate(cluster, "--defragment", "--move-cost", "default/nobody=3");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.out()).isEmpty();
    assertThat(unknown.errLines())
        .containsExactly(
            "dra4j: --move-cost: no running pod 'default/nobody'; running pods: default/left,"
                + " default/right");
    assertThat(allocate(cluster, "--defragment", "--move-cost", "default/rihgt=3").err())
        .contains("no running pod 'default/rihgt'; did you mean default/right");
    Cli elsewhere =
        allocate(
            cluster + running("gone", "c", "gpu-0"),
            "--defragment",
            "--move-cost",
            "default/gone=3");
    assertThat(elsewhere.err())
        .contains("warning: --move-cost: default/gone cannot be moved: it, ");
    Cli pending = allocate(cluster, "--defragment", "--move-cost", "default/large=3");
    assertThat(pending.code()).isEqualTo(2);
    assertThat(pending.err())
        .contains("no running pod 'default/large'; did you mean default/left?");
    assertThat(allocate(cluster, "--defragment", "--move-cost", "default/left=-1").code())
        .isEqualTo(2);
    assertThat(allocate(cluster, "--move-cost", "default/left=1").code()).isEqualTo(2);
  }

  /** Slots of one counter each: a wide device needs neighbours that are free. */
  @ParameterizedTest
  @CsvSource({"1, slot-3", "2, slot-0", "3, slot-0"})
  void aPodCanMoveOnItsNode(int used, String target) {
    StringBuilder slices =
        new StringBuilder(
            """
            {apiVersion: v1, kind: Node, metadata: {name: a}}
            ---
            {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: wide},
              spec: {selectors: [{cel: {expression: "device.attributes['d.io'].slots == 2"}}]}}
            ---
            {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: slot},
              spec: {selectors: [{cel: {expression: "device.attributes['d.io'].slots == 1"}}]}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: counters}
            spec:
              driver: d.io
              nodeName: a
              pool: {name: a, generation: 1, resourceSliceCount: 2}
              sharedCounters:
              - name: card
                counters: {s0: {value: 1}, s1: {value: 1}, s2: {value: 1}, s3: {value: 1}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: devices}
            spec:
              driver: d.io
              nodeName: a
              pool: {name: a, generation: 1, resourceSliceCount: 2}
              devices:
            """);
    String device =
        "  - {name: %s, attributes: {slots: {int: %d}}, consumesCounters: [{counterSet: card,"
            + " counters: {%s}}]}\n";
    for (int i = 0; i < 4; i++) {
      slices.append(device.formatted("slot-" + i, 1, "s" + i + ": {value: 1}"));
    }
    slices.append(device.formatted("wide-0", 2, "s0: {value: 1}, s1: {value: 1}"));
    slices.append(device.formatted("wide-2", 2, "s2: {value: 1}, s3: {value: 1}"));
    String wide =
        """
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: wide},
          spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: wide}}]}}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: large},
          spec: {resourceClaims: [{name: c, resourceClaimTemplateName: wide}]}}
        """;
    int other = used < 2 ? 2 : 1;
    String two =
        (running("one", "a", "slot-" + used) + running("two", "a", "slot-" + other))
            .replace("gpu.nvidia.com", "d.io")
            .replace("deviceClassName: gpu", "deviceClassName: slot");

    Cli cli = allocate(slices + two + wide, "--defragment");

    assertThat(cli.code()).as(cli.err()).isEqualTo(1);
    assertThat(cli.out())
        .containsPattern(
            "default/large: moving default/(?:one|two) to "
                + target
                + " of node a would make room on node a, at a cost of 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "# comment\n", "---\n---\n"})
  void inputWithoutObjectsIsRefusedWhereNothingIsPassedOver(String input) {
    Cli cli = Cli.runWith(input, "allocate", "-");
    assertThat(cli.code()).isZero();
    assertThat(cli.errLines()).containsExactly("dra4j: warning: standard input: has no objects");

    Cli strict = Cli.runWith(input, "allocate", "--strict", "-");
    assertThat(strict.code()).isEqualTo(2);
    assertThat(strict.out()).isEmpty();
    assertThat(strict.errLines()).containsExactly("dra4j: standard input: has no objects");
  }

  @Test
  void thePodsOfAnMpiJobAreAGang() {
    Cli run =
        allocate(
            """
            apiVersion: kubeflow.org/v2beta1
            kind: MPIJob
            metadata: {name: train}
            spec:
              mpiReplicaSpecs:
                Launcher: {template: {spec: {containers: [{name: c, image: i}]}}}
                Worker: {replicas: 2, template: {spec: {containers: [{name: c, image: i}]}}}
            """,
            "--gang");

    assertThat(run.code()).isZero();
    assertThat(run.err()).doesNotContain("--gang");
  }
}
