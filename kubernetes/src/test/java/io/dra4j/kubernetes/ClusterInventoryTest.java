package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.kubernetes.ResourceState.Phase;
import io.dra4j.model.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster is followed through everything that an API server and the network do. */
class ClusterInventoryTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String SLICES = "resourceslices";

  private static final String GONE =
      "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n";

  private FakeApiServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = new FakeApiServer();
    client = server.client();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String slice(int devices) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < devices; i++) {
      list.append(i == 0 ? "" : ",").append("{\"name\":\"d").append(i).append("\"}");
    }
    return """
    ,"spec":{"driver":"d.example.com","nodeName":"n","pool":{"name":"n","generation":1,\
    "resourceSliceCount":1},"devices":[%s]}"""
        .formatted(list);
  }

  /** Fails with short pauses. */
  private ClusterInventory follow() {
    return ClusterInventory.follow(
        client, () -> new Backoff(Duration.ofMillis(20), Duration.ofMillis(100)));
  }

  private static Predicate<ClusterView> slices(String... names) {
    return view ->
        view.inventory().publishedSlices().stream()
            .map(slice -> slice.metadata().name())
            .sorted()
            .toList()
            .equals(List.of(names));
  }

  private static int devicesOf(ClusterView view, String slice) {
    return view.inventory().slice(slice).map(ResourceSlice::devices).orElse(List.of()).size();
  }

  @Test
  void listsInPagesAndWatchesFromThere() throws Exception {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      server.put(SLICES, name, slice(1));
    }
    server.put("nodes", "n", "");
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view = cluster.awaitSynced(LIMIT);
      assertThat(view.inventory().publishedSlices()).hasSize(5);
      assertThat(view.inventory().nodes()).hasSize(1);
      assertThat(view.state(ClusterResource.DEVICE_TAINT_RULES).phase())
          .isEqualTo(Phase.NOT_SERVED);
      assertThat(view.problems()).isEmpty();
      server.event(SLICES, "ADDED", "f", slice(2));
      cluster.await(slices("a", "b", "c", "d", "e", "f"), LIMIT);
      server.event(SLICES, "MODIFIED", "f", slice(3));
      cluster.await(one -> devicesOf(one, "f") == 3, LIMIT);
      server.event(SLICES, "DELETED", "a", slice(1));
      cluster.await(slices("b", "c", "d", "e", "f"), LIMIT);
      assertThat(server.requestsOf(SLICES, "continue=")).hasSize(2);
    }
  }

  @Test
  void groupIsDiscoveredOnceForAllItsResources() throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      assertThat(server.requests.stream().filter(one -> one.equals("/apis/resource.k8s.io/v1")))
          .hasSize(1);
    }
  }

  @Test
  void watchIsResumedWhereItEnded() throws Exception {
    try (ClusterInventory cluster = follow()) {
      cluster.awaitSynced(LIMIT);
      server.event(SLICES, "ADDED", "a", slice(1));
      ClusterView view = cluster.await(slices("a"), LIMIT);
      String version = view.state(ClusterResource.RESOURCE_SLICES).resourceVersion();
      server.raw(SLICES, FakeApiServer.END);
      server.event(SLICES, "ADDED", "b", slice(1));
      cluster.await(slices("a", "b"), LIMIT);
      assertThat(server.requestsOf(SLICES, "resourceVersion=" + version)).isNotEmpty();
      assertThat(server.requestsOf(SLICES, "limit=")).hasSize(1);
    }
  }

  @Test
  void eventThatIsCutOffIsReadAgain() throws Exception {
    try (ClusterInventory cluster = follow()) {
      cluster.awaitSynced(LIMIT);
      server.raw(SLICES, FakeApiServer.BREAK);
      server.event(SLICES, "ADDED", "b", slice(1));
      cluster.await(slices("b"), LIMIT);
      assertThat(server.requestsOf(SLICES, "limit=")).hasSize(1);
    }
  }

  @Test
  void versionThatTheServerForgotIsListedAgain() throws Exception {
    server.put(SLICES, "a", slice(1));
    server.put(SLICES, "b", slice(1));
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      server.remove(SLICES, "a");
      server.put(SLICES, "c", slice(1));
      server.raw(SLICES, GONE);
      List<Boolean> synced = new CopyOnWriteArrayList<>();
      cluster.addListener(view -> synced.add(view.isSynced()));
      cluster.await(slices("b", "c"), LIMIT);
      assertThat(server.requestsOf(SLICES, "limit=")).hasSizeGreaterThan(1);
      assertThat(synced).doesNotContain(false);
    }
  }

  @Test
  void bookmarkMovesTheVersionOn() throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.awaitSynced(LIMIT);
      server.raw(
          SLICES,
          "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"777\"}}}\n");
      cluster.await(
          one -> one.state(ClusterResource.RESOURCE_SLICES).resourceVersion().equals("777"), LIMIT);
    }
  }

  @Test
  void deniedResourceIsNamedAndAskedAgain() throws Exception {
    server.fail(SLICES, 403);
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view =
          cluster.await(
              one -> one.state(ClusterResource.RESOURCE_SLICES).phase() == Phase.DENIED, LIMIT);
      assertThat(view.isSynced()).isFalse();
      assertThat(view.problems())
          .contains("resourceslices.resource.k8s.io", "access is denied (403)", "no " + SLICES)
          .doesNotContain("\u0007");
      assertThatThrownBy(() -> cluster.awaitSynced(Duration.ofMillis(1)))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("resourceslices.resource.k8s.io (DENIED)");
      server.fail(SLICES, 0);
      cluster.awaitSynced(LIMIT);
    }
  }

  @Test
  void lastViewStaysWhileTheServerIsOverloaded() throws Exception {
    server.put(SLICES, "a", slice(1));
    try (ClusterInventory cluster = follow()) {
      cluster.awaitSynced(LIMIT);
      for (int status : new int[] {429, 500, 503}) {
        server.fail(SLICES, status);
        server.raw(SLICES, FakeApiServer.END);
        ClusterView view =
            cluster.await(
                one ->
                    one.state(ClusterResource.RESOURCE_SLICES)
                        .message()
                        .contains("(" + status + ")"),
                LIMIT);
        assertThat(slices("a").test(view)).isTrue();
        server.fail(SLICES, 0);
        cluster.await(one -> one.problems().isEmpty(), LIMIT);
      }
    }
  }

  @Test
  void olderVersionIsReadWhereTheNewestIsNotServed() throws Exception {
    server.serves("v1beta1");
    server.put(
        SLICES,
        "a",
        slice(1)
            .replace(
                "{\"name\":\"d0\"}",
                "{\"name\":\"d0\",\"basic\":{\"attributes\":{\"x\":{\"int\":7}}}}"));
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view = cluster.awaitSynced(LIMIT);
      assertThat(view.inventory().slice("a").orElseThrow().devices().get(0).attributes().keySet())
          .containsExactly("x");
    }
  }

  @Test
  void clusterWithoutDynamicResourceAllocationIsNamed() throws Exception {
    server.serves();
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view = cluster.awaitSynced(LIMIT);
      assertThat(view.problems()).contains("does not serve this resource");
    }
  }

  @Test
  void objectThatCannotBeReadIsNamedAndLeftOut() throws Exception {
    server.put(SLICES, "a", slice(1));
    server.put(SLICES, "b", ",\"spec\":{\"driver\":7}");
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view = cluster.awaitSynced(LIMIT);
      assertThat(slices("a").test(view)).isTrue();
      ResourceState state = view.state(ClusterResource.RESOURCE_SLICES);
      assertThat(state.unreadable()).hasSize(1).first().asString().startsWith("b: ");
      server.event(SLICES, "MODIFIED", "b", slice(1));
      view = cluster.await(slices("a", "b"), LIMIT);
      assertThat(view.state(ClusterResource.RESOURCE_SLICES).unreadable()).isEmpty();
      server.event(SLICES, "MODIFIED", "a", ",\"spec\":[]");
      cluster.await(slices("b"), LIMIT);
    }
  }

  @Test
  void objectThatIsNestedTooDeepIsNamedAndLeftOut() throws Exception {
    String deep = ",\"x\":" + "[".repeat(1500) + "]".repeat(1500);
    server.put(SLICES, "a", deep + slice(1));
    server.put(SLICES, "b", slice(1));
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      ClusterView view = cluster.awaitSynced(LIMIT);
      assertThat(slices("b").test(view)).isTrue();
      assertThat(unreadable(view)).hasSize(1).first().asString().startsWith("a: ");
      server.event(SLICES, "ADDED", "c", deep + slice(1));
      server.event(SLICES, "ADDED", "d", ",\"x\":{\"a\" 1}" + slice(1));
      server.event(SLICES, "ADDED", "e", slice(1));
      view = cluster.await(slices("b", "e"), LIMIT);
      assertThat(unreadable(view)).hasSize(3);
      assertThat(unreadable(view).get(1)).startsWith("c: ").contains("nested deeper");
      assertThat(unreadable(view).get(2)).startsWith("d: ");
      assertThat(server.requestsOf(SLICES, "watch=")).hasSize(1);
    }
  }

  private static List<String> unreadable(ClusterView view) {
    return view.state(ClusterResource.RESOURCE_SLICES).unreadable();
  }

  @Test
  void objectThatCouldNotBeReadOnAWatchIsNamedAfterAList() throws Exception {
    server.put(SLICES, "a", slice(1));
    server.put(SLICES, "b", slice(1));
    try (ClusterInventory cluster = follow()) {
      cluster.awaitSynced(LIMIT);
      server.put(SLICES, "a", ",\"spec\":[]");
      server.eventOf(SLICES, "MODIFIED", "a");
      cluster.await(slices("b"), LIMIT);
      server.put(SLICES, "c", slice(1));
      server.raw(SLICES, GONE);
      ClusterView view = cluster.await(slices("b", "c"), LIMIT);
      assertThat(unreadable(view)).hasSize(1).first().asString().startsWith("a: ");
      server.remove(SLICES, "a");
      server.put(SLICES, "d", slice(1));
      server.raw(SLICES, GONE);
      view = cluster.await(slices("b", "c", "d"), LIMIT);
      assertThat(unreadable(view)).isEmpty();
    }
  }

  @Test
  void watchThatCannotBeReadIsListedAgain() throws Exception {
    try (ClusterInventory cluster = follow()) {
      cluster.awaitSynced(LIMIT);
      server.put(SLICES, "a", slice(1));
      server.raw(SLICES, "{\"type\":\"ADDED\",\"object\":7}\n");
      server.raw(SLICES, FakeApiServer.END);
      ClusterView view = cluster.await(one -> phase(one) == Phase.RETRYING, LIMIT);
      assertThat(view.problems()).contains("not JSON");
      cluster.await(slices("a"), LIMIT);
      server.event(SLICES, "ADDED", "b", slice(1));
      view = cluster.await(slices("a", "b"), LIMIT);
      assertThat(view.problems()).isEmpty();
      assertThat(server.requestsOf(SLICES, "limit=")).hasSize(2);
    }
  }

  private static Phase phase(ClusterView view) {
    return view.state(ClusterResource.RESOURCE_SLICES).phase();
  }

  /** Each watch has this answer for a while: it is asked for with pauses, and the user sees it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ends the watch immediately | ''
          HTTP status 410            | {"type":"ERROR","object":{"kind":"Status","code":410}}
          not JSON                   | {"type":"ADDED","object":7}
          """)
  void watchThatFailsAgainAndAgainIsAStateThatLasts(String said, String answer) throws Exception {
    server.put(SLICES, "b", ",\"spec\":[]");
    try (ClusterInventory cluster = follow()) {
      cluster.awaitSynced(LIMIT);
      server.answerWatches(SLICES, answer);
      server.raw(SLICES, FakeApiServer.END);
      ResourceState first =
          cluster
              .await(one -> one.problems().contains(said), LIMIT)
              .state(ClusterResource.RESOURCE_SLICES);
      assertThat(first.phase()).isEqualTo(Phase.RETRYING);
      List<ResourceState> seen = new CopyOnWriteArrayList<>();
      cluster.addListener(view -> seen.add(view.state(ClusterResource.RESOURCE_SLICES)));
      int before = server.requestsOf(SLICES, "watch=").size();
      while (server.requestsOf(SLICES, "watch=").size() < before + 2) {
        Thread.sleep(10);
      }
      server.answerWatches(SLICES, null);
      cluster.await(one -> phase(one) == Phase.WATCHING, LIMIT);
      List<ResourceState> failures =
          seen.stream()
              .filter(one -> one.phase() != Phase.WATCHING)
              .toList(); // the end is no failure
      assertThat(failures).isNotEmpty();
      assertThat(failures)
          .allSatisfy(
              one -> {
                assertThat(one.phase()).isEqualTo(Phase.RETRYING);
                assertThat(one.since()).isEqualTo(first.since());
                assertThat(one.message()).isNotEmpty();
                assertThat(one.unreadable()).hasSize(1);
              });
    }
  }

  @Test
  void stateIsAsOldAsItsPhase() throws Exception {
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      Instant since = cluster.awaitSynced(LIMIT).state(ClusterResource.RESOURCE_SLICES).since();
      server.event(SLICES, "ADDED", "a", slice(1));
      ClusterView view = cluster.await(slices("a"), LIMIT);
      assertThat(view.state(ClusterResource.RESOURCE_SLICES).since()).isEqualTo(since);
    }
  }

  @Test
  void listenersSeeTheNewestView() throws Exception {
    List<ClusterView> seen = new CopyOnWriteArrayList<>();
    try (ClusterInventory cluster = ClusterInventory.follow(client)) {
      cluster.addListener(
          view -> {
            throw new IllegalStateException("a listener of a test that fails");
          });
      cluster.addListener(seen::add);
      cluster.awaitSynced(LIMIT);
      server.event(SLICES, "ADDED", "a", slice(1));
      cluster.await(view -> seen.stream().anyMatch(slices("a")), LIMIT);
    }
  }

  @Test
  void closedInventoryKeepsItsLastViewAndEndsItsThreads() throws Exception {
    server.put(SLICES, "a", slice(1));
    ClusterInventory cluster = ClusterInventory.follow(client);
    cluster.awaitSynced(LIMIT);
    cluster.close();
    cluster.close();
    assertThat(slices("a").test(cluster.view())).isTrue();
    assertThatThrownBy(() -> cluster.await(view -> false, LIMIT))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("closed");
    long end = System.nanoTime() + LIMIT.toNanos();
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("dra4j-follow"))) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(10);
    }
  }
}
