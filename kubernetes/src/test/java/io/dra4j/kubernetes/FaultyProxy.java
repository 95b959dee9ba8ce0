package io.dra4j.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy before a real API server that fails as a test says. It answers plain HTTP on the loopback
 * address, and asks the server with the credentials of the client that it is given.
 */
final class FaultyProxy implements AutoCloseable {

  private final KubernetesClient behind;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger left = new AtomicInteger(); // refusals
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger(); // answered with success
  private final AtomicInteger cut = new AtomicInteger(); // watches that were cut
  private volatile String method = "";
  private volatile int status;
  private final AtomicInteger cuts = new AtomicInteger(); // how often all watches were to be cut
  private volatile boolean isSlow;
  private volatile List<String> hidden = List.of(); // API versions

  FaultyProxy(KubernetesClient behind) throws IOException {
    this.behind = behind;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  KubernetesClient client() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Refuses the next requests of a method; a status of 0 ends that. */
  void refuse(String method, int status, int requests) {
    this.method = method;
    this.status = status;
    left.set(requests);
  }

  int lists() {
    return lists.get();
  }

  int refused() {
    return refused.get();
  }

  /** Answers as a server that does not have these API versions. */
  void hide(List<String> apiVersions) {
    hidden = apiVersions;
  }

  /** Ends each watch in the middle of its next event. */
  void cutWatches() {
    cuts.incrementAndGet();
  }

  int cut() {
    return cut.get();
  }

  /** Whether answers come in small pieces with pauses between them. */
  void slow(boolean isSlow) {
    this.isSlow = isSlow;
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestMethod().equals(method)
          && left.getAndUpdate(n -> n < 1 ? 0 : n - 1) > 0) {
        refused.incrementAndGet();
        byte[] answer =
            "{\"kind\":\"Status\",\"message\":\"the object has been modified; try again\"}"
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        return;
      }
      String path = exchange.getRequestURI().getPath() + "/";
      if (hidden.stream().anyMatch(one -> path.startsWith("/apis/" + one + "/"))) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      HttpResponse<InputStream> response = ask(exchange, body);
      if (exchange.getRequestURI().toString().contains("limit=") && response.isSuccessful()) {
        lists.incrementAndGet();
      }
      try (InputStream from = response.body()) {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(response.code(), 0);
        exchange.getResponseBody().flush();
        copy(from, exchange.getResponseBody(), isWatch(exchange));
      }
    }
  }

  private static boolean isWatch(HttpExchange exchange) {
    return exchange.getRequestURI().toString().contains("watch=true");
  }

  private HttpResponse<InputStream> ask(HttpExchange exchange, byte[] body) throws IOException {
    String base = behind.getMasterUrl().toString().replaceFirst("/$", "");
    HttpRequest.Builder request =
        behind.getHttpClient().newHttpRequestBuilder().uri(base + exchange.getRequestURI());
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (!exchange.getRequestMethod().equals("GET")) {
      request.method(
          exchange.getRequestMethod(),
          type == null ? "application/json" : type,
          new String(body, StandardCharsets.UTF_8));
    }
    try {
      return behind
          .getHttpClient()
          .sendAsync(request.header("Accept", "application/json").build(), InputStream.class)
          .get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IOException("no answer from behind the proxy", e); // ends the connection
    }
  }

  private void copy(InputStream from, OutputStream to, boolean isWatch) throws IOException {
    int seen = cuts.get();
    byte[] buffer = new byte[8192];
    for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
      if (isWatch && cuts.get() != seen) {
        cut.incrementAndGet();
        to.write(buffer, 0, n / 2);
        to.flush();
        return;
      }
      for (int begin = 0; begin < n; ) {
        int length = isSlow ? Math.min(200, n - begin) : n;
        to.write(buffer, begin, length);
        to.flush();
        begin += length;
        pause();
      }
    }
  }

  private void pause() throws IOException {
    if (isSlow) {
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        throw new IOException("closed", e);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
