package io.dra4j.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program of README sees a class and devices come and go in a real cluster. */
class FollowClusterLiveTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: follow-1}
      """;

  private static final String CLASS =
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: follow}
      spec: {selectors: [{cel: {expression: 'device.driver == "follow.example.com"'}}]}
      """;

  private static final String SLICE =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: follow}
      spec:
        driver: follow.example.com
        nodeName: follow-1
        pool: {name: follow-1, generation: 1, resourceSliceCount: 1}
        devices: [{name: d}]
      """;

  @Test
  @Timeout(
      value = 120,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a read is not interrupted
  void printsWhereTheClaimFits() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FollowCluster.class.getName(),
                "follow")
            .redirectErrorStream(true)
            .start();
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8))) {
      int printed = await(lines, "fits on no node");
      client.resource(NODE).create();
      client.resource(CLASS).create();
      client.resource(SLICE).create();
      printed += await(lines, "fits on follow-1");
      client.resource(SLICE).delete();
      printed += await(lines, "fits on no node");
      client.resource(CLASS).delete();
      client.resource(NODE).delete();
      System.out.printf("cluster: the program of README printed %d lines for 3 answers%n", printed);
    } finally {
      program.destroy();
      program.waitFor();
    }
  }

  /** Reads up to a line. */
  private static int await(BufferedReader lines, String expected) throws IOException {
    List<String> read = new ArrayList<>();
    String line;
    do {
      line = lines.readLine();
      assertThat(line).as("'%s' after %s", expected, read).isNotNull();
      read.add(line);
    } while (!line.equals(expected));
    return read.size();
  }
}
