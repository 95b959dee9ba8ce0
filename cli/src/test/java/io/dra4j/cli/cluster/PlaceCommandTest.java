package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.kubernetes.ClusterCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dra4j place}: whole jobs, and hypothetical clusters. */
class PlaceCommandTest {

  private static final String TWO = "../examples/two-nodes-scale-out.yaml";
  private static final String A4 = "../examples/gke-a4-aligned.yaml";

  @TempDir Path directory;

  private static JsonNode json(String... args) throws IOException {
    return new ObjectMapper().readTree(Cli.run(args).out());
  }

  @Test
  void theAnswerComesFirstAndEachPodHasARow() {
    Cli cli = Cli.run("place", A4);

    assertThat(cli.code()).isZero();
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .isEqualTo(
            """
            2 of 2 pods placed

            StatefulSet default/nccl-test: 2 of 2 pods placed on 2 nodes, 160 of at most
              160 GB/s, 80 GB/s for the slowest pod; equal rails 0, 1 on all 2 nodes

            POD                  NODE  GB/S  DEVICES
            default/nccl-test-0  a4-0  80    gpu-0 gpu-1 gpu0rdma0 gpu1rdma0
            default/nccl-test-1  a4-1  80    gpu-0 gpu-1 gpu0rdma0 gpu1rdma0
            """);
  }

  @Test
  void itPlacesAsAllocateDoes() throws IOException {
    for (String example : List.of(TWO, A4)) {
      JsonNode placed = json("place", "-o", "json", example);
      JsonNode allocated = json("allocate", "-o", "json", example);

      assertThat(placed.path("placed")).isEqualTo(placed.path("pods"));
      for (JsonNode job : placed.path("jobs")) {
        for (JsonNode pod : job.path("placements")) {
          assertThat(allocated.path("scores").findValuesAsText("node"))
              .contains(pod.path("node").asText());
        }
      }
      assertThat(placed.findValuesAsText("claim"))
          .hasSameSizeAs(allocated.findValuesAsText("pool"));
    }
  }

  @Test
  void withoutANodeTheReasonStandsBesideThePod() {
    Cli cli = Cli.run("place", TWO, "--without", "node/server-1");

    assertThat(cli.code()).isEqualTo(1);
    List<String> lines = cli.out().lines().toList();
    assertThat(lines.get(0)).isEqualTo("2 of 4 pods placed");
    assertThat(lines)
        .anyMatch(line -> line.matches("default/second-0 +- +- +does not fit: claim .*"));
    assertThat(lines).allMatch(line -> line.length() <= 100);
  }

  @Test
  void nodesThatComeTakeWhatHadNoRoom() throws IOException {
    JsonNode json =
        json("place", TWO, "--without", "node/server-1", "--add-node", "server-0=1", "-o", "json");

    assertThat(json.path("placed").asInt()).isEqualTo(4);
    assertThat(json.findValuesAsText("node")).contains("server-0-added-1");
  }

  @Test
  void aNodeOfAFileScalesFromZero() throws IOException {
    Path template = directory.resolve("template.yaml");
    String[] documents = Files.readString(Path.of(TWO)).split("---\n", -1);
    StringBuilder node = new StringBuilder();
    StringBuilder rest = new StringBuilder();
    for (String document : documents) {
      if (document.contains("name: server-0\n") || document.contains("nodeName: server-0\n")) {
        node.append("---\n").append(document);
      } else if (!document.contains("server-1")) {
        rest.append("---\n").append(document);
      }
    }
    Files.writeString(template, node);

    Cli cli = Cli.runWith(rest.toString(), "place", "-", "--add-node", template + "=2");

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).startsWith("4 of 4 pods placed").contains("server-0-added-2");
  }

  @Test
  void aJobThatComesWaitsBehindTheOthers() throws IOException {
    Path job = directory.resolve("job.yaml");
    String third = Files.readString(Path.of(TWO));
    Files.writeString(
        job, third.substring(third.lastIndexOf("---\n")).replace("name: third", "name: fourth"));

    Cli cli = Cli.run("place", TWO, "--add", job.toString());

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .startsWith("4 of 6 pods placed")
        .contains("Job default/fourth: 0 of 2 pods placed\n")
        .containsPattern("default/fourth-1 +- +- +as default/fourth-0\n");
  }

  @Test
  void unequalRailsAreAReason() throws IOException {
    String cluster =
        Files.readString(Path.of(TWO))
            .replaceFirst(
                "(?s)---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: second.*?(?=---)",
                "");

    Cli cli = Cli.runWith(cluster, "place", "-");
    Cli gang = Cli.runWith(cluster, "place", "--gang", "-");

    assertThat(cli.out()).startsWith("3 of 3 pods placed").contains("unequal rails: ");
    assertThat(gang.unwrapped().out())
        .contains("on 1 node, as a gang 160 of at most 160 GB/s, on one server");
  }

  private static final String PORTS =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec:
        {devices: {requests: [{name: g, exactly: {deviceClassName: gpu}}]}}}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: a}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: b}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: d.io,
        nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1},
        devices: [{name: d0}, {name: d1}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: b}, spec: {driver: d.io,
        nodeName: b, pool: {name: b, generation: 1, resourceSliceCount: 1},
        devices: [{name: d0}, {name: d1}]}}
      ---
      {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas: 2, template:
        {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: t}],
        containers: [{name: c, ports: [{containerPort: 80%s}]}]}}}}
      """;

  @Test
  void aGangWithoutAPlanSaysSo() {
    Cli apart = Cli.runWith(PORTS.formatted(", hostPort: 80"), "place", "--gang", "-").unwrapped();
    Cli planned = Cli.runWith(PORTS.formatted(""), "place", "--gang", "-").unwrapped();
    Cli noGang = Cli.runWith(PORTS.formatted(", hostPort: 80"), "place", "-").unwrapped();

    assertThat(apart.out())
        .contains(
            "StatefulSet default/s: 2 of 2 pods placed on 2 nodes, as a gang without a plan, one"
                + " pod after the other");
    assertThat(planned.out()).contains("as a gang ").doesNotContain("without a plan");
    assertThat(noGang.out()).doesNotContain("as a gang");
  }

  @Test
  void aGangWithoutNicsHasNoRate() {
    Cli cli =
        Cli.runWith(PORTS.formatted(""), "place", "--gang", "--policy", "pack", "-").unwrapped();

    assertThat(cli.out())
        .contains(
            "as a gang without a rate in GB/s, on one server, which needs no rails; there may")
        .doesNotContain("of at most")
        .doesNotContain("a better plan");
  }

  @Test
  void theRunEnds() {
    Cli place = Cli.run("place", TWO, "--run-timeout", "0s").unwrapped();
    Cli allocate = Cli.run("allocate", TWO, "--run-timeout", "0s").unwrapped();
    Cli explain = Cli.run("explain", TWO, "--run-timeout", "0s").unwrapped();
    Cli headroom = Cli.run("headroom", "job/third", TWO, "--run-timeout", "0s").unwrapped();

    for (Cli cli : List.of(place, allocate, explain)) {
      assertThat(cli.code()).isEqualTo(4);
      assertThat((cli.out() + cli.err()).replaceAll("\\s+", " "))
          .contains("undecided: the time of the run is over: no answer within 0 ms");
    }
    assertThat(headroom.code()).isEqualTo(4);
    assertThat(headroom.out()).contains("the time of the run is over");
  }

  @Test
  void thePageHasNoScripts() {
    Cli cli = Cli.run("place", A4, "-o", "html");

    assertThat(cli.code()).isZero();
    assertThat(cli.out())
        .startsWith("<!DOCTYPE html>")
        .contains("<h1>2 of 2 pods placed</h1>", "<th>DEVICES</th>", "Node a4-1")
        .doesNotContain("<script");
  }

  @Test
  void thePictureIsThatOfAllocate() {
    assertThat(Cli.run("place", A4, "-o", "svg").out())
        .isEqualTo(Cli.run("allocate", A4, "-o", "svg").out());
  }

  @Test
  void whatIsRenderedPlacesTheSameDevices() throws IOException {
    Path rendered = directory.resolve("rendered");
    Cli first = Cli.run("place", A4, "--render", rendered.toString());
    Path manifests = rendered.resolve("default-nccl-test.yaml");
    String text = Files.readString(manifests);
    String cluster = Files.readString(Path.of(A4)).replaceAll("(?s)---\napiVersion: apps/v1.*", "");

    Cli again = Cli.runWith(cluster, "place", "-", manifests.toString());

    assertThat(first.code()).as(first.err()).isZero();
    assertThat(Cli.run("validate", manifests.toString()).code()).isZero();
    assertThat(again.out()).isEqualTo(first.out());
    assertThat(text)
        .contains("nccl-test-0.nccl-test slots=2", "name: NCCL_NET", "0000:8f:00.0", "- a4-1");
    assertThat(rendered.resolve("default-nccl-test.sky.yaml"))
        .content()
        .contains("network_tier: best", "num_nodes: 2");
    assertThat(Cli.run("place", A4, "--render", rendered.toString()).code()).isEqualTo(2);
  }

  /** Fields that are not read from a live cluster would be missing in the manifest. */
  @Test
  void aJobThatWasReadOfALiveClusterIsNotRendered() throws IOException {
    String text = Files.readString(Path.of(A4));
    String marked =
        text.replaceFirst(
            "(?s)(kind: StatefulSet\nmetadata:\n)",
            "$1  annotations: {%s: commands}\n".formatted(ClusterCapture.LEFT_OUT));
    assertThat(marked).isNotEqualTo(text);
    Cli cli = Cli.runWith(marked, "place", "-", "--render", directory.resolve("r").toString());
    assertThat(cli.out()).startsWith("2 of 2 pods placed");
    assertThat(cli.err())
        .contains(
            "StatefulSet default/nccl-test: not rendered", "without commands and environment");
    assertThat(directory.resolve("r").resolve("default-nccl-test.yaml")).doesNotExist();
  }

  @Test
  void wrongValuesAreRefused() {
    assertThat(Cli.run("place").code()).isEqualTo(2);
    assertThat(Cli.run("place", TWO, "--without", "server-1").errLines().get(0))
        .isEqualTo("dra4j: --without: expected node/NAME, found 'server-1'");
    assertThat(Cli.run("place", TWO, "--without", "node/no").errLines().get(0))
        .isEqualTo("dra4j: --without: no node \"no\" in the input; nodes: server-0, server-1");
    assertThat(Cli.run("place", TWO, "--add-node", "server-0=0").errLines().get(0))
        .isEqualTo(
            "dra4j: --add-node: expected TEMPLATE=N with N from 1 to 100000, found 'server-0=0'");
    assertThat(Cli.run("place", TWO, "--add-node", "a=1", "--add-node", "a=2").code()).isEqualTo(2);
    assertThat(Cli.run("place", TWO, "--add-node", TWO + "=1").errLines())
        .anyMatch(line -> line.endsWith("expected one Node and its ResourceSlices, found 2 Nodes"));
    assertThat(Cli.run("place", TWO, "--add-node", "no-such=1").code()).isEqualTo(2);
    assertThat(Cli.run("place", TWO, "--levels", "rack").code()).isEqualTo(2);
  }
}
