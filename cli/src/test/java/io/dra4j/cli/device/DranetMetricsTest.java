package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Device;
import io.dra4j.node.NodeCall;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.HostInventory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DranetMetricsTest {

  private static final DeviceDriver NOTHING =
      new DeviceDriver() {
        @Override
        public String name() {
          return "dra.net";
        }

        @Override
        public List<Device> discover(HostInventory host) {
          return List.of();
        }
      };

  @TempDir Path directory;

  @Test
  void hasTheNamesOfDranet() throws Exception {
    try (DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(NOTHING)
            .node("node-a")
            .store(directory.resolve("claims.db"))
            .build()) {
      DranetMetrics metrics = new DranetMetrics(runtime);
      metrics.accept(call(NodeCall.Kind.PREPARE, NodeCall.Outcome.DONE));
      metrics.accept(call(NodeCall.Kind.PREPARE, NodeCall.Outcome.FAILED));
      metrics.accept(call(NodeCall.Kind.RUN_SANDBOX, NodeCall.Outcome.NOTHING_TO_DO));

      assertThat(metrics(runtime))
          .contains(
              "dranet_driver_dra_plugin_requests_total{method=\"PrepareResourceClaims\",status=\"success\"} 1.0",
              "dranet_driver_dra_plugin_requests_total{method=\"PrepareResourceClaims\",status=\"failed\"} 1.0",
              "dranet_driver_dra_plugin_requests_latency_seconds_bucket{method=\"PrepareResourceClaims\",le=\"0.005\"} 2",
              "dranet_driver_nri_plugin_requests_total{method=\"RunPodSandbox\",status=\"noop\"} 1.0",
              "dranet_driver_nri_plugin_requests_latency_seconds_count{method=\"RunPodSandbox\",status=\"noop\"} 1",
              "dranet_driver_published_devices_total{feature=\"total\"} 0.0",
              "dranet_driver_published_devices_total{feature=\"rdma\"} 0.0",
              "dranet_driver_last_published_time_seconds 0.0");
    }
  }

  private static NodeCall call(NodeCall.Kind kind, NodeCall.Outcome outcome) {
    return new NodeCall(kind, outcome, Duration.ofMillis(2));
  }

  private static List<String> metrics(DriverRuntime runtime) throws Exception {
    InetSocketAddress address =
        runtime.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/metrics");
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .toList();
  }
}
