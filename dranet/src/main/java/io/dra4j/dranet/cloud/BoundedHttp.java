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

/**
 * HTTP past all proxies and without following where it is sent; an answer has a time and 1 MiB.
 * Thread-safe.
 */
final class BoundedHttp {

  private static final int MOST = 1 << 20;

  private final Duration time;
  private final HttpClient client;

  /**
   * Makes a client.
   *
   * @param time how long a whole answer may take
   */
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
   * Asks once.
   *
   * @param request the request; its time is set here
   * @param what the request, for messages
   * @return the answer, whatever its status
   * @throws IOException if there is none in time, or it is too long
   */
  HttpResponse<String> send(HttpRequest.Builder request, String what) throws IOException {
    CompletableFuture<HttpResponse<String>> answer =
        client.sendAsync(request.timeout(time).build(), response -> new Bounded());
    try {
      return answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(what + ": " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException(what + ": no answer within " + time.toSeconds() + " s", e);
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
