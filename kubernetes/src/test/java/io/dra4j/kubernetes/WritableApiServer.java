package io.dra4j.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An API server in memory that is written to: it keeps objects with versions and UIDs, and lists
 * and watches them by field selectors. Tests make it drop fields, refuse, stand still and answer
 * late.
 */
final class WritableApiServer implements AutoCloseable {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String GROUP = "/apis/resource.k8s.io/";

  private record Stored(String collection, ObjectNode object) {}

  private record Event(String type, Stored stored) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  final List<String> requests = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private final Map<String, Stored> objects = new TreeMap<>(); // by collection and name
  private final List<Event> events = new ArrayList<>();
  private final List<String> versions = new ArrayList<>(List.of("v1"));
  private String dropped = "";
  private String still = "";
  private String held = "";
  private int version;
  private int uids;
  private boolean isClosed;

  WritableApiServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** A client that repeats failed requests this often by itself. */
  KubernetesClient client(int retries) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withRequestRetryBackoffLimit(retries)
            .withRequestRetryBackoffInterval(10)
            .build();
    return ClusterConnection.open(config);
  }

  /** Serves these versions of the group {@code resource.k8s.io}. */
  synchronized void serves(String... served) {
    versions.clear();
    versions.addAll(List.of(served));
  }

  /** Drops a field of devices, as a server without a feature does; empty ends that. */
  synchronized void drop(String field) {
    dropped = field;
  }

  /** Sends the head of answers to requests with this text, and no body; empty ends that. */
  synchronized void standStill(String text) {
    still = text;
    notifyAll();
  }

  /** Makes changes of requests with this text, and answers when this is ended by an empty text. */
  synchronized void hold(String text) {
    held = text;
    notifyAll();
  }

  /** Answers requests that have this text with this status; 0 for as it should be. */
  void fail(String text, int status) {
    failures.put(text, status);
  }

  /** Puts a Node under a new UID, and returns the UID. */
  synchronized String putNode(String name) {
    ObjectNode node = MAPPER.createObjectNode();
    node.putObject("metadata").put("name", name);
    ObjectNode stored = store("nodes", node, true).object();
    return stored.path("metadata").path("uid").asText();
  }

  /** Puts an object into a collection, as another client does. */
  synchronized void put(String collection, String json) throws IOException {
    store(collection, (ObjectNode) MAPPER.readTree(json), true);
  }

  /** Deletes an object, as another client does. */
  synchronized void remove(String collection, String name) {
    Stored gone = objects.remove(collection + "/" + name);
    if (gone != null) {
      add("DELETED", gone);
    }
  }

  /** The objects of a collection, in the order of their names. */
  synchronized List<JsonNode> all(String collection) {
    return objects.values().stream()
        .filter(one -> one.collection().equals(collection))
        .<JsonNode>map(one -> one.object().deepCopy())
        .toList();
  }

  /** The requests of a method whose path has a text. */
  List<String> requestsOf(String method, String text) {
    return requests.stream()
        .filter(one -> one.startsWith(method + " ") && one.contains(text))
        .toList();
  }

  private Stored store(String collection, ObjectNode object, boolean isNew) {
    ObjectNode metadata = (ObjectNode) object.get("metadata");
    String key = collection + "/" + metadata.path("name").asText();
    if (isNew) {
      metadata.put("uid", "uid-" + ++uids);
    }
    for (JsonNode device : object.path("spec").path("devices")) {
      ((ObjectNode) device).remove(dropped);
    }
    Stored stored = new Stored(collection, object);
    objects.put(key, stored);
    add(isNew ? "ADDED" : "MODIFIED", stored);
    return stored;
  }

  private void add(String type, Stored stored) {
    ObjectNode copy = stored.object().deepCopy();
    ((ObjectNode) copy.get("metadata")).put("resourceVersion", String.valueOf(++version));
    ((ObjectNode) stored.object().get("metadata")).put("resourceVersion", String.valueOf(version));
    events.add(new Event(type, new Stored(stored.collection(), copy)));
    notifyAll();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      requests.add(request);
      for (Map.Entry<String, Integer> failure : failures.entrySet()) {
        if (failure.getValue() != 0 && request.contains(failure.getKey())) {
          send(exchange, failure.getValue(), status("it fails as the test says"));
          return;
        }
      }
      if (request.contains("watch=true")) {
        watch(exchange);
        return;
      }
      int status;
      String answer;
      synchronized (this) {
        JsonNode result = MAPPER.createObjectNode();
        status = 200;
        try {
          result = result(exchange.getRequestMethod(), exchange.getRequestURI().toString(), body);
        } catch (Failure e) {
          status = e.status;
          result = MAPPER.readTree(status(String.valueOf(e.getMessage())));
        }
        answer = result.toString();
        while (!held.isEmpty() && request.contains(held) && !isClosed) {
          wait();
        }
        if (!still.isEmpty() && request.contains(still)) {
          exchange.sendResponseHeaders(status, 0);
          exchange.getResponseBody().write(answer.getBytes(UTF_8), 0, 1);
          exchange.getResponseBody().flush();
          while (!still.isEmpty() && !isClosed) {
            wait();
          }
          return;
        }
      }
      send(exchange, status, answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;
    final int status;

    Failure(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  private static String status(String message) {
    return "{\"kind\":\"Status\",\"message\":\"%s\"}".formatted(message);
  }

  private JsonNode result(String method, String uri, String body) throws Failure, IOException {
    String path = uri.replaceFirst("\\?.*", "");
    if (path.startsWith(GROUP)) {
      String served = path.substring(GROUP.length()).replaceFirst("/.*", "");
      if (!versions.contains(served)) {
        throw new Failure(404, "the server could not find the requested resource");
      }
      path = path.substring(GROUP.length() + served.length());
      if (path.isEmpty()) {
        return MAPPER.readTree(
            "{\"resources\":[{\"name\":\"resourceslices\"},{\"name\":\"resourceclaims\"}]}");
      }
    }
    String[] parts =
        path.replace("/api/v1", "").replaceFirst("/namespaces/[^/]*", "").split("/", -1);
    String collection = parts[1];
    if (parts.length == 2) {
      return method.equals("POST") ? create(collection, body) : list(collection, uri);
    }
    Stored known = objects.get(collection + "/" + parts[2]);
    if (known == null) {
      throw new Failure(404, collection + " \\\"" + parts[2] + "\\\" not found");
    }
    return switch (method) {
      case "DELETE" -> {
        remove(collection, parts[2]);
        yield known.object();
      }
      case "PUT" -> replace(known, body);
      default -> known.object();
    };
  }

  private JsonNode create(String collection, String body) throws Failure, IOException {
    ObjectNode object = (ObjectNode) MAPPER.readTree(body);
    String name = object.path("metadata").path("name").asText();
    if (objects.containsKey(collection + "/" + name)) {
      throw new Failure(409, "it already exists");
    }
    return store(collection, object, true).object();
  }

  private JsonNode replace(Stored known, String body) throws Failure, IOException {
    ObjectNode object = (ObjectNode) MAPPER.readTree(body);
    JsonNode before = known.object().path("metadata");
    ObjectNode metadata = (ObjectNode) object.get("metadata");
    if (!metadata.path("resourceVersion").equals(before.path("resourceVersion"))) {
      throw new Failure(409, "the object has been modified");
    }
    metadata.set("uid", before.get("uid"));
    return store(known.collection(), object, false).object();
  }

  private JsonNode list(String collection, String uri) {
    ObjectNode list = MAPPER.createObjectNode();
    list.putObject("metadata").put("resourceVersion", String.valueOf(Math.max(1, version)));
    ArrayNode items = list.putArray("items");
    for (Stored one : objects.values()) {
      if (one.collection().equals(collection) && isSelected(one, uri)) {
        items.add(one.object());
      }
    }
    return list;
  }

  private static Map<String, String> query(String uri) {
    Map<String, String> query = new HashMap<>();
    for (String one : uri.replaceFirst("[^?]*\\??", "").split("&", -1)) {
      int equals = one.indexOf('=');
      if (equals > 0) {
        query.put(one.substring(0, equals), URLDecoder.decode(one.substring(equals + 1), UTF_8));
      }
    }
    return query;
  }

  private static boolean isSelected(Stored stored, String uri) {
    for (String one : query(uri).getOrDefault("fieldSelector", "").split(",", -1)) {
      int equals = one.indexOf('=');
      if (equals > 0) {
        String path = "/" + one.substring(0, equals).replace('.', '/');
        if (!stored.object().at(path).asText().equals(one.substring(equals + 1))) {
          return false;
        }
      }
    }
    return true;
  }

  private void watch(HttpExchange exchange) throws IOException, InterruptedException {
    String uri = exchange.getRequestURI().toString();
    String collection = uri.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
    int from = Integer.parseInt(query(uri).getOrDefault("resourceVersion", "0"));
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush();
      for (int i = 0; ; i++) {
        Event event = event(i);
        if (event == null) {
          return;
        }
        JsonNode object = event.stored().object();
        if (event.stored().collection().equals(collection)
            && object.path("metadata").path("resourceVersion").asInt() > from
            && isSelected(event.stored(), uri)) {
          out.write(
              "{\"type\":\"%s\",\"object\":%s}%n".formatted(event.type(), object).getBytes(UTF_8));
          out.flush();
        }
      }
    }
  }

  private synchronized @Nullable Event event(int index) throws InterruptedException {
    while (index >= events.size() && !isClosed) {
      wait();
    }
    return isClosed ? null : events.get(index);
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      notifyAll();
    }
    server.stop(0);
    threads.shutdownNow();
  }
}
