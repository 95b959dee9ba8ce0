package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.kubernetes.PublishProblem.Kind;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.publish.DevicePool;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real API server has the slices of a driver as the driver offers its devices. */
class SlicePublisherLiveTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String DRIVER = "publish.example.com";
  private static final String POOL = "publish-1";

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: publish-1}
      """;

  private final List<PublishProblem> problems = new CopyOnWriteArrayList<>();
  private KubernetesClient client;
  private ClusterInventory cluster;
  private SlicePublisher publisher;

  @BeforeEach
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
    client.resource(NODE).create();
    cluster = ClusterInventory.follow(client);
    publisher = publisher();
  }

  private SlicePublisher publisher() {
    return SlicePublisher.builder(client, DRIVER, POOL).onProblem(problems::add).start();
  }

  @AfterEach
  void disconnect() throws Exception {
    if (client != null) {
      publisher.publish(Map.of());
      publisher.awaitPublished(LIMIT);
      publisher.close();
      cluster.close();
      client.resource(NODE).delete();
      client.close();
    }
  }

  private static List<Device> devices(int count) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(Device.named("d%03d".formatted(i)).attribute("index", i).build());
    }
    return devices;
  }

  private void publish(List<Device> devices) throws InterruptedException {
    publisher.publish(Map.of(POOL, DevicePool.of(devices, List.of())));
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
  }

  private static List<ResourceSlice> slices(ClusterView view) {
    return view.inventory().publishedSlices().stream()
        .filter(slice -> slice.driver().equals(DRIVER))
        .toList();
  }

  private static int deviceCount(ClusterView view) {
    return slices(view).stream().mapToInt(slice -> slice.devices().size()).sum();
  }

  @Test
  void oneChangedDeviceIsOneWriteOfTheSameGeneration() throws Exception {
    publish(devices(3));
    ClusterView first = cluster.await(view -> deviceCount(view) == 3, LIMIT);
    long generation = slices(first).get(0).pool().generation();
    assertThat(slices(first).get(0).metadata().ownerReferences().get(0).name()).isEqualTo(POOL);
    publish(devices(4));
    ClusterView second = cluster.await(view -> deviceCount(view) == 4, LIMIT);
    assertThat(slices(second).get(0).pool().generation()).isEqualTo(generation);
    assertThat(publisher.stats()).isEqualTo(new SlicePublisher.Stats(1, 1, 0));
    publish(devices(4));
    assertThat(publisher.stats()).isEqualTo(new SlicePublisher.Stats(1, 1, 0));
    assertThat(problems).isEmpty();
  }

  @Test
  void manyDevicesAreSplitAndBecomeFewAgain() throws Exception {
    publish(devices(300));
    ClusterView many = cluster.await(view -> deviceCount(view) == 300, LIMIT);
    assertThat(slices(many)).hasSize(3);
    assertThat(slices(many))
        .extracting(slice -> slice.pool().resourceSliceCount())
        .containsOnly(3L);
    publish(devices(5));
    ClusterView few = cluster.await(view -> deviceCount(view) == 5, LIMIT);
    assertThat(slices(few)).hasSize(1);
    assertThat(slices(few).get(0).pool().generation())
        .isGreaterThan(slices(many).get(0).pool().generation());
  }

  @Test
  void sliceThatWasDeletedIsMadeAgain() throws Exception {
    publish(devices(2));
    ClusterView before = cluster.await(view -> deviceCount(view) == 2, LIMIT);
    String name = slices(before).get(0).metadata().name();
    client
        .genericKubernetesResources("resource.k8s.io/v1", "ResourceSlice")
        .withName(name)
        .delete();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (publisher.stats().creates() < 2) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(20);
    }
    cluster.await(view -> deviceCount(view) == 2, LIMIT);
  }

  @Test
  void restartWritesNothing() throws Exception {
    publish(devices(200));
    cluster.await(view -> deviceCount(view) == 200, LIMIT);
    publisher.close();
    publisher = publisher();
    publish(devices(200));
    assertThat(publisher.stats()).isEqualTo(new SlicePublisher.Stats(0, 0, 0));
  }

  @Test
  void deviceThatTheServerRefusesIsLeftOut() throws Exception {
    List<Device> devices = new ArrayList<>(devices(3));
    devices.add(1, Device.named("Not_A_Name").build());
    publish(devices);
    cluster.await(view -> deviceCount(view) == 3, LIMIT);
    assertThat(problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.kind()).isEqualTo(Kind.REFUSED);
              assertThat(problem.devices()).containsExactly("Not_A_Name");
            });
  }

  @Test
  void namesOfTheDriversDomainAreShort() throws Exception {
    publish(
        List.of(
            Device.named("d")
                .attribute(DRIVER + "/model", "a")
                .capacity(DRIVER + "/memory", "1Gi")
                .build()));
    ClusterView view = cluster.await(one -> deviceCount(one) == 1, LIMIT);
    Device device = slices(view).get(0).devices().get(0);
    assertThat(device.attributes().keySet()).containsExactly("model");
    assertThat(device.capacity().keySet()).containsExactly("memory");
    publish(List.of(Device.named("d").attribute("model", "a").capacity("memory", "1Gi").build()));
    assertThat(publisher.stats().updates()).isZero();
  }

  @Test
  void poolThatIsMissingIsWithdrawn() throws Exception {
    publisher.publish(
        Map.of(
            POOL,
            DevicePool.of(devices(1), List.of()),
            "other",
            DevicePool.of(devices(2), List.of())));
    cluster.await(view -> deviceCount(view) == 3, LIMIT);
    publish(devices(1));
    cluster.await(view -> deviceCount(view) == 1, LIMIT);
    publish(List.of());
    ClusterView empty = cluster.await(view -> deviceCount(view) == 0, LIMIT);
    assertThat(slices(empty)).hasSize(1);
  }

  @Test
  void offerWithoutAPlanIsReportedAndTheNextOneIsPublished() throws Exception {
    publish(List.of(Device.named("d").build(), Device.named("d").build()));
    assertThat(problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.kind()).isEqualTo(Kind.REFUSED);
              assertThat(problem.message()).contains("two devices are called 'd'");
            });
    publish(devices(2));
    cluster.await(view -> deviceCount(view) == 2, LIMIT);
  }
}
