package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods go on, and others start, after a program of the node or the API server started anew. */
class RestartsNodeTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"kubelet", "containerd", "apiserver"})
  void podsGoOnAndOthersStart(String program) throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "again", 2);
        NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
      links.start("before");
      NodeProgram.find(program).restart();
      await(
          "the agent is ready",
          () ->
              driver.agent().awaitReady(NodeCluster.LIMIT) && driver.agent().problems().isEmpty());
      await("the API server answers", cluster::answers);
      links.start("after");
      assertThat(cluster.phase("before")).isEqualTo("Running");
      cluster.delete("before");
      cluster.delete("after");
      await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
      assertThat(links.there()).hasSize(2);
    }
  }

  @Test
  void kubeletThatLostItsStateAndTheSlicesGetsThemAgain() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "lost", 2);
        NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
      links.start("before");
      NodeProgram kubelet = NodeProgram.find("kubelet");
      kubelet.kill();
      Files.deleteIfExists(Path.of(System.getenv("KUBELET_ROOT"), "dra_manager_state"));
      cluster.slices().delete();
      kubelet.start();
      await(
          "the slices are published again",
          () -> { // also the link that is in the pod
            String slices = cluster.slices().list().getItems().toString();
            return slices.contains("lost-0") && slices.contains("lost-1");
          });
      assertThat(driver.agent().awaitReady(NodeCluster.LIMIT)).isTrue();
      links.start("after");
      assertThat(cluster.phase("before")).isEqualTo("Running");
      cluster.delete("after");
      cluster.delete("before");
      links.awaitBack(); // by the stop of the sandbox; the kubelet does not know the claim
    }
  }
}
