package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A claim that asks for an address by DHCP, with a server on the other end of its link. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class DhcpTest {

  private static final String ASKING = "{'interface': {'dhcp': true}}";

  private TestNode node;
  private DhcpServer server;

  @BeforeEach
  void open() throws Exception {
    node = new TestNode();
    server = new DhcpServer(node.host(), "nic0");
    node.host().ip("link set nic0 up");
    server.awaitSignal();
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    node.close();
  }

  private void within(Duration time) throws IOException {
    node.restart(NetworkDriver.builder().dhcpTime(time));
  }

  @Test
  void theLeaseOfTheServerIsInThePodAndGivenBackAtTheEnd() throws Exception {
    server.option(3, 192, 0, 2, 1);
    TestHost pod = node.newPod();

    PreparedClaim claim = node.prepare(ASKING, "nic0");
    MemoryJournal attached = new MemoryJournal();
    TestNode.Running running = node.attach(TestNode.sandbox(pod), claim, attached);

    assertThat(running.ips()).containsExactly("192.0.2.50/24");
    assertThat(pod.routes("ip route show default")).startsWith("default via 192.0.2.1 dev nic0");
    assertThat(server.heard()).isEqualTo("discover by uid-nic0/nic0");
    assertThat(server.heard()).isEqualTo("request 192.0.2.50");
    assertThat(server.heardNoMore()).isTrue();
    node.driver().detach(claim, TestNode.sandbox(pod), attached);
    node.driver().settle(claim, TestNode.sandbox(pod), attached);
    node.driver().unprepare(claim, node.journal());
    assertThat(server.heard()).isEqualTo("type 7 192.0.2.50");
    assertThat(node.host().run("ip -4 address show dev nic0")).doesNotContain("inet");
  }

  @Test
  void aLinkThatIsDownIsUpOnlyAsLongAsItTakes() throws Exception {
    node.host().ip("link set nic0 down");

    PreparedClaim claim = node.prepare(ASKING, "nic0");

    assertThat(node.host().run("ip link show dev nic0")).contains("state DOWN");
    node.driver().unprepare(claim, node.journal());
    String heard = server.heard();
    while (heard.startsWith("discover")) { // the first one may come before the signal
      heard = server.heard();
    }
    assertThat(heard).isEqualTo("request 192.0.2.50");
    assertThat(server.heard()).isEqualTo("type 7 192.0.2.50");
    assertThat(node.host().run("ip link show dev nic0")).contains("state DOWN");
    assertThat(node.journal().steps()).isEmpty();
  }

  @Test
  void theLeaseIsRecordedBeforeItIsTaken() throws Exception {
    node.prepare(ASKING, "nic0");

    assertThat(node.journal().steps())
        .extracting(Step::name)
        .containsExactly("lease 192.0.2.50 of DHCP server 192.0.2.1 for nic0");
  }

  @Test
  void aQuestionThatIsLostIsRepeatedAndARefusalBeginsAnew() throws Exception {
    server.deaf(1).refusing(1);

    node.prepare(ASKING, "nic0");

    assertThat(server.heard()).isEqualTo("missed");
    assertThat(server.heard()).startsWith("discover");
    assertThat(server.heard()).startsWith("request");
    assertThat(server.heard()).startsWith("discover");
    assertThat(server.heard()).startsWith("request");
  }

  @Test
  void aServerThatRefusesAlwaysIsLeft() {
    server.refusing(100).option(56, 'n', 'o', 27, '!');

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.prepare(ASKING, "nic0"))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE))
        .withMessage(
            "device nic0: DHCP server 192.0.2.1 on nic0 offered 192.0.2.50 and then refused"
                + " it, 3 times: no?!");
  }

  /** The first server answers once the second was asked. */
  @Test
  void severalDevicesAskAtTheSameTime() throws Exception {
    try (DhcpServer other = new DhcpServer(node.host(), "nic1")) {
      node.host().ip("link set nic1 up");
      other.awaitSignal();
      other.giving(51);
      List<String> order = Collections.synchronizedList(new ArrayList<>());
      server.lying(
          answer -> {
            if (order.isEmpty()) {
              try {
                order.add(other.heard());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }
            return answer;
          });

      PreparedClaim claim = node.prepare(ASKING, "nic0", "nic1");

      assertThat(order).containsExactly("discover by uid-nic0-nic1/nic1");
      assertThat(claim.prepared().devices())
          .extracting(one -> one.state().replaceAll(".*addresses[^0-9]*([0-9./]+).*", "$1"))
          .containsExactly("192.0.2.50/24", "192.0.2.51/24");
      assertThat(node.journal().steps())
          .extracting(Step::name)
          .containsExactlyInAnyOrder(
              "lease 192.0.2.50 of DHCP server 192.0.2.1 for nic0",
              "lease 192.0.2.51 of DHCP server 192.0.2.1 for nic1");
      node.driver().unprepare(claim, node.journal());
      assertThat(node.journal().steps()).isEmpty();
    }
  }

  @Test
  void whereOneServerIsSilentTheClaimFailsAndTheOtherLeaseIsGivenBack() throws Exception {
    try (DhcpServer other = new DhcpServer(node.host(), "nic1")) {
      node.host().ip("link set nic1 up");
      other.awaitSignal();
      other.deaf(100);
      within(Duration.ofMillis(700));

      assertThatExceptionOfType(DriverException.class)
          .isThrownBy(() -> node.prepare(ASKING, "nic0", "nic1"))
          .withMessage("device nic1: no DHCP server offered an address on nic1 within 700 ms");

      assertThat(node.journal().steps())
          .extracting(Step::name)
          .containsExactly("lease 192.0.2.50 of DHCP server 192.0.2.1 for nic0");
      node.journal().undo(node.driver()::undo);
      assertThat(server.heard()).startsWith("discover");
      assertThat(server.heard()).startsWith("request");
      assertThat(server.heard()).isEqualTo("type 7 192.0.2.50");
    }
  }

  @Test
  void anInterruptedCallEndsWithTheFlagSet() throws Exception {
    server.deaf(100);
    Thread caller = Thread.currentThread();
    Thread interrupter =
        new Thread(
            () -> {
              try {
                server.heard();
              } catch (InterruptedException e) {
                return;
              }
              caller.interrupt();
            });
    interrupter.start();

    assertThatExceptionOfType(DriverException.class).isThrownBy(() -> node.prepare(ASKING, "nic0"));
    interrupter.join();

    assertThat(Thread.interrupted()).isTrue();
  }

  /** The server's default route is not what the claim asked for. */
  @Test
  void aRouteOfTheServerThatThePodHasIsLeftOut() throws Exception {
    server.option(3, 192, 0, 2, 1);
    TestHost pod = node.newPod();
    pod.ip(
        "link add eth0 type veth peer name eth0p",
        "link set eth0 up",
        "addr add 172.16.0.2/24 dev eth0",
        "route add default via 172.16.0.1 dev eth0 onlink");

    PreparedClaim claim = node.prepare(ASKING, "nic0");
    TestNode.Running running = node.attach(TestNode.sandbox(pod), claim, new MemoryJournal());

    assertThat(running.ips()).containsExactly("192.0.2.50/24");
    assertThat(pod.routes("ip route show default")).startsWith("default via 172.16.0.1 dev eth0");
  }

  @Test
  void afterARebootALinkThatIsDownStaysDown() throws Exception {
    PreparedClaim claim = node.prepare(ASKING, "nic0");
    node.host().ip("link set nic0 down");

    node.journal().undo(node.driver()::undoAfterReboot);

    assertThat(node.host().run("ip link show dev nic0")).contains("state DOWN");
    assertThat(claim.prepared().devices()).hasSize(1);
    assertThat(server.heard()).startsWith("discover");
    assertThat(server.heard()).startsWith("request");
    assertThat(server.heardNoMore()).isTrue();
  }

  @Test
  void withoutServerItEndsInTime() throws Exception {
    server.deaf(100);
    within(Duration.ofMillis(300));

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.prepare(ASKING, "nic0"))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE))
        .withMessage("device nic0: no DHCP server offered an address on nic0 within 300 ms");
    assertThat(node.journal().steps()).isEmpty();
  }

  @Test
  void answersToOthersAndLiesArePassedOver() throws Exception {
    server
        .lying(message -> changed(message, 4)) // another transaction
        .lying(message -> changed(message, 28)) // another client
        .lying(message -> changed(message, 0)) // no answer at all
        .lying(message -> changed(message, 236)) // no cookie
        .lying(message -> Arrays.copyOf(message, 239))
        .lying(message -> Arrays.copyOf(message, message.length - 3))
        .lying(message -> new byte[0]);

    TestNode.Running running = node.attach(node.newPod(), node.prepare(ASKING, "nic0"));

    assertThat(running.ips()).containsExactly("192.0.2.50/24");
  }

  private static byte[] changed(byte[] message, int at) {
    message[at] ^= 0x55;
    return message;
  }

  @Test
  void whatCannotBeUnderstoodIsToldWhenTheTimeIsOver() throws Exception {
    server.option(1, 255, 0, 255, 0);
    within(Duration.ofMillis(900));

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> node.prepare(ASKING, "nic0"))
        .withMessageStartingWith(
            "device nic0: DHCP server 192.0.2.1 offered 192.0.2.50 but did not acknowledge it on"
                + " nic0 within 900 ms; malformed responses: ")
        .withMessageEndingWith(", the last one: 0xff00ff00 is not a subnet mask (option 1)");
  }

  @Test
  void routesOfTheServerAreInThePodAndThoseOfTheClaimWin() throws Exception {
    server
        .option(1, 255, 255, 255, 255)
        .option(3, 192, 0, 2, 9) // passed over: there are classless ones
        .option(121, 0, 192, 0, 2, 1, 16, 10, 1, 192, 0, 2, 1, 24, 198, 51, 100, 0, 0, 0, 0);
    TestHost pod = node.newPod();

    node.attach(
        pod,
        node.prepare(
            "{'interface': {'dhcp': true}, 'routes': [{'destination': '10.1.0.0/16', 'gateway':"
                + " '198.51.100.7'}]}",
            "nic0"));

    assertThat(pod.routes("ip route").lines().map(one -> one.replace(" proto static", "").strip()))
        .containsExactlyInAnyOrder(
            "default via 192.0.2.1 dev nic0",
            "10.1.0.0/16 via 198.51.100.7 dev nic0",
            "192.0.2.1 dev nic0 scope link",
            "198.51.100.0/24 dev nic0 scope link");
  }

  @Test
  void aClaimThatContradictsItselfIsRefusedBeforeAnybodyIsAsked() throws Exception {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(
            () ->
                node.prepare(
                    "{'interface': {'dhcp': true, 'vrf': {'name': 'v'}}, 'rules': [{'table': 7}]}",
                    "nic0"));
    assertThat(server.heardNoMore()).isTrue();
  }
}
