package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real API server: objects appear in the inventory as they are made, changed and deleted. */
class ClusterInventoryLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private KubernetesClient client;

  @BeforeEach
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/cluster/check)");
    client = new KubernetesClientBuilder().build();
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      client.close();
    }
  }

  private void apply(String yaml) {
    client.resource(yaml).serverSideApply();
  }

  private static String slice(String name, String node, long generation, int devices) {
    StringBuilder yaml =
        new StringBuilder(
            """
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: %s}
            spec:
              driver: test.example.com
              nodeName: %s
              pool: {name: %s, generation: %d, resourceSliceCount: 1}
              devices:
            """
                .formatted(name, node, node, generation));
    for (int i = 0; i < devices; i++) {
      yaml.append("  - {name: d%d, attributes: {index: {int: %d}}}\n".formatted(i, i));
    }
    return yaml.toString();
  }

  @Test
  void followsSlices() throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      apply(slice("live-a", "live-node", 1, 3));
      ClusterView made = cluster.await(one -> one.inventory().slice("live-a").isPresent(), LIMIT);
      assertThat(made.inventory().slice("live-a").orElseThrow().devices()).hasSize(3);
      apply(slice("live-a", "live-node", 2, 5));
      cluster.await(
          one ->
              one.inventory().slice("live-a").map(slice -> slice.devices().size()).orElse(0) == 5,
          LIMIT);
      client
          .genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice")
          .withName("live-a")
          .delete();
      cluster.await(one -> one.inventory().slice("live-a").isEmpty(), LIMIT);
      assertThat(cluster.view().problems()).isEmpty();
      assertThat(made.inventory().slice("live-a")).isPresent();
    }
  }
}
