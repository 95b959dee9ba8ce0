package io.dra4j.runtime;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Answers {@code /metrics} for Prometheus, {@code /healthz} and {@code /readyz} for the kubelet's
 * probes: 200 or 503, with the problems as text.
 */
final class RuntimeEndpoint implements AutoCloseable {

  private static final int BACKLOG = 16;
  private static final int THREADS = 32;
  private static final long LIMIT_SECONDS = 3;

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService watchdog;

  RuntimeEndpoint(
      InetSocketAddress address, Supplier<String> metrics, Supplier<RuntimeHealth> health)
      throws IOException {
    server = HttpServer.create(address, BACKLOG);
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            LIMIT_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> daemon(work, "dra4j-endpoint"));
    threads.allowCoreThreadTimeOut(true);
    watchdog =
        Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "dra4j-endpoint-limit"));
    server.setExecutor(work -> threads.execute(() -> withinLimit(work)));
    server.createContext(
        "/metrics",
        exchange ->
            answer(exchange, "/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", metrics));
    server.createContext(
        "/healthz",
        exchange -> {
          RuntimeHealth now = health.get();
          probe(exchange, "/healthz", now.isLive(), now);
        });
    server.createContext(
        "/readyz",
        exchange -> {
          RuntimeHealth now = health.get();
          probe(exchange, "/readyz", now.isReady(), now);
        });
    server.start();
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Runs an exchange with a time limit. An exchange occupies its thread from the first byte of the
   * request. If the client stops sending, the thread is interrupted, which closes the connection.
   */
  private void withinLimit(Runnable exchange) {
    Thread thread = Thread.currentThread();
    ScheduledFuture<?> alarm =
        watchdog.schedule(thread::interrupt, LIMIT_SECONDS, TimeUnit.SECONDS);
    try {
      exchange.run();
    } finally {
      alarm.cancel(false);
    }
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  private static void probe(
      HttpExchange exchange, String path, boolean isWell, RuntimeHealth health) throws IOException {
    String text =
        (isWell ? "ok\n" : "not ok\n")
            + String.join("", health.problems().stream().map(one -> one + "\n").toList());
    answer(exchange, path, isWell ? 200 : 503, "text/plain; charset=utf-8", () -> text);
  }

  /**
   * Sends a response. A context also gets requests for paths below its path, which do not exist.
   */
  private static void answer(
      HttpExchange exchange, String path, int code, String type, Supplier<String> text)
      throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!exchange.getRequestURI().getPath().equals(path)) {
        exchange.sendResponseHeaders(404, -1);
      } else if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        exchange.sendResponseHeaders(405, -1);
      } else {
        byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        if (method.equals("HEAD")) {
          exchange.sendResponseHeaders(code, -1);
        } else {
          exchange.sendResponseHeaders(code, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    watchdog.shutdownNow();
  }
}
