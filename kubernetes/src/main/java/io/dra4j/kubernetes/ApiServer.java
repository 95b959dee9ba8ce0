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
 * Requests to the API server as bytes. Credentials, TLS and proxies are those of the {@link
 * KubernetesClient}, and so are repetitions of single requests that read. Requests that write are
 * sent once: one that was given up is not sent again behind the caller. Every answer but that of a
 * watch ends in bounded time. Thread-safe.
 */
final class ApiServer {

  /** As much of an error's body is read, in bytes. */
  private static final int MAX_ERROR_BODY = 64 * 1024;

  /** How long the head of an answer is waited for, and a small answer as a whole. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What an HTTP/2 server ends a connection with. */
  private static final String GOAWAY = "GOAWAY";

  /** How long the server is waited for within a page of a list: it ends a request then, too. */
  private static final Duration PAGE_PATIENCE = Duration.ofSeconds(60);

  /** The server is asked to end a watch; the reader closes one that does not end. */
  private static final Duration UNLIMITED = Duration.ofDays(1);

  /** So many compressed bytes are read at once. */
  private static final int BUFFER = 16 * 1024;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final HttpClient http;
  private final HttpClient once; // does not repeat a request
  private final Duration patience;
  private final Duration pagePatience;
  private final String base;

  /**
   * Makes requests with a client.
   *
   * @param client the client, which the caller closes
   */
  ApiServer(KubernetesClient client) {
    this(client, PATIENCE, PAGE_PATIENCE);
  }

  /**
   * Makes requests with a client.
   *
   * @param patience how long the head of an answer is waited for, and a small answer as a whole
   * @param pagePatience how long all reads of a page of a list may wait for the server
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
   * Sends a GET request for a watch, whose body comes for as long as the server likes.
   *
   * @param path path and query
   * @return the body of a successful answer; the caller closes it
   * @throws ClusterException if the server refuses, or does not begin to answer in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  InputStream get(String path) throws ClusterException, InterruptedException {
    return new Pending("GET", path, http, http.newHttpRequestBuilder(), patience).await(UNLIMITED);
  }

  /**
   * Reads a small document.
   *
   * @param path path and query, for example {@code /api/v1/nodes/node-1}
   * @return the body of a successful answer, of {@link RawObject#MAX_BYTES} at most
   * @throws ClusterException if the server refuses, or the answer is not whole in time
   * @throws InterruptedException if the calling thread is interrupted
   */
  byte[] read(String path) throws ClusterException, InterruptedException {
    return whole("GET", path, http, http.newHttpRequestBuilder());
  }

  /**
   * Sends a request that changes something, once.
   *
   * @param method {@code POST}, {@code PUT}, {@code PATCH} or {@code DELETE}
   * @param path path and query
   * @param contentType the type of the body
   * @param body the body
   * @return the body of a successful answer, of {@link RawObject#MAX_BYTES} at most
   * @throws ClusterException if the server refuses, or the answer is not whole in time: it may have
   *     made the change then
   * @throws InterruptedException if the calling thread is interrupted
   */
  byte[] write(String method, String path, String contentType, String body)
      throws ClusterException, InterruptedException {
    return whole(
        method, path, once, once.newHttpRequestBuilder().method(method, contentType, body));
  }

  /** The one place that reads an answer as a whole: within bounds of time and bytes. */
  private byte[] whole(String method, String path, HttpClient client, HttpRequest.Builder request)
      throws ClusterException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    request.timeout(patience.toMillis(), TimeUnit.MILLISECONDS); // which ends the exchange
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
          "%s %s: the answer is larger than %d bytes".formatted(method, path, RawObject.MAX_BYTES),
          ClusterException.NO_ANSWER,
          null);
    }
    return bytes;
  }

  private static InterruptedException interrupted(InterruptedIOException cause) {
    Thread.interrupted(); // which the exception says from here on
    InterruptedException interrupted = new InterruptedException(cause.getMessage());
    interrupted.initCause(cause);
    return interrupted;
  }

  /** A request that was sent, and whose answer is awaited later. */
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

    /** The body of a successful answer; the caller closes it. */
    InputStream await() throws ClusterException, InterruptedException {
      try {
        return body(await(pagePatience));
      } catch (InterruptedIOException e) {
        throw interrupted(e);
      } catch (IOException e) {
        throw unanswered(request, e);
      }
    }

    /** The bytes of an answer, which the request may have allowed to be compressed. */
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
              "%s: the answer is of another server, %s, to which the API server redirects: connect by"
                      .formatted(request, host(response.request().uri()))
                  + " ClusterConnection, which follows no redirect",
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
          "%s: no answer from %s within %d s".formatted(request, base, patience.toSeconds()),
          ClusterException.NO_ANSWER,
          cause);
    }

    /** The answer is not needed any more, and the request is not repeated. */
    void cancel() {
      if (!sent.cancel(true) && !sent.isCompletedExceptionally()) {
        sent.join().body().cancel();
      }
    }
  }

  /**
   * Sends a GET request for a page of a list, and does not wait.
   *
   * @param path path and query, for example {@code /api/v1/nodes?limit=500}
   * @return the request; its answer is awaited or cancelled
   */
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
    } catch (RuntimeException e) { // a token that is no header, or credentials that fail
      return CompletableFuture.failedFuture(e);
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

  /** The failure of a request whose answer ended too early, or never came. */
  ClusterException unanswered(String request, Throwable cause) {
    return new ClusterException(
        "%s: %s".formatted(request, failure(base, cause)),
        ClusterException.NO_ANSWER,
        isNoRequest(cause) ? null : cause);
  }

  /** Whether the HTTP client refuses to send the request: its text then has the whole token. */
  private static boolean isNoRequest(Throwable cause) {
    Throwable below = cause.getCause();
    return (cause instanceof IllegalArgumentException
            && !(cause instanceof UnresolvedAddressException))
        || (below != null && below != cause && isNoRequest(below));
  }

  /** What a request without a whole answer means to the person who runs the command. */
  static String failure(String base, Throwable cause) {
    if (isNoRequest(cause)) {
      return "no request can be sent to %s: its address, the token or another header has characters"
              .formatted(base)
          + " that HTTP does not allow, a line break for example";
    } else if (cause instanceof JsonEOFException || cause instanceof EOFException) {
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
    String said = describe(cause);
    return said.contains(GOAWAY)
        ? "%s ended the connection (%s), as it does when it refuses the credentials (401)"
            .formatted(base, said)
        : "%s does not answer: %s".formatted(base, said);
  }

  /** What an answer with an error status means to the person who runs the command. */
  static String refusal(int code, String detail) {
    String said = detail.isEmpty() ? "HTTP status " + code : detail;
    return switch (code) {
      case 301, 302, 303, 307, 308 ->
          "the API server redirects to another address, which is not asked (%d)".formatted(code);
      case 401 -> "the server refused the credentials (401): " + said;
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
