package io.dra4j.kubernetes;

import static io.dra4j.kubernetes.LiveObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Device;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.publish.DevicePool;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A real API server that is killed, overloaded, or behind a proxy that fails: the inventory is in
 * the end what a list says, and what was to be written is written.
 */
@SuppressWarnings("try") // closes what is closed twice
class ClusterFaultsLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String PREFIX = "faults";
  private static final String TWICE = "twice.example.com";

  private KubernetesClient client;
  private LiveObjects objects;
  private FaultyProxy proxy;
  private KubernetesClient through;

  @BeforeEach
  void connect() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    objects = new LiveObjects(client, PREFIX);
    proxy = new FaultyProxy(client);
    through = proxy.client();
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      objects.deleteAll();
      through.close();
      proxy.close();
      client.close();
    }
  }

  private void awaitListed(ClusterInventory cluster) throws Exception {
    DeviceInventory listed = objects.listed();
    cluster.await(view -> LiveObjects.isEqual(view.inventory(), listed), LIMIT);
  }

  @Test
  void watchesThatAreCutWithinALineLoseNothing() throws Exception {
    Random random = new Random(2);
    try (ClusterInventory cluster = ClusterInventory.follow(through)) {
      cluster.awaitSynced(LIMIT);
      for (int round = 0; round < 5; round++) {
        proxy.cutWatches();
        for (int i = 0; i < 40; i++) {
          objects.change(random);
        }
        awaitListed(cluster);
      }
    }
    assertThat(proxy.cut()).isGreaterThanOrEqualTo(5);
    System.out.printf("cluster: %d watches cut within a line, equal at 5 points%n", proxy.cut());
  }

  @Test
  void refusalsAndSlownessOfAProxyAreSurvived() throws Exception {
    Random random = new Random(3);
    try (ClusterInventory cluster = ClusterInventory.follow(through)) {
      cluster.awaitSynced(LIMIT);
      for (int status : new int[] {429, 500, 503, 504}) {
        proxy.refuse("GET", status, 4);
        proxy.cutWatches();
        for (int i = 0; i < 20; i++) {
          objects.change(random);
        }
        awaitListed(cluster);
      }
      proxy.refuse("", 0, 0);
      proxy.slow(true);
      for (int i = 0; i < 40; i++) {
        objects.change(random);
      }
      awaitListed(cluster);
    }
    assertThat(proxy.refused()).isPositive();
    System.out.printf(
        "cluster: %d requests refused with 429, 500, 503 and 504, then slow, equal at 5 points%n",
        proxy.refused());
  }

  /** A version that is older than the API server remembers after its restart (410). */
  @Test
  void killedAndRestartedServerIsFollowedAgain() throws Exception {
    Random random = new Random(4);
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        ClusterInventory late = ClusterInventory.follow(through)) {
      cluster.awaitSynced(LIMIT);
      late.awaitSynced(LIMIT);
      proxy.refuse("GET", 503, Integer.MAX_VALUE); // falls behind
      proxy.cutWatches();
      for (int i = 0; i < 100; i++) {
        objects.change(random);
      }
      awaitListed(cluster);
      compact(cluster.view().state(ClusterResource.NODES).resourceVersion());
      killServer();
      awaitReady();
      for (int i = 0; i < 50; i++) {
        objects.change(random);
      }
      awaitListed(cluster);
      int lists = proxy.lists();
      proxy.refuse("", 0, 0);
      awaitListed(late);
      assertThat(proxy.lists()).isGreaterThan(lists); // 410: what is old is forgotten
      assertThat(cluster.await(view -> view.problems().isEmpty(), LIMIT).isSynced()).isTrue();
    }
    System.out.println(
        "cluster: etcd compacted, API server killed and restarted, equal at 3 points");
  }

  /** Lets etcd forget all versions before this one. */
  private static void compact(String version) throws Exception {
    URI server = URI.create(System.getenv("API_SERVER"));
    URI etcd = URI.create("http://127.0.0.1:%d/v3/kv/compaction".formatted(server.getPort() + 1));
    String body = "{\"revision\":\"%s\",\"physical\":true}".formatted(version);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(etcd).POST(BodyPublishers.ofString(body)).build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private static void killServer() {
    String certificates = System.getenv("KUBESTACK_LOGS").replaceFirst("logs/?$", "certs");
    List<ProcessHandle> servers =
        ProcessHandle.allProcesses()
            .filter(
                one ->
                    one.info()
                        .commandLine()
                        .filter(line -> line.contains(" apiserver ") && line.contains(certificates))
                        .isPresent())
            .toList();
    assertThat(servers).hasSize(1);
    servers.get(0).destroyForcibly();
    servers.get(0).onExit().join();
  }

  private void awaitReady() throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        client.raw("/readyz");
        return;
      } catch (KubernetesClientException e) {
        assertThat(System.nanoTime()).isLessThan(end);
        Thread.sleep(100);
      }
    }
  }

  @Test
  void slowListenerSeesTheNewestViewAndHoldsNothingUp() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger devices = new AtomicInteger(-1);
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      cluster.addListener(
          view -> {
            calls.incrementAndGet();
            devices.set(
                view.inventory().slice("faults-slow").map(s -> s.devices().size()).orElse(-1));
            try {
              Thread.sleep(200);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      for (int i = 1; i <= 100; i++) {
        objects.apply(slice("faults-slow", "faults-n0", i, i));
      }
      cluster.await(
          view ->
              view.inventory().slice("faults-slow").map(s -> s.devices().size()).orElse(0) == 100,
          LIMIT);
      long end = System.nanoTime() + LIMIT.toNanos();
      while (devices.get() != 100) {
        assertThat(System.nanoTime()).isLessThan(end);
        Thread.sleep(20);
      }
      System.out.printf("cluster: 100 changes, %d calls of a slow listener%n", calls.get());
    } finally {
      objects.deleteSlice("faults-slow");
    }
  }

  @Test
  void objectOfMoreThanAMegabyteIsFollowed() throws Exception {
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: faults-large}\n";
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      client.resource(node).create();
      client
          .nodes()
          .withName("faults-large")
          .editStatus(
              one ->
                  one.edit()
                      .editOrNewStatus()
                      .addNewCondition()
                      .withType("Large")
                      .withStatus("True")
                      .withMessage("x".repeat(1_400_000))
                      .endCondition()
                      .endStatus()
                      .build());
      client
          .nodes()
          .withName("faults-large")
          .edit(one -> one.edit().editMetadata().addToLabels("large", "yes").endMetadata().build());
      cluster.await(
          view ->
              view.inventory().nodes().stream()
                  .anyMatch(one -> "yes".equals(one.metadata().labels().get("large"))),
          LIMIT);
      assertThat(cluster.view().problems()).isEmpty();
    } finally {
      client.resource(node).delete();
    }
  }

  @Test
  void twoPublishersOfOnePoolComeToOneAnswer() throws Exception {
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: faults-twice}\n";
    client.resource(node).create();
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      devices.add(Device.named("d%03d".formatted(i)).attribute("index", i).build());
    }
    Map<String, DevicePool> pools = Map.of("faults-twice", DevicePool.of(devices, List.of()));
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        SlicePublisher one = SlicePublisher.of(client, TWICE, "faults-twice").start()) {
      try (SlicePublisher two = SlicePublisher.of(client, TWICE, "faults-twice").start()) {
        one.publish(pools);
        two.publish(pools);
        assertThat(one.awaitPublished(LIMIT)).isTrue();
        assertThat(two.awaitPublished(LIMIT)).isTrue();
        cluster.await(view -> devicesOf(view).equals(names(300)), LIMIT);
        Thread.sleep(2000); // later writes would be a dispute
        SlicePublisher.Stats first = one.stats();
        SlicePublisher.Stats second = two.stats();
        Thread.sleep(2000);
        assertThat(one.stats()).isEqualTo(first);
        assertThat(two.stats()).isEqualTo(second);
        assertThat(devicesOf(cluster.view())).isEqualTo(names(300));
        System.out.printf("cluster: two publishers of one pool: %s, %s%n", first, second);
      }
      one.publish(Map.of());
      one.awaitPublished(LIMIT);
    } finally {
      client.resource(node).delete();
    }
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj("d%03d"::formatted).toList();
  }

  /** The devices of the newest generation of all slices, sorted, none left out. */
  private static List<String> devicesOf(ClusterView view) {
    return view.inventory().publishedSlices().stream()
        .filter(slice -> slice.driver().equals(TWICE))
        .collect(Collectors.groupingBy(slice -> slice.pool().generation()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .orElse(List.of())
        .stream()
        .flatMap(slice -> slice.devices().stream().map(Device::name))
        .sorted()
        .toList();
  }

  @Test
  void statusIsWrittenAfterFiveHundredConflicts() throws Exception {
    String claim =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: faults-conflict, namespace: default}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: none}}]}}
        """;
    String uid = client.resource(claim).create().getMetadata().getUid();
    try (ClaimStatusWriter writer = ClaimStatusWriter.start(through, "conflict.example.com")) {
      proxy.refuse("PATCH", 409, 500);
      writer.write(new ClaimReference("default", "faults-conflict", uid), List.of());
      assertThat(writer.awaitWritten(LIMIT)).isTrue();
      assertThat(proxy.refused()).isEqualTo(500);
    } finally {
      client.resource(claim).delete();
    }
    System.out.println("cluster: a status written after 500 conflicts");
  }
}
