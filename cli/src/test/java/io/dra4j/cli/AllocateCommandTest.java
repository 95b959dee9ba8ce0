package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocateCommandTest {

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
    return Cli.runWith(cluster, all);
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
    Cli cli = Cli.run("allocate", ONE_PAIR_PER_ROOT);
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .contains("does not fit: claim default/")
        .contains("matchAttribute resource.kubernetes.io/pcieRoot spans the requests")
        .contains("all 4 devices must share one value, and none of 8 values has enough");
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
                + " class gpu, 0 can be had; of 2 devices on the node 2 that is in use");
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
        .contains("default/bound: does not fit: no node that its node name");
    assertThat(cli.code()).isEqualTo(1);
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
        claim("a", "{deviceClassName: gpu}").replace("metadata: {", "metadata: {finalizers: [f], ")
            + claim("b", "{deviceClassName: gpu, count: 2}");
    Cli cli = allocate(CLUSTER + claims, "-o", "json");
    JsonNode list = new ObjectMapper().readTree(cli.out());
    assertThat(list.path("kind").asText()).isEqualTo("List");
    assertThat(list.path("items").get(0).path("metadata").path("finalizers").get(0).asText())
        .isEqualTo("f");
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
        "apiVersion: v1\nkind: Node\nmetadata: {name: x}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: x}",
        "x: &x [*x]",
        "\u0000",
      })
  void badInputIsOneLineAndExitCode2(String input) {
    Cli cli = allocate(input);
    assertThat(cli.code()).isEqualTo(2);
    assertThat(cli.errLines()).singleElement().asString().startsWith("dra4j: standard input: ");
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
            "dra4j: pod default/p: spec.resourceClaims[x]: no ResourceClaimTemplate default/nope");
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
  void wrongUsageIsExplainedAndExitsWith2() {
    assertThat(Cli.run("allocate", "--all-nodes", "-o", "yaml", EXAMPLE).code()).isEqualTo(2);
    assertThat(Cli.run("allocate", "--policy", "best", EXAMPLE).err())
        .contains("unknown policy 'best'");
    assertThat(Cli.run("allocate", "--features", "Nope", EXAMPLE).err())
        .contains("unknown feature 'Nope'");
    assertThat(Cli.run("allocate", "--features", "AdminAccess=on", EXAMPLE).err())
        .contains("'AdminAccess=on': want NAME, NAME=true or NAME=false");
    assertThat(Cli.run("allocate", "--kubernetes", "1.31", EXAMPLE).err())
        .contains("unknown version '1.31'; known are 1.32, 1.33,");
    Cli later =
        Cli.run("allocate", "--kubernetes", "1.33", "--features", "ConsumableCapacity", EXAMPLE);
    assertThat(later.code()).isEqualTo(2);
    assertThat(later.err()).contains("Kubernetes 1.33 has no feature ConsumableCapacity");
    assertThat(Cli.run("allocate", "--timeout", "soon", EXAMPLE).err()).contains("not a duration");
    assertThat(Cli.run("allocate", "--node", "nope", EXAMPLE).errLines())
        .containsExactly("dra4j: --node: no node \"nope\" in the input");
    assertThat(Cli.run("allocate").code()).isEqualTo(2);
    assertThat(Cli.run().code()).isEqualTo(2);
  }

  @Test
  void namesFromManifestsCannotSteerTheTerminal() {
    String evil = CLUSTER.replace("name: gpu-0", "name: \"\\e[31mgpu\"");
    assertThat(allocate(evil + claim("a", "{deviceClassName: gpu}")).out())
        .contains("\\u001b[31mgpu")
        .doesNotContain("\u001b");
  }
}
