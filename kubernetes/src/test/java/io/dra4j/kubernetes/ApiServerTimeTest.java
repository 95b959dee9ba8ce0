package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.publish.SlicePlanner;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every answer ends in time, also if the server sends its head and then stands still. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApiServerTimeTest {

  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final String CLAIM = "{\"metadata\":{\"name\":\"c\",\"namespace\":\"default\"}}";

  private WritableApiServer server;
  private KubernetesClient client;
  private ApiServer requests;

  @BeforeEach
  void start() throws Exception {
    server = new WritableApiServer();
    server.putNode("node-1");
    server.put("resourceclaims", CLAIM);
    client = server.client(0);
    requests = new ApiServer(client, SHORT, SHORT);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static void assertLate(ThrowingCall call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ClusterException.class,
            e -> assertThat(e.status()).isEqualTo(ClusterException.NO_ANSWER))
        .hasMessageContaining("the rest of the response did not arrive within");
  }

  private interface ThrowingCall {
    void run() throws Exception;
  }

  @Test
  void claimIsRead() throws Exception {
    ClaimReader reader = new ClaimReader(requests);
    server.standStill("resourceclaims/c");
    assertLate(() -> reader.read(new ClaimReference("default", "c", "uid-2")));
    server.standStill("");
    assertThat(reader.read(new ClaimReference("default", "c", "uid-2"))).isPresent();
    assertThat(reader.read(new ClaimReference("default", "gone", "uid-2"))).isEmpty();
    server.serves("v1beta1");
    assertThat(reader.read(new ClaimReference("default", "c", "uid-2"))).isPresent();
  }

  @Test
  void documentIsRead() {
    server.standStill("/nodes/node-1");
    assertLate(() -> requests.document("/api/v1/nodes/node-1"));
  }

  @Test
  void sliceIsWritten() {
    server.standStill("POST");
    SliceRequests slices = new SliceRequests(requests, "node-1");
    assertLate(
        () ->
            slices.create(SlicePlanner.forNode("d.example.com", "node-1").plan(List.of()).get(0)));
  }

  @Test
  void pageOfAListIsRead() {
    server.standStill("/nodes?");
    ServedResource nodes = new ServedResource(ClusterResource.NODES, "v1");
    assertLate(() -> nodes.list(requests, "", body -> {}, object -> {}));
  }

  @Test
  void refusalIsRead() {
    server.standStill("/nodes/gone");
    assertThatThrownBy(() -> requests.read("/api/v1/nodes/gone"))
        .isInstanceOfSatisfying(ClusterException.class, e -> assertThat(e.status()).isEqualTo(404));
  }

  @Test
  void headThatNeverComesIsWaitedForOnceAndNotRepeated() throws Exception {
    server.hold("POST");
    SliceRequests slices = new SliceRequests(requests, "node-1");
    assertThatThrownBy(
            () ->
                slices.create(
                    SlicePlanner.forNode("d.example.com", "node-1").plan(List.of()).get(0)))
        .hasMessageContaining("no response");
    assertThat(server.requestsOf("POST", "resourceslices")).hasSize(1);
  }
}
