package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a runtime tells Prometheus and the probes of the kubelet. */
class RuntimeEndpointTest {

  @TempDir Path directory;
  private LampDriver driver;
  private DriverRuntime runtime;
  private InetSocketAddress address;

  @BeforeEach
  void open() throws Exception {
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
    runtime = runtime(directory.resolve("store"), driver).build();
    address = runtime.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() {
    runtime.close();
  }

  private record Answer(int statusCode, String contentType, String body) {}

  private Answer ask(String method, String path) throws Exception {
    URI uri = URI.create("http://" + address.getHostString() + ":" + address.getPort() + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestMethod(method);
    int code = connection.getResponseCode();
    try (InputStream body =
        code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(
          code,
          String.valueOf(connection.getContentType()),
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void aRuntimeIsReadyOnceItIsStarted() throws Exception {
    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(503);
    assertThat(ask("GET", "/readyz").body()).startsWith("not ok\nthe runtime is starting\n");
    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(200);

    runtime.start();

    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/readyz").body()).isEqualTo("ok\n");
  }

  @Test
  void partsBesideTheRuntimeCount() throws Exception {
    runtime.start();
    AtomicReference<RuntimeHealth> part =
        new AtomicReference<>(new RuntimeHealth(true, false, List.of("no socket yet")));
    Supplier<RuntimeHealth> agent = part::get;
    runtime.addHealth(agent);

    assertThat(ask("GET", "/readyz")).isEqualTo(text(503, "not ok\nno socket yet\n"));
    assertThat(ask("GET", "/healthz")).isEqualTo(text(200, "ok\nno socket yet\n"));
    part.set(new RuntimeHealth(true, true, List.of("a server is away")));
    assertThat(ask("GET", "/readyz")).isEqualTo(text(200, "ok\na server is away\n"));
    part.set(new RuntimeHealth(false, false, List.of("a thread has died")));
    assertThat(ask("GET", "/healthz")).isEqualTo(text(503, "not ok\na thread has died\n"));
    runtime.removeHealth(agent);
    assertThat(ask("GET", "/readyz")).isEqualTo(text(200, "ok\n"));
  }

  private static Answer text(int code, String body) {
    return new Answer(code, "text/plain; charset=utf-8", body);
  }

  @Test
  void metricsCountClaimsAndCalls() throws Exception {
    runtime.start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));

    Answer metrics = ask("GET", "/metrics");

    assertThat(metrics.contentType()).startsWith("text/plain");
    assertThat(metrics.body())
        .contains("dra4j_claims{state=\"prepared\"} 1.0")
        .contains("dra4j_claims{state=\"attached\"} 1.0")
        .contains("dra4j_store_quarantined 0.0");
  }

  @Test
  void whatIsNotTakenBackYetIsTold() throws Exception {
    runtime.start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    driver.fault =
        step -> {
          if (step.equals("undo lit a")) {
            throw DriverException.failed("no", null);
          }
        };
    assertThatThrownBy(() -> runtime.detach("uid-x", "s1")).isInstanceOf(ClaimException.class);

    assertThat(ask("GET", "/healthz").body())
        .contains("1 claims are not undone yet")
        .doesNotContain("uid-x");
    assertThat(runtime.health().problems()).anyMatch(one -> one.contains("uid-x"));
    assertThat(ask("GET", "/metrics").body()).contains("dra4j_claims{state=\"pending\"} 1.0");
    driver.fault = step -> {};
  }

  @Test
  void whoSendsHalfARequestKeepsNobodyFromAsking() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) { // more than there are threads
        Socket socket = new Socket(address.getAddress(), address.getPort());
        silent.add(socket);
        socket.getOutputStream().write("GET /me".getBytes(StandardCharsets.US_ASCII));
      }

      assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(200);
      for (Socket socket : silent) {
        assertThat(ended(socket)).isTrue();
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** Whether the other side closes a connection. */
  private static boolean ended(Socket socket) throws IOException {
    socket.setSoTimeout(60_000);
    try {
      while (socket.getInputStream().read() >= 0) {}
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) { // reset
      return true;
    }
    return true;
  }

  @Test
  void otherPathsAndMethodsAreRefused() throws Exception {
    assertThat(ask("GET", "/healthz/x").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/").statusCode()).isEqualTo(404);
    assertThat(ask("POST", "/metrics").statusCode()).isEqualTo(405);
    assertThat(ask("HEAD", "/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void anAddressInUseIsNamed() throws Exception {
    LampDriver other = new LampDriver(directory.resolve("lamps"), "a");
    try (DriverRuntime second = runtime(directory.resolve("second"), other).build()) {
      assertThatThrownBy(() -> second.serve(address))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining("" + address.getPort());
    }
    assertThatThrownBy(() -> runtime.serve(address)).isInstanceOf(IllegalStateException.class);
  }
}
