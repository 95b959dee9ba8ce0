package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attributes that are broken, namespaces that have gone, sockets that others close: a typed error
 * that says what was asked, and the socket can be used further or is closed. Broken messages are in
 * {@code NetlinkSocketTest}.
 */
class BadInputTest {

  private static final byte[] HEADER = concat(u8(0), u8(0), u16(1), u32(7), u32(0x1043), u32(0));
  private static final byte[] NAME = attribute(3, text("x0"));

  /** A recording in which links are listed twice, the first time with these attributes. */
  private static RouteNetlink answering(byte[]... attributes) {
    Recording recording = new Recording();
    for (byte[] answer : new byte[][] {concat(attributes), NAME}) {
      recording
          .sent(18, MessageFlags.DUMP, new byte[16], attribute(29, u32(0)))
          .received(16, MessageFlags.MULTI, HEADER, answer)
          .done();
    }
    return RouteNetlink.over(NetlinkSocket.over(recording.play()));
  }

  static Stream<Arguments> attributes() {
    return Stream.of(
        arguments("truncated behind its length", concat(NAME, u16(8))),
        arguments("truncated in its value", concat(NAME, u16(8), u16(4), u16(0))),
        arguments("longer than the message", concat(NAME, u16(0x7000), u16(4), u32(1500))),
        arguments("longer than any message", concat(NAME, u16(0xffff), u16(4), u32(1500))),
        arguments("of length zero", concat(NAME, u16(0), u16(4), u32(1500))),
        arguments("shorter than its header", concat(NAME, u16(3), u16(4), u32(1500))),
        arguments("a number without a value", concat(NAME, attribute(4))),
        arguments("a number of half its size", concat(NAME, attribute(4, u16(1500)))),
        arguments("a number of twice its size", concat(NAME, attribute(4, u32(1500), u32(0)))),
        arguments("a hardware address of 33 bytes", concat(NAME, attribute(1, new byte[33]))),
        arguments(
            "a nest that ends inside an attribute",
            concat(NAME, attribute(18, concat(u16(12), u16(1), u32(0))))),
        arguments("a nest that is a number", concat(NAME, attribute(18, u16(5)))),
        arguments("a list whose entries are numbers", concat(NAME, attribute(22, u32(7)))));
  }

  /** {@code struct rtvia} is the family, two bytes, and then the address. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 17})
  void aGatewayThatIsNoAddressIsEmpty(int length) {
    Attributes via = Attributes.none(RouteCodec.TABLE).with("VIA", new byte[length]);

    assertThat(NextHop.gateway(via)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attributes")
  void aBrokenAttributeIsATypedErrorAndTheSocketCanBeUsedFurther(String what, byte[] attributes)
      throws NetlinkException {
    try (RouteNetlink route = answering(attributes)) {
      assertThatExceptionOfType(NetlinkException.Malformed.class)
          .as(what)
          .isThrownBy(() -> route.links().list())
          .withMessageStartingWith("list links: ");
      assertThat(route.links().list()).extracting(Link::name).containsExactly("x0");
    }
  }

  /** They look like a cycle: each holds one of its own type, as deep as a message can be. */
  @ParameterizedTest
  @MethodSource("nests")
  void attributesThatHoldThemselvesEnd(int type) throws NetlinkException {
    byte[] inner = attribute(type);
    for (int depth = 0; depth < 5_000; depth++) {
      inner = attribute(type, inner);
    }
    try (RouteNetlink route = answering(NAME, inner)) {
      try {
        assertThat(route.links().list()).extracting(Link::name).containsExactly("x0");
      } catch (NetlinkException.Malformed e) {
        assertThat(e).hasMessageStartingWith("list links: ");
      }
      assertThat(route.links().list()).extracting(Link::name).containsExactly("x0");
    }
  }

  /** All nests of a link: virtual functions, kind, XDP, alternative names. */
  static Stream<Integer> nests() {
    return Stream.of(18, 22, 26, 43, 52);
  }

  @Test
  @EnabledIf(TestNamespace.MAY)
  void aNamespaceThatHasGoneIsATypedError() throws IOException {
    NetworkNamespace gone = NetworkNamespace.create();
    gone.close();
    try (TestNamespace inside = new TestNamespace()) {
      Link link = inside.veth("veth0", "veth1");

      assertThatIllegalStateException().isThrownBy(() -> RouteNetlink.open(gone));
      assertThatIllegalStateException().isThrownBy(() -> LinkCache.follow(gone));
      assertThatIllegalStateException()
          .isThrownBy(() -> inside.route.links().change(link, LinkSettings.none().namespace(gone)));
      assertThat(TestNamespace.own(inside.route.links().list())).hasSize(3);
    }
  }

  @Test
  @EnabledIf(TestNamespace.MAY)
  void aNumberWhoseNamespaceHasGoneIsATypedError() throws Exception {
    try (TestNamespace inside = new TestNamespace()) {
      Link link = inside.veth("veth0", "veth1");
      try (TestNamespace other = new TestNamespace()) {
        assertThat(inside.route.namespaceIds().assign(other.namespace, 77)).isEqualTo(77);
      }
      long deadline = System.nanoTime() + 20_000_000_000L;
      while (!inside.json("ip -j netns list-id").isEmpty()) { // the kernel takes its time
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(20);
      }

      assertThatExceptionOfType(NetlinkException.class)
          .isThrownBy(() -> inside.route.links().list(LinkQuery.lean().inNamespace(77)))
          .withMessageStartingWith("list links: EINVAL");
      assertThatExceptionOfType(NetlinkException.class)
          .isThrownBy(() -> inside.route.links().change(link, LinkSettings.none().namespaceId(77)))
          .withMessageContaining("veth0: EINVAL");
      assertThat(TestNamespace.own(inside.route.links().list())).hasSize(3);
    }
  }

  @Test
  void theNamespaceOfAProcessThatHasEndedIsATypedError() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();

    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> NetworkNamespace.ofProcess(process.pid()))
        .withMessage("open /proc/" + process.pid() + "/ns/net: ENOENT");
  }

  @Test
  @EnabledIf(TestNamespace.MAY)
  void aSocketThatAnotherThreadClosesInTheMiddleOfAListSaysSo() throws Exception {
    try (TestNamespace inside = new TestNamespace()) {
      for (int i = 0; i < 20; i++) {
        inside.veth("a" + i, "b" + i);
      }
      for (int round = 0; round < 20; round++) {
        RouteNetlink route = RouteNetlink.open(inside.namespace);
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        Thread asking =
            new Thread(
                () -> {
                  try {
                    while (true) {
                      assertThat(TestNamespace.own(route.links().list())).hasSize(41);
                      busy.countDown();
                    }
                  } catch (IOException | RuntimeException | AssertionError e) {
                    outcome.complete(e);
                  }
                });
        asking.start();
        busy.await();
        route.close();

        assertThat(outcome.get())
            .isInstanceOf(NetlinkException.Closed.class)
            .hasMessage("list links: the socket is closed");
      }
    }
  }

  @Test
  @EnabledIf(TestNamespace.MAY)
  void aMonitorThatAnotherThreadClosesWakesUp() throws Exception {
    try (TestNamespace inside = new TestNamespace()) {
      RouteMonitor monitor = RouteMonitor.open(inside.namespace, Set.of(ObjectKind.LINK));
      CompletableFuture<Throwable> outcome = new CompletableFuture<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  monitor.await(java.time.Duration.ofMinutes(5));
                  outcome.complete(new AssertionError("no exception"));
                } catch (IOException | RuntimeException e) {
                  outcome.complete(e);
                }
              });
      waiting.start();
      monitor.close();

      assertThat(outcome.get()).isInstanceOf(NetlinkException.Closed.class);
    }
  }

  @Test
  void moreWaysThanFitAreRefused() {
    List<NextHop> ways = Collections.nCopies(5_000, NextHop.via(IpAddress.parse("192.0.2.1")));
    Route route = Route.to(IpPrefix.ALL_V4);

    assertThat(route.withNextHops(ways.subList(0, 4_000)).nextHops()).hasSize(4_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> route.withNextHops(ways))
        .withMessage("RTA_MULTIPATH of 80000 bytes, must be at most 65531");
  }

  private static InterfaceAddress address(String text) {
    return InterfaceAddress.of(7, IpPrefix.parse(text));
  }

  /** The kernel would cut them, or ignore them, without a word. */
  static Stream<Arguments> ofAnotherKind() {
    IpAddress v4 = IpAddress.parse("192.0.2.1");
    IpAddress v6 = IpAddress.parse("fd00::7");
    IpPrefix net4 = IpPrefix.parse("192.0.2.0/24");
    IpPrefix net6 = IpPrefix.parse("fd00::/64");
    return Stream.of(
        arguments("peer", (Runnable) () -> address("10.3.0.1/32").withPeer(v6)),
        arguments("peer of IPv6", (Runnable) () -> address("fd00::1/64").withPeer(v4)),
        arguments("broadcast", (Runnable) () -> address("10.3.0.1/24").withBroadcast(v6)),
        arguments("broadcast of IPv6", (Runnable) () -> address("fd00::1/64").withBroadcast(v6)),
        arguments("label of IPv6", (Runnable) () -> address("fd00::1/64").withLabel("eth0:1")),
        arguments("source", (Runnable) () -> Route.to(net6).withSource(net4)),
        arguments("no source", (Runnable) () -> Route.to(net6).withSource(IpPrefix.ALL_V4)),
        arguments("preferred source", (Runnable) () -> Route.to(net4).withPreferredSource(v6)),
        arguments("rule from", (Runnable) () -> Rule.lookup(false, 7).withSource(net6)),
        arguments("rule to", (Runnable) () -> Rule.lookup(true, 7).withDestination(net4)),
        arguments("MTU", (Runnable) () -> LinkSettings.none().attribute(65_536 + 4, new byte[4])),
        arguments("-1", (Runnable) () -> LinkSettings.none().attribute(-1, new byte[4])),
        arguments("70000", (Runnable) () -> LinkSettings.none().attribute(70_000, new byte[4])),
        arguments("half a pair", (Runnable) () -> LinkSettings.none().name("x\ud800")),
        arguments("alias", (Runnable) () -> LinkSettings.none().alias("a\udc00b")),
        arguments("label", (Runnable) () -> address("10.3.0.1/24").withLabel("e\ud800")),
        arguments("key", (Runnable) () -> LinkKey.of("e0\ud800")),
        arguments("iif", (Runnable) () -> Rule.lookup(false, 7).withInputLink("\ud800")),
        arguments("table", (Runnable) () -> Rule.lookup(false, 0)),
        arguments("object", (Runnable) () -> NextHopObject.via(0, v4, 7)),
        arguments("group", (Runnable) () -> NextHopObject.group(0, Map.of(7, 1))),
        arguments("members", (Runnable) () -> LinkQuery.lean().membersOf(0)),
        arguments("kind", (Runnable) () -> LinkQuery.lean().ofKind("")),
        arguments("namespace", (Runnable) () -> LinkQuery.lean().inNamespace(-1)),
        arguments("of a route", (Runnable) () -> Route.to(net4).withAttribute(-1, new byte[4])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ofAnotherKind")
  void valuesOfAnotherKindAreRefused(String what, Runnable setting) {
    assertThatIllegalArgumentException().as(what).isThrownBy(setting::run);
  }

  @Test
  @EnabledIf(TestNamespace.MAY)
  void hardwareAddressesOfAnotherLengthAreRefused() throws IOException {
    try (TestNamespace inside = new TestNamespace()) {
      Link link = inside.veth("veth0", "veth1");
      HardwareAddress longer = HardwareAddress.parse("02:00:00:00:00:01:02:03");
      IpAddress other = IpAddress.parse("192.0.2.9");
      Neighbour neighbour = Neighbour.permanent(link.index(), other, longer);
      LinkSettings own = LinkSettings.none().address(longer);

      assertThatIllegalArgumentException()
          .isThrownBy(() -> inside.route.links().change(link, own))
          .withMessage(
              "hardware address 02:00:00:00:00:01:02:03 has 8 bytes, but the hardware addresses "
                  + "of link veth0 have 6");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> inside.route.links().change(LinkKey.of("veth0"), own.up()));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> inside.route.links().change(link, LinkSettings.none().broadcast(longer)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> inside.route.links().create(NewLink.bridge("br0").with(own)));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> inside.route.neighbours().add(neighbour));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> inside.route.neighbours().replace(neighbour));
      assertThat(inside.route.neighbours().list(link)).noneMatch(Neighbour::isPermanent);
      assertThat(inside.route.links().get("veth0").address()).isEqualTo(link.address());
    }
  }
}
