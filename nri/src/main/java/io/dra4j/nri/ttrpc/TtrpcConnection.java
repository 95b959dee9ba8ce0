package io.dra4j.nri.ttrpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dra4j.nri.wire.TtrpcRequest;
import io.dra4j.nri.wire.TtrpcResponse;
import io.dra4j.nri.wire.TtrpcStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The two ttrpc connections of a plugin in one socket: on the first one the runtime calls the
 * plugin, on the second one the plugin calls the runtime. Only the thread of {@link #run} reads;
 * any thread may send answers.
 */
public final class TtrpcConnection implements Closeable {
  /** The connection on which the runtime calls the plugin. */
  static final int PLUGIN_SERVICE = 1;

  /** The connection on which the plugin calls the runtime. */
  static final int RUNTIME_SERVICE = 2;

  static final int MAX_CALLS = 1024;
  static final long MAX_BYTES = 64L << 20;

  private static final long WRITE_SECONDS = 10;
  private static final int MAX_ERROR_TEXT = 8192;

  /** Receives calls on the reader thread, and must return at once. */
  @FunctionalInterface
  public interface Receiver {
    /** Receives a call, which is answered now or later. */
    void receive(Call call) throws IOException;
  }

  private final Mux mux;
  private final Closeable socket;
  private final ScheduledExecutorService watchdog;
  private final Receiver receiver;
  private final MessageAssembler requests = new MessageAssembler();
  private final MessageAssembler responses = new MessageAssembler();
  private final Map<Integer, Call> calls = new ConcurrentHashMap<>();
  private final Map<Integer, CompletableFuture<ByteString>> pending = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger nextStream = new AtomicInteger(1);

  /**
   * Creates a connection over open channels.
   *
   * @param socket the socket that {@link #close} closes
   * @param watchdog closes the socket when a write blocks for 10 s
   */
  public TtrpcConnection(
      ReadableByteChannel in,
      WritableByteChannel out,
      Closeable socket,
      ScheduledExecutorService watchdog,
      Receiver receiver) {
    this.mux = new Mux(in, out);
    this.socket = socket;
    this.watchdog = watchdog;
    this.receiver = receiver;
  }

  /**
   * Reads until the peer closes the connection.
   *
   * @throws ProtocolException if the peer breaks the protocol or a limit
   * @throws IOException if the socket fails or is closed
   */
  public void run() throws IOException {
    try {
      for (Mux.Part part = mux.read(); part != null; part = mux.read()) {
        if (part.connection() == PLUGIN_SERVICE) {
          requests.add(part.bytes());
          for (Message m = requests.next(); m != null; m = requests.next()) {
            request(m);
          }
        } else if (part.connection() == RUNTIME_SERVICE) {
          responses.add(part.bytes());
          for (Message m = responses.next(); m != null; m = responses.next()) {
            response(m);
          }
        } // Other connections are skipped: the Go implementation ignores connections that are not
        // open.
      }
    } finally {
      IOException ended = new IOException("the connection has ended");
      pending.values().forEach(future -> future.completeExceptionally(ended));
    }
  }

  /** Returns the number of calls that are not answered yet. */
  public int unanswered() {
    return calls.size();
  }

  private void request(Message message) throws IOException {
    String stream = Integer.toUnsignedString(message.stream());
    if (message.type() != Message.REQUEST) {
      throw new ProtocolException(
          "ttrpc stream %s: expected a request, found a message of type %d"
              .formatted(stream, message.type()));
    }
    if ((message.stream() & 1) == 0) {
      throw new ProtocolException(
          "ttrpc stream " + stream + ": expected an odd number for a stream of a client");
    }
    if (calls.containsKey(message.stream())) {
      throw new ProtocolException("ttrpc stream " + stream + " is already in use");
    }
    TtrpcRequest request;
    try {
      request = TtrpcRequest.parseFrom(message.data());
    } catch (InvalidProtocolBufferException e) {
      throw new ProtocolException(
          "ttrpc stream " + stream + ": the request cannot be read: " + e.getMessage());
    }
    Call call = new Call(message.stream(), request);
    calls.put(message.stream(), call);
    long held = bytes.addAndGet(call.size());
    if ((message.flags() & 2) != 0) {
      call.fail(StatusCode.UNIMPLEMENTED, "streams of several messages are not supported");
    } else if (calls.size() > MAX_CALLS || held > MAX_BYTES) {
      call.fail(
          StatusCode.RESOURCE_EXHAUSTED,
          "too many requests: %d of %d, %d of %d bytes"
              .formatted(calls.size(), MAX_CALLS, held, MAX_BYTES));
    } else {
      receiver.receive(call);
    }
  }

  private void response(Message message) throws ProtocolException {
    String stream = Integer.toUnsignedString(message.stream());
    CompletableFuture<ByteString> future = pending.remove(message.stream());
    if (message.type() != Message.RESPONSE || future == null) {
      throw new ProtocolException(
          "ttrpc stream %s: expected the response to a call, found a message of type %d"
              .formatted(stream, message.type()));
    }
    TtrpcResponse response;
    try {
      response = TtrpcResponse.parseFrom(message.data());
    } catch (InvalidProtocolBufferException e) {
      throw new ProtocolException(
          "ttrpc stream " + stream + ": the response cannot be read: " + e.getMessage());
    }
    if (response.getStatus().getCode() != 0) {
      future.completeExceptionally(
          new IOException(
              "the runtime answered with code %d: %s"
                  .formatted(response.getStatus().getCode(), response.getStatus().getMessage())));
    } else {
      future.complete(response.getPayload());
    }
  }

  /** Calls a method of the runtime. */
  public CompletableFuture<ByteString> call(
      String service, String method, ByteString payload, Duration timeout) throws IOException {
    int stream = nextStream.getAndAdd(2);
    CompletableFuture<ByteString> future = new CompletableFuture<>();
    pending.put(stream, future);
    TtrpcRequest request =
        TtrpcRequest.newBuilder()
            .setService(service)
            .setMethod(method)
            .setPayload(payload)
            .setTimeoutNano(timeout.toNanos())
            .build();
    write(RUNTIME_SERVICE, Message.encode(stream, Message.REQUEST, request.toByteArray()));
    return future;
  }

  private void write(int connection, byte[] message) throws IOException {
    Future<?> limit =
        watchdog.schedule(
            () -> {
              close();
              return true;
            },
            WRITE_SECONDS,
            TimeUnit.SECONDS);
    try {
      mux.write(connection, message);
    } finally {
      limit.cancel(false);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** A call of the runtime. The first answer counts; later ones are dropped. */
  public final class Call {
    private final int stream;
    private final TtrpcRequest request;
    private final AtomicBoolean answered = new AtomicBoolean();

    private Call(int stream, TtrpcRequest request) {
      this.stream = stream;
      this.request = request;
    }

    private int size() {
      return request.getPayload().size();
    }

    /** Returns the name of the service. */
    public String service() {
      return request.getService();
    }

    /** Returns the name of the method. */
    public String method() {
      return request.getMethod();
    }

    /** Returns the message of the method. */
    public ByteString payload() {
      return request.getPayload();
    }

    /** Returns the time that the caller waits, in nanoseconds; 0 if it is not known. */
    public long timeoutNanos() {
      return Math.max(0, request.getTimeoutNano());
    }

    /** Returns whether the call has its answer. */
    public boolean answered() {
      return answered.get();
    }

    /** Answers with a message. */
    public void succeed(ByteString payload) {
      TtrpcResponse response = TtrpcResponse.newBuilder().setPayload(payload).build();
      if (response.getSerializedSize() > Message.MAX_DATA) {
        fail(
            StatusCode.RESOURCE_EXHAUSTED,
            "the answer of %d bytes is longer than the limit of %d"
                .formatted(response.getSerializedSize(), Message.MAX_DATA));
      } else {
        answer(response);
      }
    }

    /** Answers with an error and the first 8192 characters of its text. */
    public void fail(StatusCode code, String text) {
      String sent = text.length() > MAX_ERROR_TEXT ? text.substring(0, MAX_ERROR_TEXT) : text;
      answer(
          TtrpcResponse.newBuilder()
              .setStatus(TtrpcStatus.newBuilder().setCode(code.number()).setMessage(sent))
              .build());
    }

    private void answer(TtrpcResponse response) {
      if (!answered.compareAndSet(false, true)) {
        return;
      }
      calls.remove(stream);
      bytes.addAndGet(-size());
      try {
        write(PLUGIN_SERVICE, Message.encode(stream, Message.RESPONSE, response.toByteArray()));
      } catch (IOException e) {
        try {
          close(); // The reader notices the end and reports the reason.
        } catch (IOException ignored) {
          // Closed nevertheless.
        }
      }
    }
  }
}
