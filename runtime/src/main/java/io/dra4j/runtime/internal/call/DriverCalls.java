package io.dra4j.runtime.internal.call;

import io.dra4j.spi.DriverException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls drivers. It interrupts a call that takes too long, converts all exceptions to failures, and
 * measures calls. Thread-safe.
 */
public final class DriverCalls implements AutoCloseable {

  /** A call of a driver. */
  public interface Call<T> {
    T run() throws DriverException;
  }

  private record Running(String text, long begunNanos) {}

  private static final Logger LOG = LoggerFactory.getLogger(DriverCalls.class);

  private final Duration limit;
  private final MeterRegistry metrics;
  private final ScheduledExecutorService watchdog;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Running> running = new ConcurrentHashMap<>();

  public DriverCalls(Duration limit, Gauges gauges) {
    this.limit = limit;
    this.metrics = gauges.registry();
    this.watchdog =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "dra4j-watchdog");
              thread.setDaemon(true);
              return thread;
            });
    gauges.add("dra4j.calls.running", Tags.empty(), running, Map::size);
  }

  /** Calls a driver for a list. Returns a copy, and fails if the list has nulls. */
  public <T> List<T> callForList(String driver, String call, Call<List<T>> work)
      throws DriverException {
    return call(
        driver,
        call,
        () -> {
          List<T> answer = work.run();
          if (answer == null) {
            throw bug(call, "returned null", null);
          }
          List<T> copy = new ArrayList<>();
          for (T one : answer) {
            if (one == null) {
              throw bug(call, "returned a list with null at index " + copy.size(), null);
            }
            copy.add(one);
          }
          return List.copyOf(copy);
        });
  }

  private static DriverException bug(String call, String did, @Nullable Throwable cause) {
    return DriverException.failed("the driver has a bug: %s %s".formatted(call, did), cause);
  }

  /** Calls a driver on the calling thread, with the default time limit. */
  public <T> T call(String driver, String call, Call<T> work) throws DriverException {
    return call(driver, call, limit, work);
  }

  /** Calls a driver on the calling thread with a time limit; fails without a call if it is 0. */
  public <T> T call(String driver, String call, Duration limit, Call<T> work)
      throws DriverException {
    if (limit.isZero()) {
      throw DriverException.unavailable(
          "%s of %s could not start before the deadline; call again".formatted(call, driver));
    }
    long begun = System.nanoTime();
    Long number = numbers.incrementAndGet();
    running.put(number, new Running(call + " of " + driver, begun));
    Interrupter interrupter = new Interrupter(Thread.currentThread());
    ScheduledFuture<?> alarm =
        watchdog.schedule(interrupter, limit.toNanos(), TimeUnit.NANOSECONDS);
    String outcome = "failed";
    try {
      T answer = work.run();
      if (answer == null) {
        throw bug(call, "returned null", null);
      }
      outcome = "done";
      return answer;
    } catch (DriverException e) {
      throw interrupter.hasFired() ? tooLong(driver, call, limit, e) : e;
    } catch (Throwable e) { // also undeclared checked exceptions, as Kotlin throws them
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.atError()
          .addKeyValue("driver", driver)
          .addKeyValue("call", call)
          .setCause(e)
          .log("a driver threw an exception that its interface does not allow");
      throw interrupter.hasFired() ? tooLong(driver, call, limit, e) : bug(call, "threw " + e, e);
    } finally {
      alarm.cancel(false);
      interrupter.end();
      running.remove(number);
      timer(driver, call, outcome).record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
    }
  }

  private Timer timer(String driver, String call, String outcome) {
    return Timer.builder("dra4j.calls")
        .tag("driver", driver)
        .tag("call", call)
        .tag("outcome", outcome)
        .publishPercentileHistogram()
        .register(metrics);
  }

  private static DriverException tooLong(String driver, String call, Duration limit, Throwable e) {
    return DriverException.failed(
        "%s of %s took longer than %d ms: %s"
            .formatted(call, driver, limit.toMillis(), e.getMessage()),
        e);
  }

  /** Returns the calls that run far beyond their limit although they were interrupted. */
  public List<String> stuck() {
    return running(2 * limit.toNanos(), Long.MAX_VALUE)
        .map(one -> one.text() + " does not end")
        .toList();
  }

  /** Returns the calls that run beyond their limit and may still end. */
  public List<String> late() {
    return running(limit.toNanos(), 2 * limit.toNanos())
        .map(one -> "%s takes longer than %d ms".formatted(one.text(), limit.toMillis()))
        .toList();
  }

  private Stream<Running> running(long longerThan, long most) {
    long now = System.nanoTime();
    return running.values().stream()
        .filter(one -> now - one.begunNanos() > longerThan && now - one.begunNanos() <= most);
  }

  @Override
  public void close() {
    watchdog.shutdownNow();
  }

  /** Interrupts a thread, but only during the call. */
  private static final class Interrupter implements Runnable {

    private final Thread thread;
    private boolean ended;
    private boolean fired;

    private Interrupter(Thread thread) {
      this.thread = thread;
    }

    @Override
    public synchronized void run() {
      if (!ended) {
        fired = true;
        thread.interrupt();
      }
    }

    private synchronized boolean hasFired() {
      return fired;
    }

    private synchronized void end() {
      ended = true;
      if (fired) {
        Thread.interrupted(); // the interrupt was for the call; the thread does other work next
      }
    }
  }
}
