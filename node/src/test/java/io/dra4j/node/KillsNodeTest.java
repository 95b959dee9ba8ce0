package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A driver that is killed between any two steps loses no pod and no interface: the next pod, which
 * the next boundary is tried with, gets it.
 */
class KillsNodeTest {

  /** More than any phase has. */
  private static final int MAX_BOUNDARIES = 40;

  private static final Set<String> FEW =
      Set.of("prepare end", "attach 3", "attach end", "detach", "unprepare");

  private static NodeCluster cluster;
  private static TestLinks links;
  @TempDir private Path directory;

  @BeforeAll
  static void connect() throws Exception {
    cluster = NodeCluster.connect();
    links = TestLinks.add(cluster, "kill", 1);
  }

  @AfterAll
  static void disconnect() throws Exception {
    if (cluster != null) {
      links.close();
      cluster.close();
    }
  }

  static Stream<String> few() {
    return FEW.stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("few")
  void podGetsItsInterfaceAndTheNodeGetsItBack(String boundary) throws Exception {
    try (AgentProcess agent = AgentProcess.start(directory)) {
      assertThat(dies(agent, boundary)).isTrue();
    }
  }

  @Test
  void everyBoundary() throws Exception {
    assumeTrue(NodeCluster.isNightly(), NodeCluster.NOT_NIGHTLY);
    int kills = 0;
    try (AgentProcess agent = AgentProcess.start(directory)) {
      for (String phase : List.of("prepare", "attach", "detach", "settle", "unprepare")) {
        List<String> moments =
            Stream.concat(
                    Stream.of(phase, phase + " end"),
                    IntStream.rangeClosed(1, MAX_BOUNDARIES).mapToObj(i -> phase + " " + i))
                .toList();
        for (String boundary : moments) {
          if (dies(agent, boundary)) {
            kills++;
          } else if (!boundary.equals(phase) && !boundary.endsWith("end")) {
            break; // the phase has no such step
          }
        }
      }
    }
    System.out.printf("kills on a node: %d kills, %d survived, 0 lost%n", kills, kills);
    assertThat(kills).isGreaterThanOrEqualTo(12);
  }

  /** Runs a pod while the driver dies at a boundary; returns false if it never came to it. */
  private boolean dies(AgentProcess agent, String boundary) throws Exception {
    String pod = "kill-" + boundary.replace(' ', '-').toLowerCase(Locale.ROOT);
    boolean isAtStart = boundary.startsWith("prepare") || boundary.startsWith("attach");
    if (isAtStart) {
      agent.fault("die " + boundary);
    }
    // With a second to end in, the pod is there until its claim is unprepared.
    cluster.create(links.pod(pod, "Never", 1));
    boolean isDead = isAtStart && agent.diesBefore(() -> isRunning(pod));
    links.awaitWith(pod);
    assertThat(cluster.pod(pod).getStatus().getContainerStatuses())
        .extracting(ContainerStatus::getRestartCount)
        .containsOnly(0);
    agent.fault(isAtStart ? "none" : "die " + boundary);
    cluster.client.pods().inNamespace(NodeCluster.NAMESPACE).withName(pod).delete();
    if (!isAtStart) {
      isDead = agent.diesBefore(() -> cluster.pod(pod) == null);
    }
    await(pod + " is gone", () -> cluster.pod(pod) == null);
    agent.fault("none");
    if (isDead && !isAtStart) {
      links.renew(); // the namespace may end while no process holds it, and a macvlan with it
    } else {
      links.awaitBack();
    }
    return isDead;
  }

  private static boolean isRunning(String pod) {
    return cluster.phase(pod).equals("Running") && !cluster.log(pod).isEmpty();
  }
}
