package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.spi.DriverException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An entry of a claim that cannot be read is never a success. */
class DamagedClaimTest {

  @TempDir private Path directory;
  private Path store;
  private LampDriver driver;
  private @Nullable DriverRuntime started;

  @BeforeEach
  void makeDriver() throws Exception {
    store = directory.resolve("store");
    driver = new LampDriver(Files.createDirectory(directory.resolve("lamps")), "a", "b");
    DriverRuntime runtime = start();
    runtime.prepare(claim("x", "a"));
    runtime.attach("uid-x", sandbox("s1", "p1"));
    runtime.prepare(claim("y", "b"));
    runtime.close();
    driver.calls.clear();
  }

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  private DriverRuntime start() throws Exception {
    stop();
    DriverRuntime made = runtime(store, driver).build();
    started = made;
    made.start();
    return made;
  }

  private void damage(String sql) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE step SET name = name || 'x' WHERE uid = 'uid-x' AND sandbox = 's1'",
        "UPDATE step SET checksum = 0 WHERE uid = 'uid-x' AND sandbox = ''",
        "UPDATE attachment SET document = '{' WHERE uid = 'uid-x'",
        "UPDATE claim SET document = replace(document, 'red', 'rad') WHERE uid = 'uid-x'",
        "DELETE FROM claim WHERE uid = 'uid-x'"
      })
  void aDamagedClaimIsReportedAndNeverUnpreparedWell(String sql) throws Exception {
    damage(sql);
    for (int i = 0; i < 2; i++) { // over restarts, too
      DriverRuntime runtime = start();
      assertThat(runtime.health().isReady()).isFalse();
      assertThat(runtime.health().isLive()).isTrue();
      assertThat(runtime.health().problems())
          .anyMatch(
              one -> one.startsWith("claim uid-x of driver lamp.example.com is quarantined: "));
      assertThatThrownBy(() -> runtime.unprepare("uid-x"))
          .isInstanceOf(ClaimException.class)
          .hasMessageContaining("is damaged")
          .hasMessageContaining("bring them back by hand");
      assertThatThrownBy(() -> runtime.unprepare("uid-x", LampDriver.NAME, Deadline.none()))
          .hasMessageContaining("is damaged");
      assertThatThrownBy(() -> runtime.prepare(claim("x", "a"))).hasMessageContaining("is damaged");
      assertThatThrownBy(() -> runtime.attach("uid-x", sandbox("s2", "p1")))
          .isInstanceOf(ClaimException.class);
      assertThatThrownBy(() -> runtime.detach("uid-x", "s1")).hasMessageContaining("is damaged");
    }
    DriverRuntime runtime = start();
    runtime.unprepare("uid-y"); // others are served
    runtime.forget("uid-x", LampDriver.NAME);
    assertThat(runtime.health().isReady()).isTrue();
    runtime.unprepare("uid-x");
    runtime.prepare(claim("x", "a"));
    DriverRuntime next = start();
    assertThat(next.health().isReady()).isTrue();
    assertThat(next.claims()).extracting(StoredClaim::uid).containsExactly("uid-x");
  }

  @Test
  void aDriverGivesBackWhatItHoldsElsewhereForAForgottenClaim() throws Exception {
    DriverRuntime runtime = start();
    runtime.forget("uid-x", LampDriver.NAME);
    driver.fault =
        step -> {
          throw DriverException.failed("the pool is out of reach", null);
        };
    runtime.forget("uid-y", LampDriver.NAME);
    assertThat(runtime.claims()).isEmpty();
    assertThat(driver.calls)
        .filteredOn(one -> !one.startsWith("resume"))
        .containsExactly("forget x [on a]", "forget y [on b]");
    assertThat(driver.state()).contains("lit-a", "on-a", "on-b"); // nothing is undone
  }

  @Test
  void whatCanBeReadIsTakenBack() throws Exception {
    damage("UPDATE step SET checksum = 0 WHERE uid = 'uid-x' AND sandbox = ''");
    DriverRuntime runtime = start();

    assertThatThrownBy(() -> runtime.unprepare("uid-x")).hasMessageContaining("is damaged");
    assertThat(driver.state()).containsExactly("on-a", "on-b"); // a is detached
  }

  @Test
  void theEndpointCountsAndNamesNone() throws Exception {
    damage("UPDATE step SET checksum = 0 WHERE uid = 'uid-x'");
    DriverRuntime runtime = start();
    InetSocketAddress at =
        runtime.serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    for (String path : new String[] {"/healthz", "/readyz", "/metrics"}) {
      HttpURLConnection answer =
          (HttpURLConnection)
              URI.create("http://" + at.getAddress().getHostAddress() + ":" + at.getPort() + path)
                  .toURL()
                  .openConnection();
      InputStream in =
          answer.getResponseCode() == 200 ? answer.getInputStream() : answer.getErrorStream();
      String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(body)
          .contains(
              path.equals("/metrics")
                  ? "dra4j_claims{state=\"damaged\"} 1.0"
                  : "1 claims are quarantined")
          .doesNotContain("uid-x")
          .doesNotContain("default/");
    }
  }
}
