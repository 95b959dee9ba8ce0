package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.uevent.DeviceEvent;
import io.dra4j.netlink.uevent.DeviceMonitor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What the kernel tells without being asked. */
@EnabledIf(TestNamespace.MAY)
class MonitorTest {

  private static final Duration LONG = Duration.ofSeconds(20);

  private TestNamespace inside;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private static List<RouteEvent> until(RouteMonitor monitor, Predicate<RouteEvent> last)
      throws NetlinkException {
    List<RouteEvent> all = new ArrayList<>();
    while (all.stream().noneMatch(last)) {
      List<RouteEvent> events = monitor.await(LONG);
      assertThat(events).isNotEmpty();
      all.addAll(events);
    }
    return all;
  }

  private static @Nullable RouteObject set(RouteEvent event) {
    return event.gone() ? null : event.object();
  }

  private static @Nullable RouteObject gone(RouteEvent event) {
    return event.gone() ? event.object() : null;
  }

  @Test
  void changesOfEachTopicAreTold() throws IOException {
    try (RouteMonitor monitor =
        RouteMonitor.open(inside.namespace, EnumSet.allOf(ObjectKind.class))) {
      Link link = inside.veth("veth0", "veth1");
      inside.route.links().change(link, LinkSettings.none().up());
      inside.route.links().change(inside.route.links().get("veth1"), LinkSettings.none().up());
      InterfaceAddress address = InterfaceAddress.of(link.index(), IpPrefix.parse("192.0.2.5/24"));
      Route route =
          Route.to(IpPrefix.parse("198.51.100.0/24"))
              .withGateway(IpAddress.parse("192.0.2.1"))
              .withLink(link.index());
      Neighbour neighbour =
          Neighbour.permanent(
              link.index(),
              IpAddress.parse("192.0.2.9"),
              HardwareAddress.parse("02:00:00:00:00:09"));
      inside.route.addresses().add(address);
      inside.route.routes().add(route);
      inside.route.neighbours().add(neighbour);
      inside.route.neighbours().delete(neighbour);
      inside.route.routes().delete(route);
      inside.route.addresses().delete(address);
      inside.route.links().delete(link);

      List<RouteEvent> events =
          until(monitor, e -> gone(e) instanceof Link gone && gone.name().equals("veth0"));

      assertThat(events)
          .contains(new RouteEvent(route, false), new RouteEvent(route, true))
          .contains(new RouteEvent(neighbour, false))
          .anyMatch(e -> set(e) instanceof Link set && set.name().equals("veth1"))
          .anyMatch(
              e ->
                  set(e) instanceof InterfaceAddress set && set.address().equals(address.address()))
          .anyMatch(
              e ->
                  gone(e) instanceof InterfaceAddress gone
                      && gone.address().equals(address.address()));
    }
  }

  @Test
  void rulesAndNextHopObjectsAreToldWhenTheyComeAndGo() throws IOException {
    Link link = inside.veth("veth0", "veth1");
    inside.route.links().change(link, LinkSettings.none().up());
    inside.route.links().change(LinkKey.of("veth1"), LinkSettings.none().up());
    Set<ObjectKind> kinds = EnumSet.of(ObjectKind.RULE, ObjectKind.NEXT_HOP);
    try (RouteMonitor monitor = RouteMonitor.open(inside.namespace, kinds)) {
      Rule v4 = Rule.lookup(false, 77).withPriority(50);
      Rule v6 = Rule.lookup(true, 77).withPriority(60).withInputLink("veth0");
      NextHopObject hop = NextHopObject.group(11, Map.of(10, 1));
      inside.run("ip", "nexthop add id 10 dev veth0");
      inside.route.nextHopObjects().add(hop);
      inside.route.rules().add(v4);
      inside.route.rules().add(v6);
      inside.run("ip", "rule del priority 50");
      inside.route.nextHopObjects().delete(hop);
      inside.route.rules().delete(v6);

      List<RouteEvent> events =
          until(monitor, e -> gone(e) instanceof Rule gone && gone.withoutState().equals(v6));

      assertThat(events)
          .anyMatch(e -> set(e) instanceof Rule set && set.withoutState().equals(v4))
          .anyMatch(e -> gone(e) instanceof Rule gone && gone.withoutState().equals(v4))
          .anyMatch(e -> set(e) instanceof Rule set && set.withoutState().equals(v6))
          .anyMatch(e -> set(e) instanceof NextHopObject set && set.id() == 11)
          .anyMatch(e -> gone(e) instanceof NextHopObject gone && gone.id() == 11)
          .allMatch(e -> kinds.contains(e.object().objectKind()));
    }
  }

  @Test
  void aLinkThatMovesAwayIsToldWithItsNewPlace() throws IOException {
    try (RouteMonitor monitor = RouteMonitor.open(inside.namespace, Set.of(ObjectKind.LINK));
        TestNamespace other = new TestNamespace()) {
      inside
          .route
          .links()
          .change(inside.veth("veth0", "veth1"), LinkSettings.none().namespace(other.namespace));

      List<RouteEvent> events =
          until(monitor, e -> gone(e) instanceof Link gone && gone.name().equals("veth0"));

      Link gone = (Link) events.get(events.size() - 1).object();
      assertThat(gone.newIndex()).isPresent();
      assertThat(gone.newNamespace()).isPresent();
    }
  }

  @Test
  void portsOfABridgeThatLeaveItAreNotGone() throws IOException {
    inside.route.links().create(NewLink.bridge("br0"));
    Link port = inside.veth("veth0", "veth1");
    inside
        .route
        .links()
        .change(port, LinkSettings.none().master(inside.route.links().get("br0").index()));
    try (LinkCache cache = LinkCache.follow(inside.namespace)) {
      inside.route.links().change(port, LinkSettings.none().noMaster());
      inside.route.links().create(NewLink.bridge("br1"));
      await(cache, after -> after.find("br1").isPresent());

      assertThat(cache.snapshot().find("veth0").orElseThrow().masterIndex()).isEmpty();
    }
  }

  private static void await(LinkCache cache, Predicate<LinkSnapshot> wanted) {
    CountDownLatch seen = new CountDownLatch(1);
    LinkCache.Listener listener =
        (before, after) -> {
          if (wanted.test(after)) {
            seen.countDown();
          }
        };
    cache.listen(listener);
    try {
      assertThat(wanted.test(cache.snapshot()) || seen.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      cache.unlisten(listener);
    }
  }

  @Test
  void aCacheKnowsWhatIsThereAndFollows() throws IOException {
    Link link = inside.veth("veth0", "veth1");
    try (LinkCache cache = LinkCache.follow(inside.namespace)) {
      assertThat(cache.snapshot().links()).extracting(Link::name).contains("lo", "veth0", "veth1");
      LinkSnapshot before = cache.snapshot();

      inside.route.links().change(link, LinkSettings.none().name("net0").mtu(1_300).up());
      inside.route.links().addAlternativeName(link, "another-name-for-it");
      await(
          cache,
          after -> after.find("net0").isPresent() && after.find("another-name-for-it").isPresent());

      assertThat(cache.snapshot().find("net0").orElseThrow().mtu()).isEqualTo(1_300);
      assertThat(cache.snapshot().find("veth0")).isEmpty();
      assertThat(before.find("veth0")).isPresent();
      inside.route.links().delete(link);
      await(cache, after -> after.find(link.index()).isEmpty());
      assertThat(cache.failure()).isEmpty();
    }
  }

  @Test
  void aCacheCatchesUpAfterALoss() throws Exception {
    Link link = inside.veth("veth0", "veth1");
    inside.route.links().change(link, LinkSettings.none().up());
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (LinkCache cache = LinkCache.follow(inside.namespace)) {
      cache.listen(
          (before, after) -> {
            busy.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      inside.route.links().change(link, LinkSettings.none().group(9));
      assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 40_000; i++) { // more than the queue of the socket holds
        inside.route.links().change(link, LinkSettings.none().group(i & 1));
      }
      inside.route.links().create(NewLink.bridge("last"));
      goOn.countDown();
      await(cache, after -> after.find("last").isPresent());

      assertThat(cache.failure()).isEmpty();
      assertThat(TestNamespace.own(List.copyOf(cache.snapshot().links()))).hasSize(4);
    }
  }

  @Test
  void aListenerThatThrowsDoesNotEndACache() throws IOException {
    try (LinkCache cache = LinkCache.follow(inside.namespace)) {
      cache.listen(
          (before, after) -> {
            throw new IllegalStateException("thrown by a listener");
          });
      inside.route.links().create(NewLink.bridge("br0"));
      await(cache, after -> after.find("br0").isPresent());
      inside.route.links().create(NewLink.bridge("br1"));
      await(cache, after -> after.find("br1").isPresent());
    }
  }

  @Test
  void aClosedMonitorSaysSo() throws IOException {
    RouteMonitor monitor = RouteMonitor.open(inside.namespace, Set.of(ObjectKind.LINK));
    monitor.close();

    assertThatExceptionOfType(NetlinkException.Closed.class)
        .isThrownBy(() -> monitor.await(Duration.ZERO));
  }

  @Test
  void devicesThatComeAndGoAreTold() throws IOException {
    try (DeviceMonitor monitor = DeviceMonitor.open(inside.namespace)) {
      Link link = inside.veth("veth0", "veth1");
      inside.route.links().delete(link);
      List<DeviceEvent> events = new ArrayList<>();
      while (events.stream()
          .noneMatch(e -> e.path().endsWith("net/veth0") && e.action().equals("remove"))) {
        List<DeviceEvent> more = monitor.await(LONG, Duration.ofMillis(20));
        assertThat(more).isNotEmpty();
        events.addAll(more);
      }

      assertThat(events)
          .anySatisfy(
              event -> {
                assertThat(event.action()).isEqualTo("add");
                assertThat(event.path()).isEqualTo("/devices/virtual/net/veth0");
                assertThat(event.subsystem()).isEqualTo("net");
                assertThat(event.properties())
                    .containsEntry("INTERFACE", "veth0")
                    .containsEntry("IFINDEX", Integer.toString(link.index()));
              });
    }
  }
}
