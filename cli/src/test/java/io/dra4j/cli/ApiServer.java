package io.dra4j.cli;

import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The API server that {@code e2e/kube/run} starts, for its verdict on an object. */
final class ApiServer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DRY = "?dryRun=All&fieldValidation=Strict";
  private static final String REAL = "?fieldValidation=Strict";

  private static final int ATTEMPTS = 5;

  private static final String CONFLICT = "the object has been modified";

  /** The fields of an existing object that the server returns. */
  private static final List<String> OF_ONE_OBJECT =
      List.of(
          "generateName",
          "uid",
          "resourceVersion",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  private final HttpClient client;
  private final String url;
  private final String token;
  private final Set<String> namespaces = new HashSet<>();
  private final Map<String, String> created = new HashMap<>();
  private final Map<String, String> versions = new HashMap<>(); // of the objects that were created
  private final long started = System.nanoTime(); // the server may have answered others before

  /**
   * The verdict of the server.
   *
   * @param code its HTTP status
   * @param message the reason why it rejects the object; empty if it accepts it
   * @param fields the fields that it rejects, if it names them
   */
  record Answer(int code, String message, List<String> fields) {

    boolean accepts() {
      return code / 100 == 2;
    }
  }

  private ApiServer(HttpClient client, String url, String token) {
    this.client = client;
    this.url = url;
    this.token = token;
  }

  /** The server of the environment variables of {@code e2e/kube/run}. */
  static ApiServer fromEnvironment() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(Path.of(variable("API_CA")))) {
      int number = 0;
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("ca" + number++, one);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new ApiServer(
        HttpClient.newBuilder().sslContext(context).build(),
        variable("API_SERVER"),
        variable("API_TOKEN"));
  }

  private static String variable(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }

  /** Checks whether the server would create an object, and then accept its status. */
  Answer ask(ObjectNode object) throws IOException, InterruptedException {
    allowAdminAccess(namespaceOf(object));
    Answer answer = send("POST", collection(object) + DRY, object.toString());
    if (!answer.accepts() || !object.path("status").isObject()) {
      return answer;
    }
    String name = create(object);
    ObjectNode named = object.deepCopy();
    ((ObjectNode) named.get("metadata")).put("name", name).remove(OF_ONE_OBJECT);
    String path = collection(object) + "/" + name;
    for (int attempt = 1; ; attempt++) { // a controller writes the status of rules, too
      ((ObjectNode) named.get("metadata")).put("resourceVersion", versions.getOrDefault(name, ""));
      Answer status = send("PUT", path + "/status" + DRY, named.toString());
      if (attempt == ATTEMPTS || status.accepts() || !status.message().contains(CONFLICT)) {
        return status;
      }
      send("GET", path, "");
    }
  }

  /** Creates a namespace with the label for admin access, or adds the label to it. */
  private void allowAdminAccess(String name) throws IOException, InterruptedException {
    if (namespaces.add(name)) {
      ObjectNode namespace =
          JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Namespace");
      namespace
          .putObject("metadata")
          .put("name", name)
          .putObject("labels")
          .put("resource.kubernetes.io/admin-access", "true");
      if (send("POST", "/api/v1/namespaces", namespace.toString()).code() == HTTP_CONFLICT) {
        send("PATCH", "/api/v1/namespaces/" + name, namespace.toString()); // such as default
      } // other answers: the name is not valid
    }
  }

  /** Sends a text as an object to create. */
  Answer create(String apiVersion, String kind, String text)
      throws IOException, InterruptedException {
    ObjectNode object = JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
    return send("POST", collection(object) + REAL, text);
  }

  /** Creates an object without its status, unless it exists already; returns its name. */
  private String create(ObjectNode object) throws IOException, InterruptedException {
    ObjectNode bare = object.deepCopy();
    bare.remove("status");
    ((ObjectNode) bare.get("metadata")).remove(OF_ONE_OBJECT);
    String key = bare.toString();
    String known = created.get(key);
    if (known == null) {
      known = "status-" + started + "-" + created.size();
      ((ObjectNode) bare.get("metadata")).put("name", known);
      Answer answer = send("POST", collection(object) + REAL, bare.toString());
      if (!answer.accepts()) {
        throw new IllegalStateException("was taken and is refused now: " + bare + ": " + answer);
      }
      created.put(key, known);
    }
    return known;
  }

  private static String collection(JsonNode object) {
    String version = object.get("apiVersion").asText();
    String kind = object.get("kind").asText();
    String plural = kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s");
    return (version.contains("/") ? "/apis/" : "/api/")
        + version
        + (kind.matches("ResourceClaim.*|Pod|Job") ? "/namespaces/" + namespaceOf(object) : "")
        + "/"
        + plural;
  }

  /** The namespace of an object; default if it has none that can be part of a URL. */
  private static String namespaceOf(JsonNode object) {
    JsonNode namespace = object.path("metadata").path("namespace");
    return namespace.isTextual() && namespace.asText().matches("[-a-zA-Z0-9._]+")
        ? namespace.asText()
        : "default";
  }

  private Answer send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + token)
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build();
    HttpResponse<String> response;
    try {
      response = client.send(request, HttpResponse.BodyHandlers.ofString(UTF_8));
    } catch (HttpTimeoutException | ConnectException e) {
      throw e;
    } catch (IOException e) { // it panics at a division by zero, and is there for the next one
      return new Answer(500, "the server breaks off: " + e.getMessage(), List.of());
    }
    if (response.statusCode() / 100 == 2) {
      if (!method.equals("PUT")) {
        JsonNode metadata = JSON.readTree(response.body()).path("metadata");
        versions.put(metadata.path("name").asText(), metadata.path("resourceVersion").asText());
      }
      return new Answer(response.statusCode(), "", List.of());
    }
    JsonNode status;
    try {
      status = JSON.readTree(response.body());
    } catch (IOException e) {
      return new Answer(response.statusCode(), response.body(), List.of());
    }
    List<String> fields = new ArrayList<>();
    status.path("details").path("causes").forEach(one -> fields.add(one.path("field").asText()));
    return new Answer(response.statusCode(), status.path("message").asText(), fields);
  }
}
