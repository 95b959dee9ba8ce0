package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.dra4j.kubernetes.ResourceState.Phase;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A token goes to its API server alone: not to another host, a log, a message or a snapshot. */
class CredentialsTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String TOKEN = "token-that-is-never-told";

  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger root = (Logger) LoggerFactory.getLogger("ROOT");
  private final Level level = root.getLevel();
  private FakeApiServer server;
  private FakeApiServer other;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    root.setLevel(Level.DEBUG); // at TRACE fabric8's client logs the heads of its requests
    log.start();
    root.addAppender(log);
    server = new FakeApiServer();
    other = new FakeApiServer();
    client = server.client(TOKEN);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    other.close();
    root.detachAppender(log);
    root.setLevel(level);
  }

  private List<String> logged() {
    List<String> lines = new ArrayList<>();
    for (ILoggingEvent event : List.copyOf(log.list)) {
      lines.add(
          event.getLoggerName()
              + event.getFormattedMessage()
              + (event.getThrowableProxy() == null
                  ? ""
                  : ThrowableProxyUtil.asString(event.getThrowableProxy())));
    }
    return lines;
  }

  @Test
  void redirectToAnotherHostIsRefused() throws Exception {
    server.redirect(other.address());
    assertThatThrownBy(() -> ClusterCapture.of(client).write(new ByteArrayOutputStream()))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("redirect");
    assertThat(other.requests).isEmpty();
    assertThat(server.requests).isNotEmpty();
  }

  @Test
  void answerOfAnotherServerIsRefused() throws Exception {
    server.redirect(other.address());
    try (KubernetesClient following = server.client()) {
      assertThatThrownBy(() -> ClusterCapture.of(following).write(new ByteArrayOutputStream()))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("another server");
    }
  }

  @Test
  void tokenIsInNoLogMessageOrSnapshot() throws Exception {
    server.put("nodes", "n", ",\"status\":{}");
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    ClusterCapture.of(client).write(snapshot);
    assertThat(snapshot.toString(StandardCharsets.UTF_8)).contains("\"n\"").doesNotContain(TOKEN);
    try (ClusterInventory cluster = ClusterInventory.follow(client);
        ClaimStatusWriter writer = ClaimStatusWriter.start(client, "d.example.com")) {
      cluster.awaitSynced(LIMIT);
      for (int status : new int[] {401, 403, 429, 500}) {
        server.fail("nodes", status);
        server.fail("status", status);
        writer.write(new ClaimReference("default", "c", "u"), List.of());
        server.raw("nodes", FakeApiServer.END);
        ClusterView view =
            cluster.await(
                one -> one.state(ClusterResource.NODES).message().contains("" + status), LIMIT);
        assertThat(view.problems()).doesNotContain(TOKEN);
        server.fail("nodes", 0);
        cluster.await(one -> one.state(ClusterResource.NODES).phase() == Phase.WATCHING, LIMIT);
      }
    }
    assertThat(logged()).isNotEmpty().noneMatch(line -> line.contains(TOKEN));
  }

  @Test
  void tokenThatIsNoHeaderIsInNoMessage() throws Exception {
    try (KubernetesClient broken = server.client(TOKEN + "\n" + TOKEN)) {
      ClaimReader reader = ClaimReader.of(broken);
      assertThatThrownBy(() -> reader.read(new ClaimReference("default", "c", "u")))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("the token or another header")
          .satisfies(
              e ->
                  assertThat(ThrowableProxyUtil.asString(new ThrowableProxy(e)))
                      .doesNotContain(TOKEN));
    }
  }

  @Test
  void aReaderMayDoWithoutQuotas() throws Exception {
    server.put("nodes", "n", ",\"status\":{}");
    server.fail("resourcequotas", 403);
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    assertThat(ClusterCapture.of(client).write(snapshot).notServed())
        .contains(ClusterResource.RESOURCE_QUOTAS);
    assertThat(snapshot.toString(StandardCharsets.UTF_8)).contains("\"n\"");
    server.fail("pods", 403);
    assertThatThrownBy(() -> ClusterCapture.of(client).write(new ByteArrayOutputStream()))
        .isInstanceOf(ClusterException.class);
  }
}
