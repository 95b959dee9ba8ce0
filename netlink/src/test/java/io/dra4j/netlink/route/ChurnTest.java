package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.InterruptionCounter;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links come and go while somebody looks at them. */
@EnabledIf(TestNamespace.MAY)
@Tag("exhaustive")
class ChurnTest {

  private static final int RTNLGRP_LINK = 1;

  private TestNamespace inside;
  private RouteNetlink second;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    second = RouteNetlink.open(inside.namespace);
  }

  @AfterEach
  void close() {
    second.close();
    inside.close();
  }

  @Test
  void listsAreWholeOrFailWhileLinksComeAndGo() throws Exception {
    for (int i = 0; i < 100; i++) {
      inside.veth("stay" + i, "also" + i);
    }
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Integer> churn =
        CompletableFuture.supplyAsync(
            () -> {
              int rounds = 0;
              try {
                while (!stop.get()) {
                  second.links().create(NewLink.veth("go", "gone"));
                  second.links().delete(second.links().get("go"));
                  rounds++;
                }
              } catch (NetlinkException e) {
                throw new IllegalStateException(e);
              }
              return rounds;
            });
    InterruptionCounter counter = inside.namespace.call(InterruptionCounter::new);
    int whole = 0;
    int interrupted = 0;
    try (RouteNetlink route = RouteNetlink.over(NetlinkSocket.over(counter))) {
      while (whole < 100 || counter.interruptions() == 0) {
        try {
          long staying =
              route.links().list(LinkQuery.lean()).stream()
                  .filter(link -> !link.name().startsWith("go"))
                  .count();
          assertThat(staying).isEqualTo(201);
          whole++;
        } catch (NetlinkException.DumpInterrupted e) {
          interrupted++;
        }
        assertThat(whole + interrupted).isLessThan(100_000);
      }
    }
    stop.set(true);

    assertThat(churn.get()).isPositive();
    assertThat(TestNamespace.own(inside.route.links().list())).hasSize(201);
  }

  /** The kernel holds it while it tells of it, and refuses its number afterwards. */
  @Test
  void listsOfANamespaceThatVanishesAreWholeOrFail() throws Exception {
    int whole = 0;
    int refused = 0;
    for (int round = 0; round < 5; round++) {
      TestNamespace other = new TestNamespace();
      for (int i = 0; i < 50; i++) {
        other.veth("a" + i, "b" + i);
      }
      int number = inside.route.namespaceIds().assign(other.namespace);
      CompletableFuture<Void> vanishing = CompletableFuture.runAsync(other::close);
      try {
        while (true) {
          List<Link> all = inside.route.links().list(LinkQuery.lean().inNamespace(number));
          assertThat(TestNamespace.own(all)).hasSize(101);
          whole++;
        }
      } catch (NetlinkException.DumpInterrupted | NetlinkException.Refused e) {
        assertThat(e).hasMessageStartingWith("list links: ");
        refused++;
      }
      vanishing.get();
    }
    System.out.printf("lists of namespaces that vanished: %d whole, %d failed%n", whole, refused);
    assertThat(refused).isEqualTo(5);
    assertThat(TestNamespace.own(inside.route.links().list())).hasSize(1);
  }

  private static boolean wins(Change change) {
    try {
      change.make();
      return true;
    } catch (NetlinkException.Exists | NetlinkException.NotFound e) {
      return false;
    } catch (NetlinkException e) {
      throw new IllegalStateException(e);
    }
  }

  @FunctionalInterface
  private interface Change {
    void make() throws NetlinkException;
  }

  /** Over one socket or two; of each change one of them is told that it was made already. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoWhoWriteTheSameOneIsFirst(boolean ownSockets) throws Exception {
    int index = inside.veth("veth0", "veth1").index();
    RouteNetlink other = ownSockets ? second : inside.route;
    List<InterfaceAddress> all = new ArrayList<>();
    for (int i = 1; i < 250; i++) {
      all.add(InterfaceAddress.of(index, IpPrefix.parse("192.0.2." + i + "/32")));
    }
    for (int round = 0; round < 5; round++) {
      CompletableFuture<Integer> adding = CompletableFuture.supplyAsync(() -> add(other, all));
      assertThat(add(inside.route, all) + adding.get()).isEqualTo(all.size());
      assertThat(inside.route.addresses().list(LinkKey.of(index))).hasSize(all.size());
      CompletableFuture<Integer> removing = CompletableFuture.supplyAsync(() -> remove(other, all));
      assertThat(remove(inside.route, all) + removing.get()).isEqualTo(all.size());
      assertThat(inside.route.addresses().list(LinkKey.of(index))).isEmpty();
    }
  }

  /** How many of them this one has added. */
  private static int add(RouteNetlink route, List<InterfaceAddress> all) {
    return (int) all.stream().filter(one -> wins(() -> route.addresses().add(one))).count();
  }

  /** How many of them this one has deleted. */
  private static int remove(RouteNetlink route, List<InterfaceAddress> all) {
    return (int) all.stream().filter(one -> wins(() -> route.addresses().delete(one))).count();
  }

  @Test
  void notificationsThatNobodyReadsOverrunAndTheSocketGoesOn() throws IOException {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.ROUTE, inside.namespace)) {
      socket.join(RTNLGRP_LINK);
      Link link = inside.veth("veth0", "veth1");
      second.links().change(link, LinkSettings.none().up()); // others change unnoticed
      for (int i = 0; i < 40_000; i++) {
        second.links().change(link, LinkSettings.none().group(i & 1));
      }

      assertThat(drained(socket)).isTrue();
      second.links().change(link, LinkSettings.none().group(77));
      assertThat(socket.receive(Duration.ofSeconds(5), message -> {})).isTrue();
    }
  }

  /** Reads what is there; whether something was lost. */
  private static boolean drained(NetlinkSocket socket) throws NetlinkException {
    boolean lost = false;
    boolean more = true;
    while (more) {
      try {
        more = socket.receive(Duration.ZERO, message -> {});
      } catch (NetlinkException.Overrun e) {
        lost = true;
      }
    }
    return lost;
  }
}
