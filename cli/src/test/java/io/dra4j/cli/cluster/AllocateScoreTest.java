package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.cli.Cli;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.placement.PlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scores in the answers of {@code allocate}: as table, as JSON, as picture. */
class AllocateScoreTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot: {string: 'pci0000:00'}";
  private static final String EXAMPLE = "../examples/gke-a4-aligned.yaml";

  @TempDir Path directory;

  @Test
  void theTableHasTheScoreOfEachPod() {
    Cli cli = Cli.run("allocate", "--policy", "best", EXAMPLE);

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out())
        .containsPattern("POD +GB/S +AT MOST +PATHS +RAILS +FRAGMENTATION")
        .containsPattern("2 HOST_BRIDGE +[0-9], [0-9] +-")
        .contains("2 pairs each on one PCIe root: 80 of at most 80 GB/s");
  }

  @Test
  void jsonHasTheScoresBesideTheClaims() throws IOException {
    Cli cli = Cli.run("allocate", "--policy", "best", "-o", "json", EXAMPLE);

    JsonNode scores = new ObjectMapper().readTree(cli.out()).path("scores");
    assertThat(scores).isNotEmpty();
    for (JsonNode score : scores) {
      assertThat(score.path("pod").asText()).isNotEmpty();
      assertThat(score.path("node").asText()).startsWith("a4-");
      assertThat(score.path("score").path("gigabytesPerSecond").asDouble()).isEqualTo(80);
      assertThat(score.path("score").path("pairs")).hasSize(2);
    }
    Path again = Files.writeString(directory.resolve("again.json"), cli.out());
    assertThat(Cli.run("allocate", EXAMPLE, again.toString()).err()).doesNotContain("IllegalState");
  }

  @Test
  void podsThatShareANicHaveAPartOfItEach() throws IOException {
    Path cluster =
        cluster(2, 1, ROOT + ", host.dra4j.io/physicalFunction: {string: '0000:0a:00.0'}", "");
    Files.writeString(
        cluster,
        """
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: other}
        spec:
          devices:
            requests:
            - {name: gpus, exactly: {deviceClassName: gpu.example.com}}
            - {name: nics, exactly: {deviceClassName: nic.example.com}}
        """,
        StandardOpenOption.APPEND);

    Cli cli = Cli.run("allocate", "--policy", "best", "-o", "json", cluster.toString());

    JsonNode scores = new ObjectMapper().readTree(cli.out()).path("scores");
    assertThat(scores).hasSize(2);
    for (JsonNode score : scores) {
      assertThat(score.path("score").path("gigabytesPerSecond").asDouble()).isEqualTo(25);
      assertThat(score.path("score").path("explanation").asText())
          .contains(": 25 of at most 48 GB/s; 1 pair shares links");
    }
  }

  @Test
  void aPictureJoinsPairsByLines() throws IOException {
    Cli cli =
        Cli.run("allocate", "--policy", "best", "-o", "svg", cluster(4, 2, ROOT, "").toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("default/c: d0 to d0, HOST_BRIDGE, 40 GB/s");
    assertThat(cli.out().split("stroke-width=\"3.3\"", -1)).hasSize(2 + 1);
  }

  @Test
  void ofSeveralServersOneIsDrawnAndTheOthersNamed() {
    Cli cli = Cli.run("allocate", "--policy", "best", "-o", "svg", EXAMPLE);

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("Node a4-0");
    assertThat(cli.err())
        .contains("the picture shows node a4-0")
        .contains("a4-1")
        .contains("--node");
  }

  @Test
  void aPictureNeedsAPlacedPodAndOneCluster() throws IOException {
    Path nothing =
        Files.writeString(
            directory.resolve("nothing.yaml"),
            "{apiVersion: v1, kind: Node, metadata: {name: server}}\n");

    assertThat(Cli.run("allocate", "-o", "svg", nothing.toString()).err())
        .contains("no picture: no pod was placed or refused on a node");
    Cli both = Cli.run("allocate", "--all-nodes", "-o", "svg", EXAMPLE);
    assertThat(both.code()).isEqualTo(ExitCode.BAD_INPUT.value());
    assertThat(both.err()).contains("only -o table and -o json, not svg");
  }

  /** A node with so many GPUs and NICs on one root, and a claim for some of them. */
  private Path cluster(int devices, int wanted, String attributes, String preference)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("{apiVersion: v1, kind: Node, metadata: {name: server}}\n");
    for (String driver : new String[] {"gpu.example.com", "nic.example.com"}) {
      text.append("---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: ")
          .append(driver)
          .append("}, spec: {selectors: [{cel: {expression: 'device.driver == \"")
          .append(driver)
          .append("\"'}}]}}\n");
      for (int slice = 0; slice * 100 < devices; slice++) {
        text.append("---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: ")
            .append(driver + slice)
            .append("}, spec: {driver: ")
            .append(driver)
            .append(", nodeName: server, pool: {name: server, generation: 1, resourceSliceCount: ")
            .append((devices + 99) / 100)
            .append("}, devices: [")
            .append(
                IntStream.range(slice * 100, Math.min(devices, slice * 100 + 100))
                    .mapToObj(i -> "{name: d%d, attributes: {%s}}".formatted(i, attributes))
                    .collect(Collectors.joining(", ")))
            .append("]}}\n");
      }
    }
    text.append("---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c,")
        .append(" namespace: default}, spec: {devices: {requests: [{name: gpus, exactly:")
        .append(" {deviceClassName: gpu.example.com, count: ")
        .append(wanted)
        .append("}}, {name: nics, exactly: {deviceClassName: nic.example.com, count: ")
        .append(wanted)
        .append("}}]")
        .append(preference)
        .append("}}}\n");
    return Files.writeString(directory.resolve("cluster.yaml"), text.toString());
  }

  @Test
  void devicesWithoutAnyTopologyAreUnknownAndNoError() throws IOException {
    Cli cli = Cli.run("allocate", "--policy", "best", cluster(4, 2, "", "").toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("2 pairs at an unpublished distance");
  }

  @Test
  void aThousandDevicesOnANodeHaveAnAnswer() throws IOException {
    Cli cli = Cli.run("allocate", "--policy", "best", cluster(500, 8, ROOT, "").toString());

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).contains("8 HOST_BRIDGE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy: fast | policy: expected one of first-fit, best, pack, spread, found \"fast\"",
        "alignment: {within: NEAR} | /alignment/within: expected one of SAME_CARD, SWITCH",
        "alignment: {within: SWITCH, mode: Maybe} | /alignment/mode: expected Preferred or Required",
        "speed: 3 | speed: unknown field",
      })
  void preferencesThatCannotBeAreRefused(String field, String problem) throws IOException {
    String preference =
        ", config: [{opaque: {driver: dra4j.io, parameters: {apiVersion: dra4j.io/v1alpha1,"
            + " kind: Placement, "
            + field
            + "}}}]";
    Cli cli =
        Cli.run("allocate", "--policy", "best", cluster(2, 1, "", preference).toString())
            .unwrapped();

    assertThat(cli.code()).isEqualTo(ExitCode.REJECTED.value());
    assertThat(cli.out() + cli.err()).contains(problem);
  }

  @Test
  void theHelpHasEachPolicy() throws IOException {
    String help = Cli.run("allocate", "--help").out();
    int start = help.lastIndexOf("--policy=POLICY");
    String described = help.substring(start, help.indexOf("\n      --", start));
    String page = Files.readString(Path.of("../docs/placement.md"));

    assertThat(PlacementPolicy.names())
        .hasSizeGreaterThan(3)
        .allSatisfy(name -> assertThat(described).contains(name))
        .allSatisfy(name -> assertThat(page.contains("\n| `" + name + "` | ")).as(name).isTrue());
  }
}
