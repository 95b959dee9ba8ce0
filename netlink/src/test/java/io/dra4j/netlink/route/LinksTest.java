package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links in a namespace of their own, compared with what {@code ip -d -j} says of them. */
@EnabledIf(TestNamespace.MAY)
class LinksTest {

  private TestNamespace inside;
  private Links links;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    links = inside.route.links();
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private static int number(JsonNode node, String field) {
    return node.path(field).asInt(0);
  }

  /** Both views of all links, taken when nothing moved in between. */
  private void assertAllSame() throws IOException {
    for (int attempt = 1; ; attempt++) {
      JsonNode before = inside.ip("link show");
      List<Link> listed = links.list();
      List<Link> byIndex = new ArrayList<>();
      List<Link> byName = new ArrayList<>();
      for (Link link : listed) {
        byIndex.add(links.get(link.index()));
        byName.add(links.get(link.name()));
      }
      if (before.equals(inside.ip("link show")) || attempt == 50) {
        assertThat(listed).hasSize(before.size());
        for (int i = 0; i < listed.size(); i++) {
          Agreement.checkLink(listed.get(i), before.get(i));
          Agreement.checkLink(byIndex.get(i), before.get(i));
          Agreement.checkLink(byName.get(i), before.get(i));
        }
        return;
      }
    }
  }

  @Test
  void anEmptyNamespaceHasItsLoopback() throws IOException {
    assertThat(TestNamespace.own(links.list()))
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.isLoopback()).isTrue();
              assertThat(link.hardwareType()).isEqualTo(772);
              assertThat(link.kind()).isEmpty();
            });
    assertAllSame();
  }

  @Test
  void linksOfAllKindsAreReadAsIpReadsThem() throws IOException {
    Link pair = inside.veth("veth0", "veth1");
    links.create(NewLink.bridge("br0").with(LinkSettings.none().up()));
    links.create(NewLink.macvlan("mv0", pair.index(), LinkData.MacvlanMode.BRIDGE));
    Link bridge = links.get("br0");
    links.change(links.get("veth1"), LinkSettings.none().master(bridge.index()).up());
    links.change(pair, LinkSettings.none().up().alias("übung").sendQueueLength(77));
    links.addAlternativeName(pair, "a-name-that-is-longer-than-others");
    links.addAlternativeName(pair, "other");

    assertAllSame();
    assertThat(links.get("veth1").masterIndex()).hasValue(bridge.index());
    assertThat(links.get("veth1").parentIndex()).hasValue(pair.index());
    assertThat(links.get("mv0").parentIndex()).hasValue(pair.index());
  }

  @Test
  void everyKindThatTheKernelHasIsMadeWithItsData() throws IOException {
    Link parent = inside.veth("veth0", "veth1");
    record Case(NewLink link, String name, String kind, LinkData data) {}
    List<Case> cases =
        List.of(
            new Case(
                NewLink.vlan("vlan5", parent.index(), 5),
                "vlan5",
                "vlan",
                new LinkData.Vlan(5, 0x8100, 1)),
            new Case(
                NewLink.macvlan("mv0", parent.index(), LinkData.MacvlanMode.PRIVATE),
                "mv0",
                "macvlan",
                new LinkData.Macvlan(LinkData.MacvlanMode.PRIVATE, 0)),
            new Case(
                NewLink.ipvlan("ipv0", links.get("veth1").index(), LinkData.IpvlanMode.L3S),
                "ipv0",
                "ipvlan",
                new LinkData.Ipvlan(LinkData.IpvlanMode.L3S, 0)),
            new Case(NewLink.vrf("vrf0", 77), "vrf0", "vrf", new LinkData.Vrf(77)),
            new Case(
                NewLink.bond("bond1", 1),
                "bond1",
                "bond",
                new LinkData.Bond(1, java.util.OptionalInt.empty(), 0, 0, 0)),
            new Case(
                NewLink.bridge("br1"),
                "br1",
                "bridge",
                new LinkData.Bridge(false, false, 0x8100, 32768, true, 30_000)),
            new Case(NewLink.ofKind("dummy9", "dummy"), "dummy9", "dummy", new LinkData.None()));
    int made = 0;
    for (Case one : cases) {
      if (inside.has(one.link)) {
        made++;
        Link link = links.get(one.name);
        assertThat(link.kind()).isEqualTo(one.kind);
        if (!(one.data instanceof LinkData.Bridge) || link.data() instanceof LinkData.Bridge) {
          assertThat(link.data()).isEqualTo(one.data);
        }
      }
    }
    assertThat(made).isGreaterThanOrEqualTo(2);
    assertAllSame();
  }

  @Test
  void leanListsLeaveOutStatistics() throws IOException {
    inside.veth("veth0", "veth1");

    assertThat(TestNamespace.own(links.list(LinkQuery.lean())))
        .hasSize(3)
        .allSatisfy(link -> assertThat(link.statistics()).isEmpty());
  }

  @Test
  void listsCanBeOfOneKindOrOneMaster() throws IOException {
    inside.veth("veth0", "veth1");
    links.create(NewLink.bridge("br0"));
    links.change(links.get("veth0"), LinkSettings.none().master(links.get("br0").index()));

    assertThat(links.list(LinkQuery.lean().ofKind("bridge")))
        .extracting(Link::name)
        .containsExactly("br0");
    assertThat(links.list(LinkQuery.lean().membersOf(links.get("br0").index())))
        .extracting(Link::name)
        .containsExactly("veth0");
    assertThat(links.list(LinkQuery.lean().ofKind("bridge").membersOf(1_000_000))).isEmpty();
  }

  @Test
  void linksAreFoundByAlternativeNames() throws IOException {
    Link link = inside.veth("veth0", "veth1");
    String name = "a-name-of-more-than-fifteen-bytes";
    links.addAlternativeName(link, name);
    links.addAlternativeName(link, "short");

    assertThat(links.get(name).name()).isEqualTo("veth0");
    assertThat(links.get("short").name()).isEqualTo("veth0");
    links.removeAlternativeName(link, name);
    assertThat(links.find(name)).isEmpty();
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> links.addAlternativeName(link, "veth1"));
  }

  @Test
  void settingsAreAppliedTogether() throws IOException {
    Link link = inside.veth("veth0", "veth1");
    HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:05");

    links.change(
        link,
        LinkSettings.none()
            .name("net0")
            .mtu(1_400)
            .address(address)
            .group(7)
            .gsoMaxSize(60_000)
            .groMaxSize(50_000)
            .up());

    JsonNode ip = inside.ipLink("net0");
    assertThat(number(ip, "mtu")).isEqualTo(1_400);
    assertThat(ip.get("address").asText()).isEqualTo("02:00:00:00:00:05");
    assertThat(ip.get("group").asText()).isEqualTo("7");
    assertThat(number(ip, "gso_max_size")).isEqualTo(60_000);
    assertThat(number(ip, "gro_max_size")).isEqualTo(50_000);
    assertThat(ip.get("flags").toString()).contains("\"UP\"");
    assertThat(links.get("net0").group()).isEqualTo(7);
    assertThat(links.get("net0").limits().groMaxSize()).isEqualTo(50_000);
    assertAllSame();
  }

  @Test
  void settingsOfOneNestAreAllApplied() throws IOException {
    for (String of : List.of("default", "all")) {
      inside.namespace.setSysctl("net/ipv6/conf/" + of + "/accept_ra", "2");
    }
    Link link = inside.veth("a", "b");
    IpAddress token = IpAddress.parse("::7");
    links.change(link, LinkSettings.none().addressGeneration(3).token(token).up());

    Link changed = links.get("a");
    assertThat(changed.addressGeneration()).hasValue(3);
    assertThat(changed.token()).contains(token);
    assertThat(inside.run("ip", "token get dev a")).contains("token ::7 ");

    Link bridge = links.create(NewLink.bridge("br"));
    Link upper = links.create(NewLink.macvlan("m", link.index(), LinkData.MacvlanMode.PRIVATE));
    links.change(upper, LinkSettings.none().master(bridge.index()));
    Attributes port = Attributes.none(LinkTables.ofMember("bridge")).with("ISOLATED", 1);
    Attributes mode = Attributes.none(LinkTables.ofKind("macvlan")).with("MODE", 2);
    links.change(upper, LinkSettings.none().member("bridge", port).kind("macvlan", mode));
    assertThat(links.get("m").memberAttributes().number("ISOLATED")).hasValue(1);
    assertThat(links.get("m").kindAttributes().number("MODE")).hasValue(2);
    links.delete(upper);

    links.change(link, LinkSettings.none().master(bridge.index()));
    links.change(link, LinkSettings.of(changed));
    assertThat(links.get("a").masterIndex()).isEmpty();
    links.delete(links.get("a"));
    assertThat(links.create(NewLink.like(changed)).token()).contains(token);
  }

  @Test
  void linksThatWereTooSmallForIpv6GetItsSettings() throws IOException {
    Link link = inside.veth("a", "b");
    links.change(link, LinkSettings.none().mtu(68).up());
    assertThat(links.get("a").addressGeneration()).isEmpty();

    links.change(link, LinkSettings.none().mtu(1500).addressGeneration(1));

    assertThat(links.get("a").addressGeneration()).hasValue(1);
    assertThat(links.get("a").mtu()).isEqualTo(1500);
  }

  @Test
  void aLinkMovesUnderAnotherNameInOneMessage() throws IOException {
    Link link = inside.veth("veth0", "veth1");
    try (TestNamespace other = new TestNamespace()) {
      links.change(
          link,
          LinkSettings.none()
              .name("net1")
              .mtu(9_000)
              .address(HardwareAddress.parse("02:00:00:00:00:09"))
              .namespace(other.namespace));

      assertThat(links.find("veth0")).isEmpty();
      JsonNode ip = other.ipLink("net1");
      assertThat(number(ip, "mtu")).isEqualTo(9_000);
      assertThat(ip.get("address").asText()).isEqualTo("02:00:00:00:00:09");
      Link moved = other.route.links().get("net1");
      assertThat(moved.parentNamespace()).isPresent();
      assertThat(moved.isUp()).isFalse();
    }
  }

  @Test
  void theOtherEndOfAPairMayBeBornElsewhere() throws IOException {
    try (TestNamespace other = new TestNamespace()) {
      links.create(NewLink.veth("veth0", "net0", other.namespace));

      assertThat(other.route.links().get("net0").kind()).isEqualTo("veth");
      assertThat(TestNamespace.own(links.list()))
          .extracting(Link::name)
          .containsExactly("lo", "veth0");
    }
  }

  @Test
  void deletedLinksAreGone() throws IOException {
    links.delete(inside.veth("veth0", "veth1"));

    assertThat(TestNamespace.own(links.list())).hasSize(1);
  }

  @Test
  void refusalsAreExplained() throws IOException {
    Link link = inside.veth("veth0", "veth1");

    assertThatExceptionOfType(NetlinkException.Refused.class)
        .isThrownBy(() -> links.change(link, LinkSettings.none().mtu(70_000)))
        .withMessage(
            "set mtu 70000 on link veth0: EINVAL, kernel says: mtu greater than device maximum");
    assertThatExceptionOfType(NetlinkException.Exists.class)
        .isThrownBy(() -> links.create(NewLink.veth("veth0", "veth2")))
        .withMessageStartingWith("create veth veth0: EEXIST");
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> links.create(NewLink.ofKind("x", "no-such-kind")))
        .withMessage("create no-such-kind x: EOPNOTSUPP, kernel says: Unknown device type");
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> links.get("none"))
        .withMessage("get link none: ENODEV");
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> links.get(4_711))
        .withMessage("get link 4711: ENODEV");
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> links.delete(links.get("lo")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "a b", "a/b", "a:b", "a%d", "a\nb", "a\u0001b", "sixteen-bytes-xx"})
  void namesThatLinksCannotHaveAreRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkSettings.none().name(name))
        .withMessageStartingWith("not a name of a link: ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContainPattern("\\p{Cntrl}"));
  }

  @ParameterizedTest
  @ValueSource(ints = {255, 1, 0})
  void anAliasMayHave255BytesAndGoAgain(int length) throws IOException {
    inside.veth("veth0", "veth1");
    links.change(links.get("veth0"), LinkSettings.none().alias("before"));

    links.change(links.get("veth0"), LinkSettings.none().alias("x".repeat(length)));

    assertThat(links.get("veth0").alias()).isEqualTo("x".repeat(length));
    assertAllSame();
  }

  @ParameterizedTest
  @MethodSource("aliases")
  void whatIsNoAliasIsRefused(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkSettings.none().alias(text))
        .withMessage(why);
  }

  static List<Arguments> aliases() {
    return List.of(
        arguments("x".repeat(254) + "ö", "alias of 256 bytes, must be at most 255"),
        arguments("a\0b", "alias contains a zero byte"));
  }

  @Test
  void anAliasIsToldWithoutControlCharacters() {
    assertThat(LinkSettings.none().alias("a\nb\u001b").toString()).isEqualTo("alias 'a?b?'");
  }

  @Test
  void namesWithControlCharactersAreShownWithoutThem() throws IOException {
    inside.run("ip", "link add type veth peer name vx");
    inside.run("ip", "link set dev veth0 name a\u0001b");

    assertThat(links.list()).extracting(Link::name).contains("a\u0001b");
    assertThat(links.list().toString()).contains("a?b").doesNotContain("\u0001");
  }

  @Test
  void linksOfAnotherNamespaceAreListedFromHere() throws IOException {
    try (TestNamespace other = new TestNamespace()) {
      other.veth("veth0", "veth1");
      int number = inside.route.namespaceIds().assign(other.namespace, 77);

      assertThat(TestNamespace.own(links.list(LinkQuery.lean().inNamespace(number))))
          .extracting(Link::name)
          .containsExactlyInAnyOrder("lo", "veth1", "veth0");
      assertThat(inside.route.namespaceIds().of(other.namespace)).hasValue(77);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "-1"})
  void indicesThatLinksCannotHaveAreRefused(int index) {
    assertThatIllegalArgumentException().isThrownBy(() -> links.get(index));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> links.change(LinkKey.of(index), LinkSettings.none().up()));
  }

  @Test
  void aLinkIsMadeAsAMemberWithSettingsOfOne() throws IOException {
    Link bridge = inside.route.links().create(NewLink.bridge("br0"));
    Attributes member =
        Attributes.none(LinkTables.ofMember("bridge")).with("COST", 7).with("GUARD", 1);

    Link port =
        inside
            .route
            .links()
            .create(
                NewLink.veth("port0", "port1")
                    .with(
                        LinkSettings.none().master(bridge.index()).member("bridge", member).up()));

    assertThat(port.masterIndex()).hasValue(bridge.index());
    assertThat(port.memberAttributes().number("COST")).hasValue(7);
    assertThat(port.memberAttributes().number("GUARD")).hasValue(1);
    assertThat(port.isUp()).isTrue();
  }
}
