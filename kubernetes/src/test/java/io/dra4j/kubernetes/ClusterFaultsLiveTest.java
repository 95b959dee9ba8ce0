package io.dra4j.kubernetes;

import static io.dra4j.kubernetes.LiveObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
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
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private static final JsonMapper MAPPER = new JsonMapper();
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

  /** Controllers may change objects between the list and its event: the list is made again then. */
  private void awaitListed(ClusterInventory cluster) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      DeviceInventory listed = objects.listed();
      try {
        cluster.await(
            view -> LiveObjects.isEqual(view.inventory(), listed), Duration.ofSeconds(10));
        return;
      } catch (ClusterException e) {
        if (System.nanoTime() > end) {
          throw e;
        }
      }
    }
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
      System.out.println("cluster: a node of 1.4 MB is followed");
    } finally {
      client.resource(node).delete();
    }
  }

  @Test
  void claimOfMoreThanAMegabyteIsFollowed() throws Exception {
    String path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/faults-large";
    String claim =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: faults-large, namespace: default}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: none, count: 6}}]}}
        """;
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      client.resource(claim).create();
      ObjectNode large = (ObjectNode) MAPPER.readTree(client.raw(path));
      ArrayNode results = MAPPER.createArrayNode();
      ArrayNode statuses = MAPPER.createArrayNode();
      for (int i = 0; i < 6; i++) {
        ObjectNode device =
            MAPPER.createObjectNode().put("driver", "d").put("pool", "p").put("device", "d" + i);
        results.add(device.deepCopy().put("request", "r"));
        ArrayNode conditions = statuses.add(device).get(i).withArray("conditions");
        for (int j = 0; j < 8; j++) {
          conditions
              .addObject()
              .put("type", "Large" + j)
              .put("status", "True")
              .put("reason", "Test")
              .put("lastTransitionTime", "2026-01-01T00:00:00Z")
              .put("message", "x".repeat(30_000));
        }
      }
      large
          .putObject("status")
          .putObject("allocation")
          .putObject("devices")
          .set("results", results);
      client.raw(path + "/status", "PUT", large.toString());
      large = (ObjectNode) MAPPER.readTree(client.raw(path));
      ((ObjectNode) large.path("status")).set("devices", statuses);
      String answer = client.raw(path + "/status", "PUT", large.toString());
      assertThat(answer.length()).isGreaterThan(1_400_000);
      ClaimKey key = new ClaimKey("default", "faults-large");
      cluster.await(view -> view.inventory().holders().contains(key), LIMIT);
      awaitListed(cluster);
      assertThat(cluster.view().problems()).isEmpty();
      assertThat(cluster.view().state(ClusterResource.RESOURCE_CLAIMS).unreadable()).isEmpty();
      System.out.printf("cluster: a claim of %d bytes is followed%n", answer.length());
    } finally {
      client.resource(claim).delete();
    }
  }

  @Test
  void twoPublishersOfOnePoolComeToOneAnswer() throws Exception {
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: faults-twice}\n";
    client.resource(node).create();
    Map<String, DevicePool> pools = Map.of("faults-twice", DevicePool.of(devices(300), List.of()));
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        SlicePublisher one = SlicePublisher.builder(client, TWICE, "faults-twice").start()) {
      try (SlicePublisher two = SlicePublisher.builder(client, TWICE, "faults-twice").start()) {
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

  /** Neither gives in, neither writes without end, and what is left is the offer of who stays. */
  @Test
  void twoPublishersWithDifferentOffersWriteLessAndLess() throws Exception {
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: faults-twice}\n";
    client.resource(node).create();
    Queue<PublishProblem.Kind> problems = new ConcurrentLinkedQueue<>();
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        SlicePublisher one = publisher(problems)) {
      SlicePublisher two = publisher(problems);
      try (two) {
        one.publish(Map.of("faults-twice", DevicePool.of(devices(3), List.of())));
        two.publish(Map.of("faults-twice", DevicePool.of(devices(5), List.of())));
        Thread.sleep(10_000);
      }
      long writes = writes(one.stats()) + writes(two.stats());
      assertThat(writes).isBetween(2L, 80L);
      cluster.await(view -> devicesOf(view).equals(names(3)), LIMIT);
      System.out.printf(
          "cluster: two publishers with different offers: %d writes in 10 s, problems %s%n",
          writes, Set.copyOf(problems));
      one.publish(Map.of());
      one.awaitPublished(LIMIT);
    } finally {
      client.resource(node).delete();
    }
  }

  private SlicePublisher publisher(Queue<PublishProblem.Kind> problems) {
    return SlicePublisher.builder(client, TWICE, "faults-twice")
        .onProblem(problem -> problems.add(problem.kind()))
        .start();
  }

  private static long writes(SlicePublisher.Stats stats) {
    return stats.creates() + stats.updates() + stats.deletes();
  }

  private static List<Device> devices(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Device.named("d%03d".formatted(i)).attribute("index", i).build())
        .toList();
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
  void writesThatAreRefusedAreMadeInTheEnd() throws Exception {
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: faults-twice}\n";
    client.resource(node).create();
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        SlicePublisher publisher = SlicePublisher.builder(through, TWICE, "faults-twice").start()) {
      int count = 0;
      for (int status : new int[] {429, 500, 503, 504, 409}) {
        proxy.refuse(count == 0 ? "POST" : "PUT", status, 2);
        count++;
        publisher.publish(Map.of("faults-twice", DevicePool.of(devices(count), List.of())));
        assertThat(publisher.awaitPublished(LIMIT)).isTrue();
        List<String> published = names(count);
        cluster.await(view -> devicesOf(view).equals(published), LIMIT);
      }
      assertThat(proxy.refused()).isEqualTo(2 * count);
      System.out.printf("cluster: %d writes of slices refused, and made%n", proxy.refused());
      publisher.publish(Map.of());
      publisher.awaitPublished(LIMIT);
    } finally {
      client.resource(node).delete();
    }
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
