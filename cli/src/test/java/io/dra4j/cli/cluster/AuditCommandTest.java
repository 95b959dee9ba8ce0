package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code dra4j audit}: inconsistencies in a dump. */
class AuditCommandTest {

  private static final Path TWO = Path.of("../examples/two-nodes-scale-out.yaml");

  private static final String POD =
      """
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: POD, namespace: default}
      spec:
        nodeName: server-0
        resourceClaims: [{name: devices, resourceClaimName: CLAIM}]
        containers: [{name: c, image: i, resources: {claims: [{name: devices}]}}]
      """;

  /** The example after its pods were placed. */
  private static String dump() throws IOException {
    String claims = Cli.run("allocate", TWO.toString(), "-o", "yaml").out();
    return Files.readString(TWO).replaceAll("(?s)---\napiVersion: batch/v1.*", "---\n" + claims);
  }

  private static Cli audit(String cluster, String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "audit";
    args[1] = "-";
    System.arraycopy(more, 0, args, 2, more.length);
    return Cli.runWith(cluster, args);
  }

  @Test
  void allocationsThatWouldBeMadeAgainAreNoFinding() throws IOException {
    Cli cli = audit(dump());

    assertThat(cli.code()).as(cli.out()).isZero();
    assertThat(cli.out()).isEqualTo("no problems: 4 allocated claims with 32 devices\n");
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: warning: no Pods in the input: claims whose pods no longer exist cannot be found");
  }

  @Test
  void aSelectorThatChangedIsDrift() throws IOException {
    Cli cli =
        audit(
            dump()
                .replace(
                    "device.driver == \"dra.net\"",
                    "device.driver == \"dra.net\" && device.attributes[\"dra.net\"].numaNode == 0"),
            "-o",
            "json");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .contains("\"kind\":\"Drift\"", "\"claim\":\"default/first-0-devices\"", "only 4");
  }

  @Test
  void whatIsHeldTwiceOrNotPublishedAndPoolsThatAreNotWholeAreNamed() throws IOException {
    String cluster =
        dump()
            .replaceFirst("resourceSliceCount: 1", "resourceSliceCount: 2")
            .replaceFirst("  - name: nic-7\n", "  - name: nic-9\n");
    int last = cluster.lastIndexOf("device: gpu-7");
    cluster = cluster.substring(0, last) + cluster.substring(last).replace("gpu-7", "gpu-5");

    Cli cli = audit(cluster, "-o", "json");

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .contains(
            "\"kind\":\"HeldTwice\"",
            "\"device\":\"gpu.nvidia.com/server-1/gpu-5\"",
            "\"kind\":\"NotPublished\"",
            "\"device\":\"dra.net/server-0/nic-7\"",
            "\"kind\":\"IncompletePool\"",
            "\"pool\":\"gpu.nvidia.com/server-0\"");
  }

  @Test
  void aClaimWithoutItsPodIsNamed() throws IOException {
    String cluster = dump() + POD.replace("POD", "first-0").replace("CLAIM", "first-0-devices");

    Cli cli = audit(cluster);

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .contains("ResourceClaim default/second-0-devices: has devices")
        .doesNotContain("ResourceClaim default/first-0-devices: has devices, and");
  }

  @Test
  void aClaimWhosePodHasEndedIsNamed() throws IOException {
    String ended =
        POD.replace("POD", "first-0").replace("CLAIM", "first-0-devices")
            + "status: {phase: Succeeded}\n";
    String reserved = "status:\n    reservedFor: [{resource: pods, name: first-0, uid: u}]\n";

    Cli cli = audit(dump().replaceFirst("status:\n", reserved) + ended);

    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.unwrapped().out())
        .contains("has devices, and its pods have ended or no longer exist: default/first-0");
    assertThat(cli.errLines()).isEmpty();
  }

  @Test
  void theClaimsThatHoldADeviceTwiceAreNamedWithoutBrackets() throws IOException {
    String cluster = dump();
    int last = cluster.lastIndexOf("device: gpu-7");
    cluster = cluster.substring(0, last) + cluster.substring(last).replace("gpu-7", "gpu-5");

    Cli cli = audit(cluster);

    assertThat(cli.unwrapped().out())
        .containsPattern("gpu-5 is in use by default/[a-z]+-[0-9]-devices")
        .doesNotContain("[", "]");
  }
}
