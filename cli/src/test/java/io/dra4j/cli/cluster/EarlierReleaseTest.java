package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dra4j.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If a release before 1.35 answers differently without a feature gate, each command that allocates
 * reports that its answer is that of 1.37, as text and as JSON.
 */
class EarlierReleaseTest {

  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: n1}
      status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata: {name: gpu}
      spec: {}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: part}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 2}
        devices: [{name: gpu-0}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: one, namespace: default}
      spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train, namespace: default}
      spec:
        template:
          spec:
            restartPolicy: Never
            resourceClaims: [{name: c, resourceClaimTemplateName: one}]
            containers: [{name: m, image: i, resources: {claims: [{name: c}]}}]
      """;

  private static final String SAID =
      "pool gpu.example.com/n1 is incomplete: Kubernetes 1.34 allocates single devices of it; this"
          + " answer follows 1.37, which does not";

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(directory.resolve("cluster.yaml"), CLUSTER);
  }

  private Cli run(String command, String... more) {
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.add(file.toString());
    arguments.addAll(List.of(more));
    return Cli.run(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"allocate", "explain", "place", "headroom job/train"})
  void answerIsSaidToBeThatOfAnotherRelease(String command) throws Exception {
    assertThat(run(command, "--kubernetes", "1.34").err()).contains("warning: " + SAID);
    Cli json = run(command, "--kubernetes", "1.34", "-o", "json");
    assertThat(json.err()).contains("warning: " + SAID);
    JsonNode warnings = new JsonMapper().readTree(json.out()).path("warnings");
    assertThat(warnings).extracting(JsonNode::asText).containsExactly(SAID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"allocate", "explain", "place", "headroom job/train"})
  void answerOfTheReleaseItselfHasNoWarning(String command) throws Exception {
    Cli json = run(command, "--kubernetes", "1.36", "-o", "json");
    assertThat(json.err()).doesNotContain("whose answer");
    assertThat(new JsonMapper().readTree(json.out()).path("warnings")).isEmpty();
  }

  @Test
  void strictRefusesTheInput() {
    Cli strict = run("allocate", "--kubernetes", "1.34", "--strict");
    assertThat(strict.code()).isEqualTo(2);
    assertThat(strict.err()).contains(SAID);
  }
}
