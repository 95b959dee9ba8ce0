package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.kubernetes.PublishProblem.Kind;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import io.dra4j.spi.publish.DevicePool;
import io.dra4j.spi.publish.SlicePlanner;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slices are on an API server as the driver offers its devices, whatever else happens there. */
class SlicePublisherTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String DRIVER = "gpu.example.com";
  private static final String NODE = "node-1";
  private static final String SLICES = "resourceslices";

  private final List<PublishProblem> problems = new CopyOnWriteArrayList<>();
  private WritableApiServer server;
  private KubernetesClient client;
  private SlicePublisher publisher;

  @BeforeEach
  void start() throws Exception {
    server = new WritableApiServer();
    server.putNode(NODE);
    client = server.client(0);
    publisher = publisher();
  }

  private SlicePublisher publisher() {
    return SlicePublisher.builder(client, DRIVER, NODE).onProblem(problems::add).start();
  }

  @AfterEach
  void stop() {
    publisher.close();
    client.close();
    server.close();
  }

  private static List<Device> devices(int count) {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(Device.named("d" + i).attribute("index", i).build());
    }
    return devices;
  }

  private void publish(List<Device> devices) throws InterruptedException {
    publisher.publish(Map.of(NODE, DevicePool.of(devices, List.of())));
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(5);
    }
  }

  private int deviceCount() {
    return server.all(SLICES).stream().mapToInt(one -> one.at("/spec/devices").size()).sum();
  }

  private String onlySlice() {
    assertThat(server.all(SLICES)).hasSize(1);
    return server.all(SLICES).get(0).at("/metadata/name").asText();
  }

  @Test
  void apiServerThatIsAwayIsAProblem() throws Exception {
    await("no problem", () -> publisher.problem().isEmpty());
    server.close();
    await("a problem", () -> publisher.problem().isPresent());
  }

  @Test
  void deletedSliceWhoseFieldsTheServerDropsIsMadeAgain() throws Exception {
    server.drop("taints");
    DeviceTaint taint = new DeviceTaint("example.com/worn", "yes", TaintEffect.NO_SCHEDULE, null);
    Device tainted = Device.named("d0").build().withTaints(List.of(taint));
    publish(List.of(tainted));
    assertThat(problems).extracting(PublishProblem::kind).containsExactly(Kind.DROPPED_FIELDS);
    long writes = server.requests.stream().filter(one -> !one.startsWith("GET")).count();
    server.remove(SLICES, onlySlice());
    await("the slice is there again", () -> deviceCount() == 1);
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
    assertThat(server.requests.stream().filter(one -> !one.startsWith("GET")).count())
        .isEqualTo(writes + 1);
    assertThat(problems).extracting(PublishProblem::kind).containsExactly(Kind.DROPPED_FIELDS);
  }

  @Test
  void nodeThatIsRegisteredAgainIsTheOwnerByItsNewUid() throws Exception {
    publish(devices(1));
    String slice = onlySlice();
    String uid = server.putNode(NODE);
    server.remove(SLICES, slice); // as the garbage collector does
    await("the slice is there again", () -> deviceCount() == 1);
    assertThat(server.all(SLICES).get(0).at("/metadata/ownerReferences/0/uid").asText())
        .isEqualTo(uid);
  }

  @Test
  void watchThatIsAheadOfAnAnswerIsRight() throws Exception {
    server.hold("POST");
    publisher.publish(Map.of(NODE, DevicePool.of(devices(2), List.of())));
    await("the slice is created", () -> deviceCount() == 2);
    server.remove(SLICES, onlySlice());
    Thread.sleep(300); // so that the watch brings both changes before the answer comes
    server.hold("");
    await("the slice is there again", () -> deviceCount() == 2);
  }

  @Test
  void slicesAreWrittenInAVersionThatTheClusterServes() throws Exception {
    for (String version : List.of("v1beta2", "v1beta1")) {
      server.serves(version);
      publisher.close();
      publisher = publisher();
      publish(devices(2));
      assertThat(deviceCount()).as(version).isEqualTo(2);
      assertThat(server.all(SLICES).get(0).path("apiVersion").asText())
          .isEqualTo("resource.k8s.io/" + version);
      server.remove(SLICES, onlySlice());
      assertThat(server.requestsOf("POST", "/" + version + "/")).isNotEmpty();
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void newVersionIsUsedAfterAnUpgradeOfTheCluster() throws Exception {
    server.serves("v1beta1");
    publish(devices(1));
    server.serves("v1");
    publish(devices(3));
    assertThat(deviceCount()).isEqualTo(3);
    assertThat(problems).isEmpty();
  }

  @Test
  void slicesOfOtherNodesAreNotAskedFor() throws Exception {
    publish(devices(1));
    assertThat(server.requestsOf("GET", "/resourceslices?"))
        .isNotEmpty()
        .allMatch(one -> one.contains("spec.nodeName%3D"));
  }

  @Test
  void poolForOtherNodesIsPublishedAndWithdrawn() throws Exception {
    DevicePool shared =
        DevicePool.of(devices(2), List.of()).toBuilder()
            .nodeSelection(NodeSelection.ALL_NODES)
            .build();
    publisher.publish(Map.of("shared", shared));
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
    server.remove(SLICES, onlySlice());
    await("the slice is there again", () -> deviceCount() == 2);
    publisher.close();
    publisher = publisher();
    publish(devices(1));
    await("the pool is withdrawn", () -> deviceCount() == 1);
  }

  @Test
  void poolForAnotherNodeByNameIsRefused() throws Exception {
    DevicePool other =
        DevicePool.of(devices(2), List.of()).toBuilder()
            .nodeSelection(NodeSelection.ofNode("node-2"))
            .build();
    publisher.publish(Map.of("other", other, NODE, DevicePool.of(devices(1), List.of())));
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
    assertThat(deviceCount()).isEqualTo(1);
    assertThat(publisher.problems()).extracting(PublishProblem::pool).containsExactly("other");
    assertThat(publisher.problem()).isEmpty();
  }

  @Test
  void problemStaysUntilASuccessAndKeepsItsFirstTime() throws Exception {
    server.fail("POST /apis/resource.k8s.io/v1/resourceslices", 503);
    publisher.publish(Map.of(NODE, DevicePool.of(devices(1), List.of())));
    await("the write fails", () -> problems.size() >= 3);
    assertThat(publisher.problem()).hasValueSatisfying(one -> assertThat(one).contains("503"));
    assertThat(problems).allMatch(one -> one.since().equals(problems.get(0).since()));
    assertThat(publisher.problems()).containsExactly(problems.get(problems.size() - 1));
    server.fail("POST /apis/resource.k8s.io/v1/resourceslices", 0);
    await("it is published", () -> deviceCount() == 1);
    await("the problem is gone", () -> publisher.problem().isEmpty());
    assertThat(publisher.problems()).isEmpty();
  }

  @Test
  void poolThatCannotBeWrittenHoldsUpNoOther() throws Exception {
    publish(devices(1));
    server.fail("POST", 503);
    publisher.publish(
        Map.of(
            NODE, DevicePool.of(devices(1), List.of()), "a", DevicePool.of(devices(1), List.of())));
    await("the write fails", () -> problems.size() >= 4); // pauses of seconds
    publisher.publish(
        Map.of(
            NODE, DevicePool.of(devices(2), List.of()), "a", DevicePool.of(devices(1), List.of())));
    await("the other pool is written", () -> deviceCount() == 2);
    publisher.publish(Map.of(NODE, DevicePool.of(devices(2), List.of())));
    assertThat(publisher.awaitPublished(LIMIT)).isTrue();
    assertThat(publisher.problems()).isEmpty();
  }

  @Test
  void handlerOfProblemsThatFailsEndsNothing() throws Exception {
    publisher.close();
    publisher =
        SlicePublisher.builder(client, DRIVER, NODE)
            .onProblem(
                problem -> {
                  problems.add(problem);
                  throw new IllegalStateException("a handler of a test that fails");
                })
            .start();
    server.fail("POST", 403);
    publisher.publish(Map.of(NODE, DevicePool.of(devices(1), List.of())));
    await("the write fails", () -> !problems.isEmpty());
    server.fail("POST", 0);
    await("it is published", () -> deviceCount() == 1);
  }

  @Test
  void writeIsSentOnceHoweverOftenTheClientRepeatsRequests() throws Exception {
    publisher.close();
    try (KubernetesClient repeating = server.client(5)) {
      server.fail("POST", 503);
      SliceRequests requests = new SliceRequests(new ApiServer(repeating), NODE);
      ResourceSlice slice = SlicePlanner.forNode(DRIVER, NODE).plan(devices(1)).get(0);
      assertThatThrownBy(() -> requests.create(slice)).hasMessageContaining("(503)");
      assertThat(server.requestsOf("POST", SLICES)).hasSize(1);
    }
  }

  @Test
  void secondPublisherOfThePoolIsReported() throws Exception {
    try (SlicePublisher second =
        SlicePublisher.builder(client, DRIVER, NODE).onProblem(problems::add).start()) {
      publisher.publish(Map.of(NODE, DevicePool.of(devices(1), List.of())));
      second.publish(Map.of(NODE, DevicePool.of(devices(2), List.of())));
      await(
          "the dispute is reported",
          () -> problems.stream().anyMatch(one -> one.kind() == Kind.DISPUTED));
    }
  }
}
