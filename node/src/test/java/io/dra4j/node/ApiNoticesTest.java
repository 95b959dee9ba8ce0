package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ApiNoticesTest {

  @Test
  void kubeletIsAskedOnceToLookAtAPod() throws Exception {
    List<String> requests = new CopyOnWriteArrayList<>();
    CountDownLatch hasSecond = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          requests.add(exchange.getRequestMethod() + " " + path);
          if (path.contains("second")) {
            hasSecond.countDown();
          }
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    server.start();
    try (KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(
                    new ConfigBuilder()
                        .withMasterUrl("http://localhost:" + server.getAddress().getPort())
                        .build())
                .build();
        ApiNotices notices = new ApiNotices(client, "node-1", "test", failure -> "Failed")) {
      notices.kick(PlugDriver.sandbox("s1", "first"));
      notices.kick(PlugDriver.sandbox("s2", "second"));
      assertThat(hasSecond.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(requests)
          .containsExactly(
              "PATCH /api/v1/namespaces/default/pods/first/status",
              "PATCH /api/v1/namespaces/default/pods/second/status");
    } finally {
      server.stop(0);
    }
  }
}
