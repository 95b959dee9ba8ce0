package io.dra4j.kubernetes;

import static io.dra4j.kubernetes.LiveObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.inventory.DeviceInventory;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real API server: objects appear in the inventory as they are made, changed and deleted. */
class ClusterInventoryLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private KubernetesClient client;
  private LiveObjects objects;

  @BeforeEach
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    objects = new LiveObjects(client, "live");
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      client.close();
    }
  }

  @Test
  void followsSlices() throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      objects.apply(slice("live-a", "live-node", 1, 3));
      ClusterView made = cluster.await(one -> one.inventory().slice("live-a").isPresent(), LIMIT);
      assertThat(made.inventory().slice("live-a").orElseThrow().devices()).hasSize(3);
      objects.apply(slice("live-a", "live-node", 2, 5));
      cluster.await(
          one ->
              one.inventory().slice("live-a").map(slice -> slice.devices().size()).orElse(0) == 5,
          LIMIT);
      objects.deleteSlice("live-a");
      cluster.await(one -> one.inventory().slice("live-a").isEmpty(), LIMIT);
      assertThat(cluster.view().problems()).isEmpty();
      assertThat(made.inventory().slice("live-a")).isPresent();
    }
  }

  /** The inventory after random changes is that of a list at the same moment. */
  @Test
  void isWhatAListSaysAfterRandomChanges() throws Exception {
    int changes = Integer.getInteger("live.changes", 2000);
    long seed = Long.getLong("live.seed", 1);
    Random random = new Random(seed);
    int points = 0;
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      for (int i = 1; i <= changes; i++) {
        objects.change(random);
        if (i % (changes / 50) == 0) {
          points++;
          DeviceInventory listed = objects.listed();
          cluster.await(view -> LiveObjects.isEqual(view.inventory(), listed), LIMIT);
        }
      }
      System.out.printf(
          "cluster: %d random changes, equal at %d points, seed %d%n", changes, points, seed);
    } finally {
      objects.deleteAll();
    }
  }

  /** The rights that are printed are enough, and one that is missing is named. */
  @Test
  void rightsThatArePrintedAreEnough() throws Exception {
    String account =
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: live, namespace: default}\n";
    String binding =
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: live}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: live}
        subjects: [{kind: ServiceAccount, name: live, namespace: default}]
        """;
    String role = AccessRules.reader("live");
    try {
      client.resource(account).create();
      client.resource(role).serverSideApply();
      client.resource(binding).create();
      String token =
          client
              .serviceAccounts()
              .inNamespace("default")
              .withName("live")
              .tokenRequest()
              .getStatus()
              .getToken();
      try (KubernetesClient reader = withToken(token)) {
        ClusterCapture.of(reader).write(new ByteArrayOutputStream());
        try (ClusterInventory cluster = ClusterInventory.follow(reader)) {
          assertThat(cluster.awaitSynced(LIMIT).problems()).isEmpty();
        }
        client.resource(role.replace("resourceslices, ", "")).serverSideApply();
        try (ClusterInventory cluster = ClusterInventory.follow(reader)) {
          ClusterView view = cluster.await(one -> !one.problems().isEmpty(), LIMIT);
          assertThat(view.problems().lines())
              .singleElement()
              .asString()
              .contains("resourceslices.resource.k8s.io", "access is denied (403)", "live");
        }
        client.resource(role.replace("deployments, ", "")).serverSideApply();
        assertThat(refusalOfCapture(reader))
            .hasSize(1)
            .first()
            .asString()
            .contains("access is denied (403)", "deployments.apps", "cannot list", "live");
        ClusterCapture.of(reader).withoutWorkloads().write(new ByteArrayOutputStream());
        System.out.println(
            "cluster: the printed rights are enough to follow and capture; one less is one line");
      }
    } finally {
      client.resource(binding).delete();
      client.resource(role).delete();
      client.resource(account).delete();
    }
  }

  /** The lines of the message of a capture that is refused, once the server knows the new role. */
  private static List<String> refusalOfCapture(KubernetesClient reader) throws Exception {
    for (int i = 0; i < 100; i++) {
      try {
        ClusterCapture.of(reader).write(new ByteArrayOutputStream());
        Thread.sleep(100);
      } catch (ClusterException e) {
        return String.valueOf(e.getMessage()).lines().toList();
      }
    }
    return List.of();
  }

  private KubernetesClient withToken(String token) {
    Config config =
        new ConfigBuilder(client.getConfiguration())
            .withOauthToken(token)
            .withAutoOAuthToken(token)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
