package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceSlice;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  /** The inventory after random changes is that of a list at the same moment. */
  @Test
  void isWhatAListSaysAfterRandomChanges() throws Exception {
    int changes = Integer.getInteger("live.changes", 400);
    long seed = Long.getLong("live.seed", 1);
    Random random = new Random(seed);
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      for (int i = 1; i <= changes; i++) {
        change(random);
        if (i % 20 == 0) {
          DeviceInventory listed = listed();
          cluster.await(view -> isEqual(view.inventory(), listed), LIMIT);
        }
      }
      System.out.printf("cluster: %d random changes, seed %d%n", changes, seed);
    } finally {
      for (int i = 0; i < OBJECTS; i++) {
        for (String yaml : List.of(slice("live-r" + i, "n", 1, 1), node(i), deviceClass(i, 1))) {
          client.resource(yaml).delete();
        }
        client.resource(claim(i, 1)).delete();
      }
    }
  }

  private static final int OBJECTS = 8;

  private void change(Random random) {
    int i = random.nextInt(OBJECTS);
    String yaml =
        switch (random.nextInt(4)) {
          case 0 -> slice("live-r" + i, "live-n" + i, 1 + random.nextInt(9), random.nextInt(9));
          case 1 -> node(i);
          case 2 -> deviceClass(i, random.nextInt(9));
          default -> claim(i, 1 + random.nextInt(3));
        };
    if (random.nextInt(3) == 0) {
      client.resource(yaml).delete();
    } else if (yaml.contains("kind: ResourceClaim")) { // its spec cannot be changed
      client.resource(yaml).delete();
      client.resource(yaml).create();
    } else {
      apply(yaml);
    }
  }

  private static String node(int i) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: live-n%d}\n".formatted(i);
  }

  private static String deviceClass(int i, int value) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: DeviceClass
    metadata: {name: live-c%d}
    spec:
      selectors:
      - cel: {expression: 'device.attributes["test.example.com"].index == %d'}
    """
        .formatted(i, value);
  }

  private static String claim(int i, int count) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: live-k%d, namespace: default}
    spec:
      devices:
        requests:
        - {name: r, exactly: {deviceClassName: live-c%d, count: %d}}
    """
        .formatted(i, i, count);
  }

  private DeviceInventory listed() throws Exception {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ClusterCapture.of(client).write(json);
    return DeviceInventory.of(
        Manifests.snapshotOf(
            ManifestReader.create().read("cluster", new ByteArrayInputStream(json.toByteArray()))));
  }

  private static boolean isEqual(DeviceInventory one, DeviceInventory two) {
    Function<DeviceInventory, List<ResourceSlice>> slices =
        inventory ->
            inventory.publishedSlices().stream()
                .sorted(Comparator.comparing(slice -> slice.metadata().name()))
                .toList();
    return slices.apply(one).equals(slices.apply(two))
        && names(one).equals(names(two))
        && one.deviceClasses().stream().allMatch(name -> isEqual(name, one, two))
        && Set.copyOf(one.deviceClasses()).equals(Set.copyOf(two.deviceClasses()))
        && Set.copyOf(one.holders()).equals(Set.copyOf(two.holders()));
  }

  private static boolean isEqual(String deviceClass, DeviceInventory one, DeviceInventory two) {
    return Objects.equals(one.deviceClass(deviceClass), two.deviceClass(deviceClass));
  }

  private static Set<String> names(DeviceInventory inventory) {
    return inventory.nodes().stream()
        .map(node -> node.metadata().name())
        .collect(Collectors.toSet());
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
      }
    } finally {
      client.resource(binding).delete();
      client.resource(role).delete();
      client.resource(account).delete();
    }
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
