package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
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
 * Requests to the API server as bytes. The {@link KubernetesClient} provides credentials, TLS,
 * proxies and the retries of single reading requests. Writing requests are sent once; they are
 * never retried without the caller's knowledge. Every response except that of a watch ends in
 * bounded time. Thread-safe.
 */
final class ApiServer {

  /** The most bytes that are read of an error's body. */
  private static final int MAX_ERROR_BODY = 64 * 1024;

  /** The time limit for the head of a response, and for all of a small response. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The name of the frame by which an HTTP/2 server ends a connection. */
  private static final String GOAWAY = "GOAWAY";

  /** The time limit for all reads of a page of a list; the server ends a request then as well. */
  private static final Duration PAGE_PATIENCE = Duration.ofSeconds(60);

  /** The limit for watches: the server ends them, or the reader closes them. */
  private static final Duration UNLIMITED = Duration.ofDays(1);

  /** The number of compressed bytes that are read at once. */
  private static final int BUFFER = 16 * 1024;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final HttpClient http;
  private final HttpClient once; // does not retry a request
  private final Duration patience;
  private final Duration pagePatience;
  private final String base;

  /** Creates an instance that sends requests with a client, which the caller closes. */
  ApiServer(KubernetesClient client) {
    this(client, PATIENCE, PAGE_PATIENCE);
  }

  /**
   * Creates an instance that sends requests with a client.
   *
   * @param patience the time limit for the head of a response, and for all of a small response
   * @param pagePatience the time limit for all reads of a page of a list
   */
  ApiServer(KubernetesClient client, Duration patience, Duration pagePatience) {
    this.http = client.getHttpClient();
    this.once =
        http.newBuilder()
            .tag(
                new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    this.patience = patience;
    this.pagePatience = pagePatience;
    String url = client.getMasterUrl().toString();
    this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /**
   * Sends a GET request for a watch, whose body has no time limit.
   *
   * @param path path and query
   * @return the body of a successful response; the caller closes it
   * @throws ClusterException if the server refuses the request or does not begin to respond in time
   */
  InputStream get(String path) throws ClusterException, InterruptedException {
    return new Pending("GET", path, http, http.newHttpRequestBuilder(), patience).await(UNLIMITED);
  }

  /**
   * Reads a small document.
   *
   * @param path path and query, for example {@code /api/v1/nodes/node-1}
   * @return the body of a successful response, at most {@link RawObject#MAX_BYTES}
   * @throws ClusterException if the server refuses, or the response is not complete in time
   */
  byte[] read(String path) throws ClusterException, InterruptedException {
    return whole("GET", path, http, http.newHttpRequestBuilder());
  }

  /**
   * Sends a writing request once.
   *
   * @param method {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
   * @param path path and query
   * @return the body of a successful response, at most {@link RawObject#MAX_BYTES}
   * @throws ClusterException if the server refuses the request, or the response is not complete in
   *     time; in that case the server may have made the change
   */
  byte[] write(String method, String path, String contentType, String body)
      throws ClusterException, InterruptedException {
    return whole(
        method, path, once, once.newHttpRequestBuilder().method(method, contentType, body));
  }

  /** Reads a complete response, within bounds of time and bytes. All complete reads use it. */
  private byte[] whole(String method, String path, HttpClient client, HttpRequest.Builder request)
      throws ClusterException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    request.timeout(patience.toMillis(), TimeUnit.MILLISECONDS); // ends the exchange
    Pending pending = new Pending(method, path, client, request, patience);
    byte[] bytes;
    try (AnswerBody body = pending.await(patience)) {
      body.limit(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      bytes = body.readNBytes(RawObject.MAX_BYTES + 1);
    } catch (InterruptedIOException e) {
      throw interrupted(e);
    } catch (IOException e) {
      throw unanswered(method + " " + path, e);
    }
    if (bytes.length > RawObject.MAX_BYTES) {
      throw new ClusterException(
          "%s %s: the response is larger than %d bytes"
              .formatted(method, path, RawObject.MAX_BYTES),
          ClusterException.NO_ANSWER,
          null);
    }
    return bytes;
  }

  private static InterruptedException interrupted(InterruptedIOException cause) {
    Thread.interrupted(); // the exception reports it from here on
    InterruptedException interrupted = new InterruptedException(cause.getMessage());
    interrupted.initCause(cause);
    return interrupted;
  }

  /** A request that was sent, and whose response is awaited later. */
  final class Pending {

    private final String request;
    private final Duration patience;
    private final AnswerBody body = new AnswerBody();
    private final CompletableFuture<HttpResponse<AsyncBody>> sent;

    private Pending(
        String method,
        String path,
        HttpClient client,
        HttpRequest.Builder request,
        Duration patience) {
      this.request = method + " " + path;
      this.patience = patience;
      this.sent = begin(client, request, path, body);
    }

    /** Returns the body of a successful response; the caller closes it. */
    InputStream await() throws ClusterException, InterruptedException {
      try {
        return body(await(pagePatience));
      } catch (InterruptedIOException e) {
        throw interrupted(e);
      } catch (IOException e) {
        throw unanswered(request, e);
      }
    }

    /** The decompressed bytes of a response. */
    private InputStream body(AnswerBody answer) throws IOException {
      if (!"gzip".equalsIgnoreCase(sent.join().header("Content-Encoding"))) {
        return answer;
      }
      try {
        return new GZIPInputStream(answer, BUFFER);
      } catch (IOException e) {
        answer.close();
        throw e;
      }
    }

    private AnswerBody await(Duration limit) throws ClusterException, InterruptedException {
      try {
        HttpResponse<AsyncBody> response = sent.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        body.begin(response.body());
        if (!response.request().uri().toString().startsWith(base + "/")) {
          body.close();
          throw new ClusterException(
              "%s: the API server redirected the request to another server, %s: connect with"
                      .formatted(request, host(response.request().uri()))
                  + " ClusterConnection, which does not follow redirects",
              ClusterException.NO_ANSWER,
              null);
        }
        if (response.isSuccessful()) {
          body.limit(limit);
          return body;
        }
        body.limit(patience);
        throw refused(response.code());
      } catch (TimeoutException e) {
        throw late(e);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw cause instanceof HttpTimeoutException ? late(cause) : unanswered(request, cause);
      } catch (InterruptedException e) {
        cancel();
        throw e;
      }
    }

    private ClusterException refused(int code) throws InterruptedException {
      String detail = "";
      try (InputStream answer = body(body)) {
        detail = statusMessage(answer.readNBytes(MAX_ERROR_BODY));
      } catch (InterruptedIOException e) {
        throw interrupted(e);
      } catch (IOException e) {
        detail = describe(e);
      }
      return new ClusterException("%s: %s".formatted(request, refusal(code, detail)), code, null);
    }

    private ClusterException late(Throwable cause) {
      cancel();
      return new ClusterException(
          "%s: no response from %s within %d s".formatted(request, base, patience.toSeconds()),
          ClusterException.NO_ANSWER,
          cause);
    }

    /** Cancels the request: its response is no longer needed. */
    void cancel() {
      if (!sent.cancel(true) && !sent.isCompletedExceptionally()) {
        sent.join().body().cancel();
      }
    }
  }

  /** Sends a GET request for a page of a list, whose response the caller awaits or cancels. */
  Pending begin(String path) {
    return new Pending(
        "GET",
        path,
        http,
        http.newHttpRequestBuilder().header("Accept-Encoding", "gzip"),
        patience);
  }

  private CompletableFuture<HttpResponse<AsyncBody>> begin(
      HttpClient client, HttpRequest.Builder request, String path, AnswerBody body) {
    try {
      return client.consumeBytes(
          request.uri(base + path).header("Accept", "application/json").build(), body);
    } catch (RuntimeException e) { // a token that is not a valid header, or failing credentials
      return CompletableFuture.failedFuture(e);
    }
  }

  private static String host(URI uri) {
    return Printable.line(uri.getHost() + ":" + uri.getPort());
  }

  /** Sends a GET request for a small document; null if the server responds with 404. */
  @Nullable JsonNode document(String path) throws ClusterException, InterruptedException {
    try {
      return MAPPER.readTree(read(path));
    } catch (ClusterException e) {
      if (e.status() == 404) {
        return null;
      }
      throw e;
    } catch (IOException e) {
      throw unanswered("GET " + path, e);
    }
  }

  /** The failure of a request whose response ended early, or never arrived. */
  ClusterException unanswered(String request, Throwable cause) {
    return new ClusterException(
        "%s: %s".formatted(request, failure(base, cause)),
        ClusterException.NO_ANSWER,
        isNoRequest(cause) ? null : cause);
  }

  /** Whether the HTTP client refused to send the request: its message then has the whole token. */
  private static boolean isNoRequest(Throwable cause) {
    Throwable below = cause.getCause();
    return (cause instanceof IllegalArgumentException
            && !(cause instanceof UnresolvedAddressException))
        || (below != null && below != cause && isNoRequest(below));
  }

  /** The message for a request without a complete response. */
  static String failure(String base, Throwable cause) {
    if (isNoRequest(cause)) {
      return "cannot send requests to %s: its address, the token or another header has characters"
              .formatted(base)
          + " that HTTP does not allow, for example a line break";
    } else if (cause instanceof JsonEOFException || cause instanceof EOFException) {
      return "the response of %s ended too early".formatted(base);
    } else if (cause instanceof JsonProcessingException) {
      return "%s returned a response that is not JSON: check the address; a proxy or a login page"
              .formatted(base)
          + " may be answering instead of the API server";
    } else if (cause instanceof SSLException) {
      return "TLS connection to %s failed: %s; if the certificate is not trusted, check"
              .formatted(base, describe(cause))
          + " certificate-authority in the kubeconfig file";
    }
    String said = describe(cause);
    return said.contains(GOAWAY)
        ? "%s closed the connection (%s): it may have refused the credentials (401)"
            .formatted(base, said)
        : "%s does not answer: %s".formatted(base, said);
  }

  /** The message for a response with an error status. */
  static String refusal(int code, String detail) {
    String said = detail.isEmpty() ? "HTTP status " + code : detail;
    return switch (code) {
      case 301, 302, 303, 307, 308 ->
          "the API server redirects to another address; redirects are not followed (%d)"
              .formatted(code);
      case 401 -> "the server refused the credentials (401): " + said;
      case 403 -> "access is denied (403): " + said;
      case 429 -> "the API server is overloaded (429): " + said;
      default -> said + (detail.isEmpty() ? "" : " (" + code + ")");
    };
  }

  /** The message of a {@code Status}; for any other body, the beginning of its text. */
  private static String statusMessage(byte[] body) {
    try {
      JsonNode status = MAPPER.readTree(body);
      if (status != null && status.path("message").isTextual()) {
        return Printable.line(status.path("message").textValue());
      }
    } catch (JsonProcessingException e) {
      // for example the page of a proxy
    } catch (IOException e) {
      return describe(e);
    }
    return Printable.line(new String(body, StandardCharsets.UTF_8));
  }

  private static String describe(Throwable cause) {
    String message = cause.getMessage();
    Throwable below = cause.getCause();
    if (cause instanceof UnresolvedAddressException) {
      return "its host name cannot be resolved";
    } else if (cause instanceof ClosedChannelException) {
      return "no connection (refused or unreachable)"; // the JDK's client does not distinguish
      // these
    }
    if (message == null && below != null && below != cause) {
      return describe(below);
    }
    return message == null ? cause.getClass().getSimpleName() : Printable.line(message);
  }
}
