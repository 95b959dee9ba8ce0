package io.dra4j.dranet.cloud;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An HTTP client without proxies and redirects; bounds time and, to 1 MiB, size. Thread-safe. */
final class BoundedHttp {

  private static final int MOST = 1 << 20;

  private final Duration time;
  private final HttpClient client;

  /** Creates a client with a time limit of a whole response. */
  BoundedHttp(Duration time) {
    this.time = time;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(time)
            .proxy(HttpClient.Builder.NO_PROXY)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /**
   * Sends one request, whose time limit this method sets, and returns the response with any status.
   *
   * @param what a description of the request, for messages
   * @throws IOException if no response arrives in time, or it is too long
   */
  HttpResponse<String> send(HttpRequest.Builder request, String what) throws IOException {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request.timeout(time).build(), response -> new Bounded());
    try {
      return answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(what + ": " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException(what + ": no response within " + time.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(what + ": interrupted");
    } finally {
      answer.cancel(true);
    }
  }

  /** Collects a body, and fails as soon as it is too long. */
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
          body.completeExceptionally(
              new IOException("the response has more than " + MOST + " bytes"));
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
