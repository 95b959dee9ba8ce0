package io.dra4j.dranet.cloud;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The metadata service of a cloud over HTTP, past all proxies and without following where it is
 * sent. An answer has two seconds and 1 MiB. Thread-safe.
 */
public final class HttpMetadata implements MetadataPort {

  /** Where clouds have their service: {@code http://169.254.169.254}. */
  public static final URI LINK_LOCAL = URI.create("http://169.254.169.254");

  private static final Duration TIME = Duration.ofSeconds(2);
  private static final int MOST = 1 << 20;

  private final URI service;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(TIME)
          .proxy(HttpClient.Builder.NO_PROXY)
          .followRedirects(HttpClient.Redirect.NEVER)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  private HttpMetadata(URI service) {
    this.service = service;
  }

  /**
   * Makes a port; nothing is asked yet.
   *
   * @param service scheme, host and port of the service, for example {@link #LINK_LOCAL}
   * @return the port
   */
  public static HttpMetadata at(URI service) {
    return new HttpMetadata(service);
  }

  @Override
  public Optional<String> ask(String method, String path, Map<String, String> headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service + path))
            .timeout(TIME)
            .method(method, HttpRequest.BodyPublishers.noBody());
    headers.forEach(request::header);
    String what = method + " " + service + path;
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request.build(), response -> new Bounded());
    try {
      HttpResponse<String> response = answer.get(TIME.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() == 404) {
        return Optional.empty();
      }
      if (response.statusCode() != 200) {
        throw new IOException(what + ": status " + response.statusCode());
      }
      return Optional.of(response.body());
    } catch (ExecutionException e) {
      throw new IOException(what + ": " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException(what + ": no answer within " + TIME.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(what + ": interrupted");
    } finally {
      answer.cancel(true);
    }
  }

  /** Gathers a body, and fails as soon as that is too long. */
  private static final class Bounded implements HttpResponse.BodySubscriber<String> {

    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer one : buffers) {
        if (bytes.size() + one.remaining() > MOST) {
          if (subscription != null) {
            subscription.cancel();
          }
          body.completeExceptionally(new IOException("the answer has over " + MOST + " bytes"));
          return;
        }
        byte[] part = new byte[one.remaining()];
        one.get(part);
        bytes.writeBytes(part);
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(bytes.toString(StandardCharsets.UTF_8));
    }
  }
}
