package io.dra4j.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * An API server that does what a test says: it serves lists of objects and watches, and fails as
 * real ones and what stands before them do.
 */
final class FakeApiServer implements AutoCloseable {

  /** Ends the connection of a watch in the middle of an event. */
  static final String BREAK = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{";

  /** Ends a watch as servers do after its time. */
  static final String END = "";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Map<String, String>> objects = new ConcurrentHashMap<>();
  private final Map<String, LinkedBlockingQueue<String>> watches = new ConcurrentHashMap<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>(); // of watches
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final List<String> versions = new CopyOnWriteArrayList<>(List.of("v1"));
  private final Map<String, List<String>> others = new ConcurrentHashMap<>();
  final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger version = new AtomicInteger(1);
  private volatile @Nullable String redirect;
  private volatile boolean isClosed;

  FakeApiServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
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

  /** Answers all requests with a redirect; null ends that. */
  void redirect(@Nullable String to) {
    redirect = to;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  KubernetesClient client(String token) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(address())
            .withRequestRetryBackoffLimit(0)
            .withOauthToken(token)
            .build();
    return ClusterConnection.open(config);
  }

  /** Serves these versions of the group {@code resource.k8s.io}. */
  void serves(String... served) {
    versions.clear();
    versions.addAll(List.of(served));
  }

  /** Serves resources of another group. */
  void servesAlso(String apiVersion, String... plurals) {
    others.put(apiVersion, List.of(plurals));
  }

  /** Puts an object into the lists; a watch does not report it. */
  void put(String plural, String name, String rest) {
    version.incrementAndGet();
    objects.computeIfAbsent(plural, one -> new TreeMap<>()).put(name, object(name, rest));
  }

  void remove(String plural, String name) {
    version.incrementAndGet();
    objects.getOrDefault(plural, new TreeMap<>()).remove(name);
  }

  private String object(String name, String rest) {
    return "{\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"%d\"}%s}"
        .formatted(name, version.get(), rest);
  }

  /** Sends an event of a watch. */
  void event(String plural, String type, String name, String rest) {
    version.incrementAndGet();
    raw(plural, "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object(name, rest)));
  }

  /** Sends an event of a watch with an object of the lists. */
  void eventOf(String plural, String type, String name) {
    String object = objects.getOrDefault(plural, new TreeMap<>()).get(name);
    raw(plural, "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object));
  }

  /** Answers each watch from now on with this text, and ends it; null ends that. */
  void answerWatches(String plural, @Nullable String text) {
    if (text == null) {
      answers.remove(plural);
    } else {
      answers.put(plural, text);
    }
  }

  /** Sends any text as the next part of a watch. */
  void raw(String plural, String text) {
    watches.computeIfAbsent(plural, one -> new LinkedBlockingQueue<>()).add(text);
  }

  /** Answers requests of a resource with this status; 0 for as it should be. */
  void fail(String plural, int status) {
    failures.put(plural, status);
  }

  List<String> requestsOf(String plural, String with) {
    return requests.stream()
        .filter(one -> one.contains("/" + plural + "?") && one.contains(with))
        .toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().toString();
      requests.add(path);
      String elsewhere = redirect;
      if (elsewhere != null) {
        exchange.getResponseHeaders().add("Location", elsewhere + path);
        exchange.sendResponseHeaders(307, -1);
        return;
      }
      String resource = path.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
      int failure = failures.getOrDefault(resource, 0);
      if (failure != 0) {
        send(exchange, failure, "{\"kind\":\"Status\",\"message\":\"no " + resource + "\\u0007\"}");
      } else if (path.matches("/apis/[^/]+/[^/]+")) {
        discover(exchange, path);
      } else if (path.contains("watch=true")) {
        watch(exchange, resource);
      } else {
        list(exchange, resource, path);
      }
    }
  }

  private void discover(HttpExchange exchange, String path) throws IOException {
    String served = path.replaceFirst(".*/", "");
    boolean isDra = path.startsWith("/apis/resource.k8s.io/") && versions.contains(served);
    List<String> resources =
        isDra
            ? List.of("resourceslices", "deviceclasses", "resourceclaims")
            : others.get(path.substring("/apis/".length()));
    if (resources == null) {
      send(exchange, 404, "404 page not found");
      return;
    }
    StringBuilder names = new StringBuilder();
    for (String one : resources) {
      names.append(names.isEmpty() ? "" : ",").append("{\"name\":\"").append(one).append("\"}");
    }
    send(exchange, 200, "{\"resources\":[" + names + "]}");
  }

  private void list(HttpExchange exchange, String resource, String path) throws IOException {
    List<String> all = new ArrayList<>(objects.getOrDefault(resource, new TreeMap<>()).values());
    int from =
        path.contains("continue=") ? Integer.parseInt(path.replaceFirst(".*continue=", "")) : 0;
    int to = Math.min(all.size(), from + 2);
    send(
        exchange,
        200,
        "{\"metadata\":{\"resourceVersion\":\"%d\"%s},\"items\":[%s]}"
            .formatted(
                version.get(),
                to < all.size() ? ",\"continue\":\"" + to + "\"" : "",
                String.join(",", all.subList(from, to))));
  }

  private void watch(HttpExchange exchange, String resource) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().flush(); // the head, as API servers do
    LinkedBlockingQueue<String> events =
        watches.computeIfAbsent(resource, one -> new LinkedBlockingQueue<>());
    try (OutputStream out = exchange.getResponseBody()) {
      String answer = answers.get(resource);
      if (answer != null) {
        out.write(answer.getBytes(UTF_8));
        return;
      }
      while (!isClosed) {
        String event = events.poll(50, TimeUnit.MILLISECONDS);
        if (event == null) {
          continue;
        } else if (event.equals(END)) {
          return;
        }
        out.write(event.getBytes(UTF_8));
        out.flush();
        if (event.equals(BREAK) || event.contains("\"ERROR\"")) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Compresses what may be, as API servers do with long answers. */
  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    if ("gzip".equals(exchange.getRequestHeaders().getFirst("Accept-Encoding"))) {
      exchange.getResponseHeaders().add("Content-Encoding", "gzip");
      ByteArrayOutputStream compressed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(compressed)) {
        out.write(bytes);
      }
      bytes = compressed.toByteArray();
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    isClosed = true;
    server.stop(0);
    threads.shutdownNow();
  }
}
