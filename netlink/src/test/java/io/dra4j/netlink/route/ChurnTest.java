package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.InterruptionCounter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Links come and go while somebody looks at them. */
@EnabledIf(TestNamespace.MAY)
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
