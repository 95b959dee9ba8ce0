package io.dra4j.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.testkit.SyntheticHosts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.options.TimeValue;

/** That a file goes in and a table comes out; not how long anything takes. */
class TopologyScoringBenchmarkTest {

  @TempDir Path directory;

  private static String table(Path server, String node) throws Exception {
    return TopologyScoringBenchmark.table(
        server.toString(),
        node,
        options ->
            options
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(10)));
  }

  @Test
  void ofACapturedHost() throws Exception {
    SyntheticHosts.a4().expandTo(directory);

    assertThat(table(directory, ""))
        .startsWith("8 GPUs and 8 NICs of ")
        .containsPattern("\\| 1 \\| .* \\| 48\\.0 \\|")
        .containsPattern("\\| 8 \\| .* \\| 384\\.0 \\|");
  }

  @Test
  void ofTheSecondNodeOfSlices() throws Exception {
    Path file = directory.resolve("slices.yaml");
    Files.writeString(file, slices("one", 1) + slices("two", 4));

    assertThat(table(file, "two"))
        .startsWith("4 GPUs and 4 NICs of ")
        .contains("| gpu-0 nic-0 | 40.0 |")
        .contains("| gpu-0 gpu-1 gpu-2 gpu-3 nic-0 nic-1 nic-2 nic-3 | 160.0 |");
    assertThat(table(file, "")).startsWith("1 GPUs and 1 NICs of ");
  }

  private static String slices(String node, int devices) {
    StringBuilder text = new StringBuilder();
    for (String kind : new String[] {"gpu", "nic"}) {
      text.append(
          """
          ---
          apiVersion: resource.k8s.io/v1
          kind: ResourceSlice
          metadata: {name: %1$s-%2$s}
          spec:
            driver: %2$s.example.com
            nodeName: "%1$s"
            pool: {name: "%1$s", generation: 1, resourceSliceCount: 1}
            devices:
          """
              .formatted(node, kind));
      text.append(
          IntStream.range(0, devices)
              .mapToObj(
                  i ->
                      "  - {name: %s-%d, attributes: {resource.kubernetes.io/pcieRoot: {string: 'pci%04d:00'}}}%n"
                          .formatted(kind, i, i))
              .collect(Collectors.joining()));
    }
    return text.toString();
  }

  @Test
  void whatIsNoServerIsToldSo() {
    assertThatThrownBy(() -> table(directory.resolve("nothing"), ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a file, a directory, or a server");
  }
}
