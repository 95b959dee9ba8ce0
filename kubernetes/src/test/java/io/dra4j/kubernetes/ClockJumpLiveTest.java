package io.dra4j.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.model.Device;
import io.dra4j.spi.publish.DevicePool;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The time of day jumps under a program that follows a cluster and publishes slices there. */
@SuppressWarnings("try") // the end of its input ends the program
class ClockJumpLiveTest {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: clock-1}
      """;

  private static final String DRIVER = "clock.example.com";
  private static final Duration DAY = Duration.ofDays(1);

  /** Publishes as many devices as each line says, and prints the time when it sees them. */
  public static final class Program {

    private Program() {}

    public static void main(String[] args) throws Exception {
      try (KubernetesClient client = new KubernetesClientBuilder().build();
          ClusterInventory cluster = ClusterInventory.follow(client);
          SlicePublisher publisher = SlicePublisher.builder(client, DRIVER, "clock-1").start();
          BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          int count = Integer.parseInt(line);
          List<Device> devices =
              IntStream.range(0, count).mapToObj(i -> Device.named("d" + i).build()).toList();
          publisher.publish(Map.of("clock-1", DevicePool.of(devices, List.of())));
          cluster.await(view -> devices(view) == count, Duration.ofSeconds(60));
          System.out.println(count + " " + Instant.now());
        }
        publisher.publish(Map.of());
        publisher.awaitPublished(Duration.ofSeconds(60));
      }
    }

    private static int devices(ClusterView view) {
      return view.inventory().publishedSlices().stream()
          .filter(slice -> slice.driver().equals(DRIVER))
          .mapToInt(slice -> slice.devices().size())
          .sum();
    }
  }

  @Test
  @Timeout(
      value = 300,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a read is not interrupted
  void followsAndPublishesThroughJumps(@TempDir Path directory) throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    Path clock = compile(directory);
    Path offset = Files.writeString(directory.resolve("offset"), "0");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LD_PRELOAD", clock.toString());
    builder.environment().put("CLOCK_OFFSET", offset.toString());
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      client.resource(NODE).create();
      Process program = builder.start();
      try (PrintStream in = new PrintStream(program.getOutputStream(), true, UTF_8);
          BufferedReader out =
              new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8))) {
        Instant start = ask(in, out, 1);
        jump(offset, DAY);
        assertThat(ask(in, out, 2)).isBetween(start.plus(DAY), start.plus(DAY.multipliedBy(2)));
        jump(offset, Duration.ZERO);
        assertThat(ask(in, out, 3)).isBetween(start, start.plus(DAY));
        jump(offset, DAY.multipliedBy(7));
        assertThat(ask(in, out, 4)).isAfter(start.plus(DAY.multipliedBy(7)));
        in.close();
        assertThat(program.waitFor()).isZero();
        System.out.println(
            "cluster: 3 jumps of the clock, a day and a week; slices seen after each");
      } finally {
        program.destroy();
        program.waitFor();
      }
      client.resource(NODE).delete();
    }
  }

  private static Path compile(Path directory) throws IOException, InterruptedException {
    Path source = directory.resolve("clock.c");
    try (InputStream in = ClockJumpLiveTest.class.getResourceAsStream("clock.c")) {
      Files.copy(Objects.requireNonNull(in), source);
    }
    Path library = directory.resolve("clock.so");
    Process compiler =
        new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library + "", source + "", "-ldl")
            .inheritIO()
            .start();
    assertThat(compiler.waitFor()).isZero();
    return library;
  }

  private static void jump(Path offset, Duration by) throws IOException {
    Path next = Files.writeString(offset.resolveSibling("next"), by.toSeconds() + "");
    Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The time that the program has when it sees the devices. */
  private static Instant ask(PrintStream in, BufferedReader out, int devices) throws IOException {
    in.println(devices);
    String line = Objects.requireNonNull(out.readLine(), "the program has ended");
    assertThat(line).startsWith(devices + " ");
    return Instant.parse(line.substring(line.indexOf(' ') + 1));
  }
}
