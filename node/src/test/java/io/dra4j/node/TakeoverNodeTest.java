package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A second instance takes over while pods start, as in a rolling update of a DaemonSet. */
class TakeoverNodeTest {

  private static final int PODS = 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noPodIsLostWhenASecondInstanceTakesOver(boolean isKilled) throws Exception {
    String prefix = isKilled ? "kill9" : "stop";
    try (NodeCluster cluster = NodeCluster.connect();
        TestLinks links = TestLinks.add(cluster, prefix, PODS)) {
      List<String> pods = IntStream.range(0, PODS).mapToObj(i -> prefix + "-" + i).toList();
      AgentProcess first = start("first");
      pods.subList(0, 5).forEach(pod -> cluster.create(links.pod(pod)));
      links.awaitWith(pods.get(0));
      try (AgentProcess second = start("second")) {
        cluster.create(links.pod(pods.get(5)));
        links.awaitWith(pods.get(5)); // the second one stands by, and the kubelet asks the first
        pods.subList(6, 15).forEach(pod -> cluster.create(links.pod(pod)));
        if (isKilled) {
          first.kill();
        } else {
          first.close();
        }
        pods.subList(15, PODS).forEach(pod -> cluster.create(links.pod(pod)));
        for (String pod : pods) {
          links.awaitWith(pod);
          assertThat(cluster.pod(pod).getStatus().getContainerStatuses())
              .extracting(ContainerStatus::getRestartCount)
              .containsOnly(0);
          String claim =
              cluster.pod(pod).getStatus().getResourceClaimStatuses().get(0).getResourceClaimName();
          await(
              "the status of the claim of " + pod,
              () -> cluster.statusDevices(claim).toString().contains("nic0"));
        }
        assertThat(second.isAlive()).isTrue();
        links.deletePods();
        links.awaitBack();
        await("all pods are gone", () -> pods.stream().allMatch(one -> cluster.pod(one) == null));
      }
    }
  }

  private AgentProcess start(String name) throws Exception {
    return AgentProcess.start(
        Files.createDirectories(directory.resolve(name)),
        new AgentProcess.Options(directory.resolve("claims.db"), "", UUID.randomUUID().toString()));
  }
}
