package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.model.Device;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts on which much happens, with many routes, and pods with a user namespace. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class UnusualHostsTest {

  private static final HostInventory EMPTY = HostInventory.builder().build();

  private final MemoryJournal journal = new MemoryJournal();
  private TestNode node;

  @BeforeEach
  void open() throws IOException {
    node = new TestNode();
    node.link("nic0");
    node.host().ip("addr add 192.0.2.5/24 dev nic0");
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void discoveryFindsTheLinksThatStayWhileOthersComeAndGo() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Integer> churn =
        CompletableFuture.supplyAsync(
            () -> {
              int rounds = 0;
              while (!isOver.get() || rounds == 0) {
                try {
                  node.host()
                      .ip(
                          "link add come0 type veth peer name go0",
                          "link set come0 up",
                          "addr add 10.7.0.1/24 dev come0",
                          "link del come0");
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
                rounds++;
              }
              return rounds;
            });
    try {
      for (int i = 0; i < 200; i++) {
        assertThat(node.driver().discover(EMPTY)).extracting(Device::name).contains("nic0");
        assertThat(node.driver().health(EMPTY)).isNotEmpty();
      }
    } finally {
      isOver.set(true);
    }
    assertThat(churn.get(1, TimeUnit.MINUTES)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000})
  void aLinkWithManyRoutesGoesAndComesBackWithAll(int count) throws Exception {
    TestHost pod = node.newPod();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add("route add 10.%d.%d.0/24 via 192.0.2.1".formatted(i / 256, i % 256));
    }
    node.host().ip(lines.toArray(String[]::new));
    String before = node.host().routes("ip route show");
    PreparedClaim claim = node.prepare("{}", "nic0");
    Sandbox sandbox = TestNode.sandbox(pod);

    node.attach(sandbox, claim, journal);
    assertThat(pod.routes("ip route show").lines()).hasSize(count + 1);
    node.driver().detach(claim, sandbox, journal);
    node.driver().settle(claim, sandbox, journal);

    assertThat(node.host().routes("ip route show")).isEqualTo(before);
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aPodWithAUserNamespaceGetsALink() throws Exception {
    Process pod = new ProcessBuilder("unshare", "-Urn", "sleep", "120").start();
    try {
      while (pod.isAlive() && !pod.info().command().orElse("").endsWith("sleep")) {
        Thread.sleep(20);
      }
      assumeTrue(pod.isAlive(), "needs user namespaces");
      Sandbox sandbox = Sandbox.of(Path.of("/proc/%d/ns/net".formatted(pod.pid())));
      PreparedClaim claim = node.prepare("{'interface': {'name': 'net1', 'mtu': 1400}}", "nic0");
      List<String> before = node.host().seen("nic0");

      node.attach(sandbox, claim, journal);
      assertThat(node.host().run("nsenter --net=/proc/" + pod.pid() + "/ns/net ip -br -4 addr"))
          .contains("net1")
          .contains("192.0.2.5/24");
      node.driver().detach(claim, sandbox, journal);
      node.driver().settle(claim, sandbox, journal);

      assertThat(node.host().seen("nic0")).isEqualTo(before);
    } finally {
      pod.destroyForcibly().waitFor();
    }
  }
}
