package io.dra4j.nri;

import io.dra4j.nri.ttrpc.TtrpcConnection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Lets any bytes arrive at the socket of the container runtime. The connection ends with them or
 * with an {@link IOException} that has a message, each request is answered, and the answers are
 * messages of ttrpc. Jazzer finds the bytes; the entry point needs nothing of it.
 */
public final class ConnectionFuzzer {

  private static final long MOST_SECONDS = 5;

  private static final ScheduledExecutorService TIMERS =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "fuzz-timers");
            thread.setDaemon(true);
            return thread;
          });

  private static final Session.Threads THREADS =
      new Session.Threads(
          new FairPool("fuzz-control", 1, 1024),
          new FairPool("fuzz-handlers", 1, 1024),
          TIMERS,
          TIMERS);

  private ConnectionFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    TtrpcConnection connection =
        new TtrpcConnection(
            Channels.newChannel(new ByteArrayInputStream(input)),
            Channels.newChannel(answers),
            () -> {},
            TIMERS,
            new Session(new Naming(), THREADS, () -> {}));
    try {
      connection.run();
    } catch (IOException e) {
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new AssertionError("a failure without a message", e);
      }
    }
    awaitAnswers(connection);
    checkAnswers(ByteBuffer.wrap(answers.toByteArray()));
  }

  private static void awaitAnswers(TtrpcConnection connection) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (connection.unanswered() > 0) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(connection.unanswered() + " calls have no answer");
      }
      Thread.onSpinWait();
    }
    CountDownLatch written = new CountDownLatch(3); // each thread has written its last answer
    THREADS.control().submit("end", written::countDown);
    THREADS.handlers().submit("end", written::countDown);
    TIMERS.execute(written::countDown);
    try {
      if (!written.await(MOST_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("an answer is not written");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void checkAnswers(ByteBuffer frames) {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    while (frames.hasRemaining()) {
      if (frames.getInt() != 1) {
        throw new AssertionError("a frame for a connection on which nothing was asked");
      }
      byte[] frame = new byte[frames.getInt()];
      frames.get(frame);
      messages.writeBytes(frame);
    }
    ByteBuffer answers = ByteBuffer.wrap(messages.toByteArray());
    while (answers.hasRemaining()) {
      int length = answers.getInt();
      answers.getInt(); // the stream
      int type = answers.get();
      if (type != 2) {
        throw new AssertionError("a message of type " + type + " as an answer");
      }
      answers.position(answers.position() + 1 + length);
    }
  }

  /** Answers with what a pod and a container say of themselves. */
  private static final class Naming implements NriHandler {

    @Override
    public List<ContainerUpdate> synchronize(List<PodSandbox> pods, List<NriContainer> containers) {
      return containers.stream()
          .map(
              one ->
                  new ContainerUpdate(
                      one.id(), Optional.of("0"), Optional.empty(), OptionalLong.empty(), true))
          .toList();
    }

    @Override
    public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container) {
      return ContainerAdjustment.builder()
          .annotation(pod.namespace(), pod.name())
          .env("CONTAINER", container.toString())
          .build();
    }
  }
}
