package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the API server as bytes. Credentials, TLS, proxies and retries of single requests are
 * those of the {@link KubernetesClient}. Thread-safe.
 */
final class ApiServer {

  /** As much of an error's body is read, in bytes. */
  private static final int MAX_ERROR_BODY = 64 * 1024;

  /** How long the head of an answer is waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So many compressed bytes are read at once. */
  private static final int BUFFER = 16 * 1024;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final HttpClient http;
  private final String base;

  /**
   * Makes requests with a client.
   *
   * @param client the client, which the caller closes
   */
  ApiServer(KubernetesClient client) {
    this.http = client.getHttpClient();
    String url = client.getMasterUrl().toString();
    this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /**
   * Sends a GET request.
   *
   * @param path path and query, for example {@code /api/v1/nodes?limit=500}
   * @return the body of a successful answer; the caller closes it
   * @throws ClusterException if the server refuses, or there is no answer in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  InputStream get(String path) throws ClusterException, InterruptedException {
    return send("GET", path, http.newHttpRequestBuilder());
  }

  /**
   * Sends a request with a document, or one that changes something.
   *
   * @param method {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
   * @param path path and query
   * @param contentType the type of the body
   * @param body the body
   * @return the body of a successful answer; the caller closes it
   * @throws ClusterException if the server refuses, or there is no answer in time: it may have made
   *     the change then
   * @throws InterruptedException if the calling thread is interrupted
   */
  InputStream send(String method, String path, String contentType, String body)
      throws ClusterException, InterruptedException {
    return send(method, path, http.newHttpRequestBuilder().method(method, contentType, body));
  }

  /** A GET request that was sent, and whose answer is awaited later. */
  final class Pending {

    private final String path;
    private final CompletableFuture<HttpResponse<InputStream>> sent;

    private Pending(String path) {
      this.path = path;
      this.sent = begin(path, http.newHttpRequestBuilder().header("Accept-Encoding", "gzip"));
    }

    /** The body of a successful answer, as {@link ApiServer#get}. */
    InputStream await() throws ClusterException, InterruptedException {
      return answer("GET", path, sent);
    }

    /** The answer is not needed any more. */
    void cancel() {
      if (!sent.cancel(true) && !sent.isCompletedExceptionally()) {
        try {
          sent.join().body().close();
        } catch (IOException e) {
          // it is not read
        }
      }
    }
  }

  /**
   * Sends a GET request, and does not wait.
   *
   * @param path path and query
   * @return the request; its answer is awaited or cancelled
   */
  Pending begin(String path) {
    return new Pending(path);
  }

  private CompletableFuture<HttpResponse<InputStream>> begin(
      String path, HttpRequest.Builder request) {
    return http.sendAsync(
        request.uri(base + path).header("Accept", "application/json").build(), InputStream.class);
  }

  private InputStream send(String method, String path, HttpRequest.Builder request)
      throws ClusterException, InterruptedException {
    return answer(method, path, begin(path, request));
  }

  private InputStream answer(
      String method, String path, CompletableFuture<HttpResponse<InputStream>> sent)
      throws ClusterException, InterruptedException {
    try {
      HttpResponse<InputStream> response = sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (!response.request().uri().toString().startsWith(base + "/")) {
        response.body().close();
        throw new ClusterException(
            "%s: the answer is of another server, %s, to which the API server redirects: connect by"
                    .formatted(method + " " + path, host(response.request().uri()))
                + " ClusterConnection, which follows no redirect",
            ClusterException.NO_ANSWER,
            null);
      }
      if (response.isSuccessful()) {
        return body(response);
      }
      throw refused(method + " " + path, response);
    } catch (IOException e) { // of an answer that is not read
      throw unanswered(method + " " + path, e);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new ClusterException(
          "%s %s: no answer from %s within %d s"
              .formatted(method, path, base, PATIENCE.toSeconds()),
          ClusterException.NO_ANSWER,
          e);
    } catch (ExecutionException e) {
      throw unanswered(method + " " + path, e.getCause() == null ? e : e.getCause());
    }
  }

  /** The body of an answer, which a request of {@link Pending} may have compressed. */
  private static InputStream body(HttpResponse<InputStream> response) throws IOException {
    InputStream body = response.body();
    if (!"gzip".equalsIgnoreCase(response.header("Content-Encoding"))) {
      return body;
    }
    try {
      return new GZIPInputStream(body, BUFFER);
    } catch (IOException e) {
      body.close();
      throw e;
    }
  }

  private static String host(URI uri) {
    return Printable.line(uri.getHost() + ":" + uri.getPort());
  }

  /**
   * Sends a GET request for a small document.
   *
   * @return the document; null if the server answers 404
   */
  @Nullable JsonNode document(String path) throws ClusterException, InterruptedException {
    try (InputStream body = get(path)) {
      return MAPPER.readTree(body);
    } catch (ClusterException e) {
      if (e.status() == 404) {
        return null;
      }
      throw e;
    } catch (IOException e) {
      throw unanswered("GET " + path, e);
    }
  }

  /** The failure of a request whose answer ended too early, or never came. */
  ClusterException unanswered(String request, Throwable cause) {
    return new ClusterException(
        "%s: %s".formatted(request, failure(base, cause)), ClusterException.NO_ANSWER, cause);
  }

  /** What a request without a whole answer means to the person who runs the command. */
  static String failure(String base, Throwable cause) {
    if (cause instanceof JsonEOFException || cause instanceof EOFException) {
      return "the answer of %s ends too early".formatted(base);
    } else if (cause instanceof JsonProcessingException) {
      return "%s answers no JSON: the address is that of another server, or a proxy or login page"
              .formatted(base)
          + " stands before the API server";
    } else if (cause instanceof SSLException) {
      return "no TLS connection to %s: %s; its certificate has to be signed by the kubeconfig file's"
              .formatted(base, describe(cause))
          + " certificate-authority";
    }
    return "%s does not answer: %s".formatted(base, describe(cause));
  }

  private static ClusterException refused(String request, HttpResponse<InputStream> response) {
    String detail = "";
    try (InputStream body = body(response)) {
      detail = statusMessage(body.readNBytes(MAX_ERROR_BODY));
    } catch (IOException e) {
      detail = describe(e);
    }
    return new ClusterException(
        "%s: %s".formatted(request, refusal(response.code(), detail)), response.code(), null);
  }

  /** What an answer with an error status means to the person who runs the command. */
  static String refusal(int code, String detail) {
    String said = detail.isEmpty() ? "HTTP status " + code : detail;
    return switch (code) {
      case 301, 302, 303, 307, 308 ->
          "the API server redirects to another address, which is not asked (%d)".formatted(code);
      case 401 -> "the API server does not accept the credentials (401): " + said;
      case 403 -> "access is denied (403): " + said;
      case 429 -> "the API server is overloaded (429): " + said;
      default -> said + (detail.isEmpty() ? "" : " (" + code + ")");
    };
  }

  /** The message of a {@code Status}, or the beginning of any other text. */
  private static String statusMessage(byte[] body) {
    try {
      JsonNode status = MAPPER.readTree(body);
      if (status != null && status.path("message").isTextual()) {
        return Printable.line(status.path("message").textValue());
      }
    } catch (JsonProcessingException e) {
      // a proxy's page, for example
    } catch (IOException e) {
      return describe(e);
    }
    return Printable.line(new String(body, StandardCharsets.UTF_8));
  }

  private static String describe(Throwable cause) {
    String message = cause.getMessage();
    Throwable below = cause.getCause();
    if (cause instanceof UnresolvedAddressException) {
      return "no address is known for its name";
    } else if (cause instanceof ClosedChannelException) {
      return "no connection (refused or out of reach)"; // the JDK's client does not say which
    }
    if (message == null && below != null && below != cause) {
      return describe(below);
    }
    return message == null ? cause.getClass().getSimpleName() : Printable.line(message);
  }
}
