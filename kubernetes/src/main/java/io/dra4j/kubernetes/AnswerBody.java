package io.dra4j.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response, read while it arrives. All reads together wait for the server no longer
 * than the limit; after that, a read fails. Only requested bytes are in memory. One thread reads.
 * Any thread may close the body, which ends the request and a waiting read.
 */
final class AnswerBody extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {

  // Guarded by this.
  private final Deque<ByteBuffer> buffers = new ArrayDeque<>();
  private long limit; // nanoseconds
  private long left; // of the limit
  private @Nullable AsyncBody source;
  private @Nullable Throwable failure;
  private boolean isAsked; // for more bytes, which have not arrived yet
  private boolean isEnded;
  private boolean isClosed;

  /** Limits the time that all reads together may wait from now on. */
  synchronized void limit(Duration all) {
    limit = all.toNanos();
    left = limit;
  }

  /** Starts the body: the head of the response has arrived. */
  @SuppressWarnings("FutureReturnValueIgnored") // end handles each outcome
  void begin(AsyncBody body) {
    synchronized (this) {
      source = body;
    }
    body.done().whenComplete((none, cause) -> end(cause));
  }

  private synchronized void end(@Nullable Throwable cause) {
    failure =
        cause instanceof CompletionException && cause.getCause() != null ? cause.getCause() : cause;
    isEnded = true;
    notifyAll();
  }

  @Override
  public synchronized void consume(List<ByteBuffer> more, AsyncBody body) {
    isAsked = false;
    if (!isClosed) {
      buffers.addAll(more);
      notifyAll();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    ByteBuffer next = next();
    if (next == null) {
      return -1;
    }
    int read = Math.min(length, next.remaining());
    next.get(to, offset, read);
    return read;
  }

  /** The next bytes to read; null at the end. */
  private @Nullable ByteBuffer next() throws IOException {
    while (true) {
      if (isClosed) {
        throw new IOException("the response was closed before its end");
      }
      ByteBuffer first = buffers.peek();
      if (first != null && first.hasRemaining()) {
        return first;
      } else if (first != null) {
        buffers.remove();
      } else if (isEnded) {
        if (failure != null) {
          throw failure instanceof IOException known ? known : new IOException(failure);
        }
        return null;
      } else {
        awaitMore();
      }
    }
  }

  private void awaitMore() throws IOException {
    if (!isAsked && source != null) {
      isAsked = true;
      source.consume(); // may call consume or end before it returns
      return;
    }
    if (left <= 0) {
      close();
      throw new IOException(
          "the rest of the response did not arrive within %d ms"
              .formatted(TimeUnit.NANOSECONDS.toMillis(limit)));
    }
    long begin = System.nanoTime();
    try {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the response was read");
    }
    left -= System.nanoTime() - begin;
  }

  @Override
  public void close() {
    AsyncBody body;
    synchronized (this) {
      isClosed = true;
      buffers.clear();
      body = source;
      notifyAll();
    }
    if (body != null) {
      body.cancel();
    }
  }
}
