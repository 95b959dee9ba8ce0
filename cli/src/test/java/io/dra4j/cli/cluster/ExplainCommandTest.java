package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code dra4j explain} on common problems of operators; -Dgolden=write writes the golden files.
 */
class ExplainCommandTest {

  private static final Path CASES = Path.of("src/test/resources/io/dra4j/cli/explain");
  private static final boolean WRITE = "write".equals(System.getProperty("golden"));

  @TempDir static Path directory;

  private static String explain(String name, String... options) throws IOException {
    return run(CASES.resolve(name + ".yaml"), options).out();
  }

  private static Cli run(Path file, String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "explain";
    all[1] = file.toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return Cli.wide(all);
  }

  /** On a terminal of 80 characters, as the golden files show it. */
  private static String wrapped(String name) {
    return Cli.run("explain", CASES.resolve(name + ".yaml").toString()).out();
  }

  private static void compare(String name, String actual) throws IOException {
    Path golden = CASES.resolve(name);
    if (WRITE) {
      Files.writeString(golden, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(golden));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "two-gpus-two-nics-on-one-root",
        "gb200-pairs",
        "incomplete-pool",
        "invalid-pool",
        "tainted-device",
        "exhausted-counters",
        "more-than-free",
        "missing-attribute",
        "missing-attribute-of-a-constraint",
        "mistyped-domain",
        "gpus-without-nics",
        "hostile-names",
        "job-without-nics",
        "room-by-a-move",
        "rejected-behind-another",
        "capacity-policy",
        "capacity-left",
        "capacity-name",
        "no-alternative",
        "too-few-different",
        "other-nodes",
        "all-of-an-incomplete-pool",
        "mistyped-driver",
        "older-version",
        "failing-selector",
        "conditions-in-brackets",
        "conditions-of-a-class",
        "compatibility-groups",
        "number-and-text",
        "constraints-against-each-other",
        "two-claims-of-a-pod",
        "counters-together",
        "shares-together",
        "taint-rule",
        "admin-access-tainted"
      })
  void theTextIsThatOfTheGoldenFile(String name) throws IOException {
    compare(name + ".txt", wrapped(name));
  }

  @Test
  void aThousandNodesOfThreeKindsAreThreeReasons() throws IOException {
    compare("thousand-nodes.txt", Cli.run("explain", thousandNodes().toString()).out());
  }

  /** 700 servers whose GPUs are in use, 200 without a NIC, 100 with an incomplete pool. */
  private static Path thousandNodes() throws IOException {
    StringBuilder yaml = new StringBuilder(Files.readString(CASES.resolve("classes.part")));
    for (int i = 0; i < 1_000; i++) {
      String node = "n%03d".formatted(i);
      yaml.append("---\n{apiVersion: v1, kind: Node, metadata: {name: " + node + "}}\n");
      yaml.append(slice(node, "gpu.nvidia.com", "gpu", 1));
      if (i < 700) {
        yaml.append(slice(node, "dra.net", "nic", 1)).append(holding(node));
      } else if (i >= 900) {
        yaml.append(slice(node, "dra.net", "nic", 2));
      }
    }
    Path file = directory.resolve("thousand.yaml");
    Files.writeString(file, yaml);
    return file;
  }

  private static String slice(String node, String driver, String device, int slices) {
    return """
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %1$s-%2$s}, spec: {driver: %2$s,
         nodeName: %1$s, pool: {name: %1$s, generation: 1, resourceSliceCount: %4$d}, devices: [{name: %3$s-0,
         attributes: {resource.kubernetes.io/pcieRoot: {string: "pci0000:00"}}}]}}
        """
        .formatted(node, driver, device, slices);
  }

  private static String holding(String node) {
    return """
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: job-%1$s}, spec: {devices: {requests:
         [{name: r, exactly: {deviceClassName: gpu.nvidia.com}}]}}, status: {allocation: {devices: {results: [{request: r,
         driver: gpu.nvidia.com, pool: %1$s, device: gpu-0}]}}}}
        """
        .formatted(node);
  }

  @Test
  void onePodOrOneNodeCanBeAskedFor() throws IOException {
    Path file = CASES.resolve("more-than-free.yaml");
    assertThat(run(file, "--claim", "default/train-2", "--node", "h100-0").code()).isEqualTo(1);
    Cli allocated = run(file, "--claim", "train-0");
    assertThat(allocated.code()).isZero();
    assertThat(allocated.out())
        .isEqualTo("default/train-0: is allocated: gpu.nvidia.com/h100-0/gpu-0\n");
    Cli unknown = run(file, "--claim", "default/train-9");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.errLines())
        .containsExactly(
            "dra4j: --claim: no ResourceClaim default/train-9 in the input; claims:"
                + " default/train-0, default/train-1, default/train-2");
    assertThat(run(file, "--node", "h100-9").code()).isEqualTo(2);
  }

  @Test
  void jsonHasTheReasonsInFields() throws IOException {
    JsonNode json = new ObjectMapper().readTree(explain("more-than-free", "-o", "json"));
    JsonNode reason = json.at("/pods/0/reasons/0");
    assertThat(json.at("/pods/0/fits").asBoolean(true)).isFalse();
    assertThat(reason.at("/refusals/0/kind").asText()).isEqualTo("TooFewDevices");
    assertThat(reason.at("/refusals/0/refused/0/rule").asText()).isEqualTo("USAGE");
    assertThat(reason.at("/refusals/0/refused/0/device").asText()).isEqualTo("gpu-0");
    assertThat(reason.at("/refusals/0/refused/0/holders/0").asText()).isEqualTo("default/train-0");
    assertThat(reason.at("/conflict/0/request").asText()).isEqualTo("gpus");
    assertThat(reason.at("/suggestions/0").asText())
        .isEqualTo("release the devices of claim default/train-0");
  }

  /** Three nodes in zones a, b and none, the last with a taint; a pod for zone c. */
  private static String noNodeInTheZone() {
    return """
        {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {zone: a}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {zone: b}}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n3}, spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
        ---
        {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeSelector: {zone: c}, resourceClaims: [{name: x, resourceClaimName: c}]}}
        """;
  }

  @Test
  void nodesThatAreOutOfTheQuestionAreToldWithWhatTheyHave() throws IOException {
    String taint =
        "node n3 has the taint nvidia.com/gpu:NoSchedule, which the pod does not tolerate";
    String labels = "2 nodes lack zone=c: n1 has zone=a, n2 has zone=b";
    Cli text = Cli.wideWith(noNodeInTheZone(), "explain", "-");
    assertThat(text.code()).isEqualTo(1);
    assertThat(text.out()).isEqualTo("default/p: " + taint + "; " + labels + "\n\n");
    JsonNode json =
        new ObjectMapper()
            .readTree(Cli.wideWith(noNodeInTheZone(), "explain", "-", "-o", "json").out());
    JsonNode reasons = json.at("/pods/0/reasons");
    assertThat(reasons.findValuesAsText("gist")).containsExactly(taint, labels);
    assertThat(reasons.findValuesAsText("cause")).containsExactly("TAINT", "NODE_SELECTOR");
    assertThat(reasons.at("/1/nodes").toString()).isEqualTo("[\"n1\",\"n2\"]");
    assertThat(reasons.at("/1/refusals").isArray()).isTrue();
    assertThat(reasons.at("/1/suggestionsComplete").asBoolean()).isTrue();
    Cli page = Cli.wideWith(noNodeInTheZone(), "explain", "-", "-o", "html");
    assertThat(page.out()).contains("<p>" + taint + "; " + labels + "</p>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"two-gpus-two-nics-on-one-root", "more-than-free", "hostile-names"})
  void thePageIsThatOfTheGoldenFile(String name) throws IOException {
    String page = explain(name, "-o", "html");
    compare(name + ".html", page);
    assertThat(page).doesNotContain("<script").doesNotContain("<img").doesNotContain("http://");
    assertThat(page).contains("content=\"default-src 'none'; style-src 'sha256-");
  }

  @Test
  void theFirstLineIsTheReasonThatAllocateGives() throws IOException {
    String explained = explain("more-than-free").lines().findFirst().orElseThrow();
    Cli allocated =
        Cli.run("allocate", CASES.resolve("more-than-free.yaml").toString()).unwrapped();
    String reason = explained.substring(explained.indexOf(": ") + 2);
    assertThat(allocated.code()).isEqualTo(1);
    assertThat(allocated.out())
        .contains("default/train-2: h100-0: does not fit: claim default/train-2, " + reason);
  }

  private static final String HELD =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      spec: {}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: p, generation: 1, resourceSliceCount: 1}
        devices: [{name: gpu-0, taints: [{key: a, effect: NoSchedule}]}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: half}
      spec:
        driver: nic.example.com
        nodeName: n1
        pool: {name: q, generation: 1, resourceSliceCount: 2}
        devices: [{name: nic-0}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: holder, namespace: default}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}, {name: s, exactly: {deviceClassName: gpu}}]}}
      status:
        allocation:
          devices:
            results:
            - {request: r, driver: gpu.example.com, pool: p, device: gpu-0}
            - {request: s, driver: nic.example.com, pool: q, device: nic-0}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
      """;

  /** A taint, or an incomplete pool, does not hide the holder of a device. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "name: gpu-0, taints: [{key: a, effect: NoExecute}]",
        "name: gpu-0",
        "name: gpu-0, taints: [{key: a, effect: None}]"
      })
  void thePictureNamesTheHolder(String gpu) throws IOException {
    String text =
        gpu.isEmpty()
            ? HELD
            : HELD.replace("name: gpu-0, taints: [{key: a, effect: NoSchedule}]", gpu);
    Cli explained = run(Files.writeString(directory.resolve("held.yaml"), text), "-o", "html");
    assertThat(explained.out()).doesNotContain("its pool is not usable").doesNotContain("tainted:");
    assertThat(explained.out().split("in use by default/holder", -1)).hasSizeGreaterThan(3);
  }

  private static String oneNode(int devices) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < devices; i++) {
      list.append(i == 0 ? "" : ", ").append("{name: d").append(i).append('}');
    }
    return """
    {apiVersion: v1, kind: Node, metadata: {name: n1}}
    ---
    {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
    ---
    {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: gpu.example.com,
     nodeName: n1, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [%s]}}
    ---
    {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one},
     spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}}
    """
        .formatted(list);
  }

  private static String waiting(String name, String more) {
    return """
    ---
    {apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s
     resourceClaims: [{name: c, resourceClaimTemplateName: one}], containers: [{name: m, image: x}]}}
    """
        .formatted(name, more);
  }

  @Test
  void podIsTheNextOneBeforeThoseThatWorkloadsMakeLater() {
    String set =
        """
        ---
        {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: set}, spec: {replicas: 3, template: {spec: {
         priority: 9, resourceClaims: [{name: c, resourceClaimTemplateName: one}]}}}}
        """;
    Cli cli = Cli.wideWith(oneNode(1) + set + waiting("p", ""), "explain", "pod/p", "-");
    assertThat(cli.out()).isEqualTo("default/p: fits on node n1\n");
  }

  @Test
  void podOfAPodGroupWaitsUntilTheGroupFits() {
    String group =
        """
        ---
        {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g},
         spec: {schedulingPolicy: {gang: {minCount: 3}}}}
        """;
    String pods = "";
    for (int i = 0; i < 3; i++) {
      pods += waiting("g-" + i, "schedulingGroup: {podGroupName: g},");
    }
    Cli refused = Cli.wideWith(oneNode(2) + group + pods, "explain", "pod/g-1", "-");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out())
        .startsWith("default/g-1: PodGroup default/g does not fit: 3 pods do not fit together")
        .doesNotContain("g-0", "g-2");
    Cli fits = Cli.wideWith(oneNode(3) + group + pods, "explain", "pod/g-1", "-");
    assertThat(fits.out()).isEqualTo("default/g-1: fits on node n1\n");
    Cli placed = Cli.runWith(oneNode(2) + group + pods, "place", "-");
    assertThat(placed.out()).startsWith("0 of 3 pods placed\n");
    assertThat(placed.err()).isEmpty();
    String member =
        group.replace("{schedulingPolicy", "{parentCompositePodGroupName: all, schedulingPolicy");
    assertThat(Cli.runWith(oneNode(3) + member + pods, "place", "-").errLines())
        .singleElement()
        .asString()
        .endsWith(
            "PodGroup default/g: spec.parentCompositePodGroupName: no CompositePodGroup default/all"
                + " in the input: kube-scheduler waits for it; here the group is placed by"
                + " itself");
  }

  /** The pod waits for those of all PodGroups below the same CompositePodGroup. */
  @Test
  void podOfAGroupOfGroupsIsPlacedWithAllOfThem() {
    String groups =
        """
        ---
        {apiVersion: scheduling.k8s.io/v1beta1, kind: CompositePodGroup, metadata: {name: all},
         spec: {schedulingPolicy: {gang: {minGroupCount: 2}}}}
        """;
    for (String name : new String[] {"g", "h"}) {
      groups +=
          """
          ---
          {apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: %s},
           spec: {parentCompositePodGroupName: all, schedulingPolicy: {gang: {minCount: 1}}}}
          """
              .formatted(name);
    }
    groups +=
        waiting("g-0", "schedulingGroup: {podGroupName: g},")
            + waiting("h-0", "schedulingGroup: {podGroupName: h},");
    Cli refused =
        Cli.runWith(oneNode(1) + groups, "explain", "pod/h-0", "-", "--kubernetes", "1.38");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out())
        .startsWith(
            "default/h-0: CompositePodGroup default/all does not fit: 2 pods do not fit together");
    assertThat(refused.err()).isEmpty();
    Cli fits = Cli.runWith(oneNode(2) + groups, "explain", "pod/h-0", "-", "--kubernetes", "1.38");
    assertThat(fits.out()).isEqualTo("default/h-0: fits on node n1\n");
    assertThat(Cli.runWith(oneNode(2) + groups, "explain", "pod/h-0", "-").errLines())
        .singleElement()
        .asString()
        .contains(
            "scheduling.k8s.io/v1beta1 CompositePodGroup requires Kubernetes 1.38, but the release"
                + " is 1.37");
  }

  @Test
  void manyEqualPodsAreExplainedOnce() {
    String job =
        """
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: many}, spec:
          {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu, count: 9}}]}}}}
        ---
        {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas: 20, template:
          {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: many}]}}}}
        """;
    String out = Cli.runWith(oneNode(1) + job, "explain", "-").unwrapped().out();

    assertThat(out).containsPattern("default/s-15: (1 node|claim)");
    assertThat(out).contains("default/s-16: does not fit, for the reason of default/s-0");
  }
}
