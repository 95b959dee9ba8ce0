package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static io.dra4j.node.NodeCluster.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.runtime.RuntimeHealth;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent needs is away, full or contended, and comes back: no pod is lost. */
class OutagesNodeTest {

  @TempDir private Path directory;

  /** The API server hangs while one pod is prepared, one attached, and one detached. */
  @Test
  void apiServerIsAwayInEachPhase() throws Exception {
    Duration outage = Duration.ofSeconds(NodeCluster.isNightly() ? 60 : 5);
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "away", 3);
        AgentProcess agent = AgentProcess.start(directory)) {
      cluster.create(links.pod("away-detach", "Never", 3)); // its process does not end by itself
      links.awaitWith("away-detach");
      agent.fault("hang attach");
      cluster.create(links.pod("away-attach"));
      agent.awaitHang();
      cluster.create(links.pod("away-prepare"));
      await(
          "away-prepare has a node",
          () -> cluster.pod("away-prepare").getSpec().getNodeName() != null);
      cluster.client.pods().inNamespace("default").withName("away-detach").delete();
      Thread.sleep(1000); // the kubelet has heard of both
      NodeProgram apiServer = NodeProgram.find("apiserver");
      apiServer.hang();
      agent.resume();
      long end = System.nanoTime() + outage.toNanos();
      await("away-detach has given its link back", () -> !links.there().isEmpty());
      if (NodeCluster.isNightly()) {
        await("away-attach has its link", () -> cluster.logFile("away-attach").contains("WITH"));
      }
      Thread.sleep(Math.max(0, Duration.ofNanos(end - System.nanoTime()).toMillis()));
      apiServer.resume();
      await("the API server answers", cluster::answers);
      links.awaitWith("away-attach");
      links.awaitWith("away-prepare");
      for (String pod : List.of("away-attach", "away-prepare")) {
        String claim =
            cluster.pod(pod).getStatus().getResourceClaimStatuses().get(0).getResourceClaimName();
        await(
            "the status of the claim of " + pod,
            () -> cluster.statusDevices(claim).toString().contains("nic0"));
      }
      await("away-detach is gone", () -> cluster.pod("away-detach") == null);
      links.deletePods();
      links.awaitBack();
    }
  }

  @Test
  void apiServerThatIsAwayIsAProblemOfTheAgent() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "api", 1);
        NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
      await("no problem", () -> driver.agent().problems().isEmpty());
      NodeProgram apiServer = NodeProgram.find("apiserver");
      apiServer.kill();
      await(
          "the API server is a problem",
          () -> driver.agent().problems().toString().contains("ResourceSlices are not published"));
      RuntimeHealth health = driver.runtime().health();
      assertThat(health.isLive() && health.isReady()).isTrue();
      assertThat(health.problems())
          .contains("ResourceSlices are not published; see the log for the reason");
      apiServer.start();
      await("no problem any more", () -> driver.agent().problems().isEmpty());
      await("the API server answers", cluster::answers);
      links.start("api-after");
      cluster.delete("api-after");
    }
  }

  @Test
  void socketOfTheContainerRuntimeIsGone() throws Exception {
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "nri", 1);
        AgentProcess agent = AgentProcess.start(directory)) {
      Path socket = Path.of(System.getenv("NRI_SOCKET"));
      Path hidden = socket.resolveSibling("hidden.sock");
      agent.kill();
      Files.move(socket, hidden);
      agent.begin();
      cluster.create(links.pod("nri-pod"));
      await("nri-pod cannot be created", () -> waiting(cluster, "nri-pod").contains("Create"));
      Files.move(hidden, socket);
      agent.awaitReady();
      links.awaitWith("nri-pod");
      cluster.delete("nri-pod");
      links.awaitBack();
    }
  }

  private static String waiting(NodeCluster cluster, String pod) {
    return cluster.pod(pod).getStatus().getContainerStatuses().stream()
        .map(one -> one.getState().getWaiting())
        .filter(one -> one != null)
        .map(one -> String.valueOf(one.getReason()))
        .findFirst()
        .orElse("");
  }

  @Test
  void statusOfClaimsThatOthersChangeIsWritten() throws Exception {
    int pods = 5;
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger changes = new AtomicInteger();
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "conflict", pods);
        NodeCluster.Driver driver = cluster.start(directory.resolve("claims.db"))) {
      Thread changing =
          new Thread(
              () -> {
                while (!isOver.get()) {
                  for (String claim : cluster.claims()) {
                    if (cluster.annotate(claim, "n", String.valueOf(changes.get()))) {
                      changes.incrementAndGet();
                    }
                  }
                }
              });
      changing.start();
      for (int i = 0; i < pods; i++) {
        cluster.create(links.pod("conflict-" + i));
      }
      for (int i = 0; i < pods; i++) {
        links.awaitWith("conflict-" + i);
      }
      for (String claim : cluster.claims()) {
        await(
            "the status of " + claim,
            () -> cluster.statusDevices(claim).toString().contains("nic0"));
      }
      isOver.set(true);
      changing.join();
      assertThat(changes.get()).isPositive();
      links.deletePods();
      await("all claims are unprepared", () -> driver.runtime().claims().isEmpty());
      links.awaitBack();
    }
  }

  @Test
  void diskOfTheStoreIsFull() throws Exception {
    Path state = Files.createDirectory(directory.resolve("state"));
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, "full", 2)) {
      run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", state.toString());
      try (NodeCluster.Driver driver = cluster.start(state.resolve("claims.db"))) {
        links.start("full-before");
        Path filler = state.resolve("filler");
        fill(filler);
        cluster.client.pods().inNamespace("default").withName("full-before").delete();
        cluster.create(links.pod("full-after"));
        await(
            "the pod says why",
            () -> cluster.events("full-after").contains("FailedPrepareDynamicResources"));
        assertThat(cluster.phase("full-after")).isEqualTo("Pending");
        Files.delete(filler);
        links.awaitWith("full-after");
        await("full-before is gone", () -> cluster.pod("full-before") == null);
        cluster.delete("full-after");
        await(
            "all claims are unprepared",
            Duration.ofMinutes(3),
            () -> driver.runtime().claims().isEmpty());
        links.awaitBack();
      } finally {
        run("umount", "-l", state.toString());
      }
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] block = new byte[512];
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }
}
