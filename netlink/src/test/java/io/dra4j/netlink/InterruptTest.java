package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.NativeAccess;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Waiting ends when the thread is interrupted, and nothing else does. */
class InterruptTest {

  /** The kinds of threads that this JVM has: virtual ones from 21 on. */
  private enum Kind {
    PLATFORM,
    VIRTUAL;

    Thread start(Runnable work) throws ReflectiveOperationException {
      if (this == PLATFORM) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
      }
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
    }
  }

  static List<Kind> kinds() {
    return Runtime.version().feature() >= 21
        ? List.of(Kind.PLATFORM, Kind.VIRTUAL)
        : List.of(Kind.PLATFORM);
  }

  /** What became of a wait, and whether the thread was interrupted afterwards. */
  private record End(Exception failure, boolean interrupted) {}

  private static CompletableFuture<End> end(Kind kind, CompletableFuture<Thread> who, Wait wait)
      throws ReflectiveOperationException {
    CompletableFuture<End> end = new CompletableFuture<>();
    Thread thread =
        kind.start(
            () -> {
              try {
                wait.run();
                end.completeExceptionally(new AssertionError("no exception"));
              } catch (IOException | RuntimeException e) {
                end.complete(new End(e, Thread.currentThread().isInterrupted()));
              }
            });
    who.complete(thread);
    return end;
  }

  /** Something that waits. */
  @FunctionalInterface
  private interface Wait {
    void run() throws IOException;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitForNotificationsEndsAndTheSocketCanBeUsed(Kind kind) throws Exception {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE)) {
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      CompletableFuture<End> end =
          end(kind, thread, () -> socket.receive(Duration.ofHours(1), message -> {}));
      Thread.sleep(50); // nearly always it waits then; before that, an interrupt counts as well
      thread.get().interrupt();

      End seen = end.get(30, TimeUnit.SECONDS);
      assertThat(seen.failure())
          .isInstanceOf(NetlinkException.Interrupted.class)
          .hasMessage("receive notifications: interrupted while waiting");
      assertThat(seen.interrupted()).isTrue();
      assertThat(socket.receive(Duration.ofMillis(1), message -> {})).isFalse();
    }
  }

  /** Newer JDKs wake who waits after it may have gone on, and have closed what it waited for. */
  @ParameterizedTest
  @MethodSource("kinds")
  void whoClosesTheSocketAtOnceDoesNotDisturbWhoInterrupts(Kind kind) throws Exception {
    for (int round = 0; round < 1_000; round++) {
      NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE);
      CountDownLatch started = new CountDownLatch(1);
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      CompletableFuture<End> end =
          end(
              kind,
              thread,
              () -> {
                started.countDown();
                try (socket) {
                  socket.receive(Duration.ofHours(1), message -> {});
                }
              });
      started.await();

      thread.get().interrupt();

      assertThat(end.get(30, TimeUnit.SECONDS).failure())
          .isInstanceOf(NetlinkException.Interrupted.class);
    }
  }

  /** The kernel's answers, and when somebody begins to wait for one: he has the socket then. */
  private static final class Watched extends OverTransport {

    private final CountDownLatch waiting;

    private Watched(CountDownLatch waiting) throws TransportException {
      super(KernelTransport.open(NativeAccess.system(), NetlinkSocket.ROUTE));
      this.waiting = waiting;
    }

    @Override
    public ByteBuffer receive(long nanoseconds) throws TransportException {
      waiting.countDown();
      return super.receive(nanoseconds);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitForTheSocketOfAnotherEnds(Kind kind) throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(new Watched(waiting)));
    CompletableFuture<End> holder =
        end(
            Kind.PLATFORM,
            new CompletableFuture<>(),
            () -> route.socket().receive(Duration.ofHours(1), message -> {}));
    waiting.await();
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    CompletableFuture<End> end = end(kind, thread, () -> route.links().list());
    thread.get().interrupt(); // before it waits an interrupt counts as well

    assertThat(end.get(30, TimeUnit.SECONDS).failure())
        .isInstanceOf(NetlinkException.Interrupted.class)
        .hasMessage("list links: interrupted while waiting");
    route.close();
    assertThat(holder.get(30, TimeUnit.SECONDS).failure())
        .isInstanceOf(NetlinkException.Closed.class);
  }

  @Test
  void anInterruptedThreadCanStillAsk() throws IOException {
    try (RouteNetlink route = RouteNetlink.open()) {
      Thread.currentThread().interrupt();

      assertThat(route.links().list()).isNotEmpty();
      assertThatExceptionOfType(NetlinkException.Interrupted.class)
          .isThrownBy(() -> route.socket().receive(Duration.ofHours(1), message -> {}));
      assertThat(route.links().list()).isNotEmpty();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void manyVirtualThreadsGetTheirOwnAnswers() throws Exception {
    List<Kind> kinds = kinds();
    Kind kind = kinds.get(kinds.size() - 1);
    try (RouteNetlink shared = RouteNetlink.open()) {
      List<Integer> expected = shared.links().list().stream().map(link -> link.index()).toList();
      List<CompletableFuture<List<Integer>>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        boolean own = i % 2 == 0;
        CompletableFuture<List<Integer>> answer = new CompletableFuture<>();
        kind.start(
            () -> {
              try (RouteNetlink route = own ? RouteNetlink.open() : null) {
                RouteNetlink used = route == null ? shared : route;
                answer.complete(used.links().list().stream().map(link -> link.index()).toList());
              } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
              }
            });
        answers.add(answer);
      }
      for (CompletableFuture<List<Integer>> answer : answers) {
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(expected);
      }
    }
  }
}
