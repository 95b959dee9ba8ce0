package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.linux.Privileges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What links of a kind have of their own, made by {@code ip} or by us, and read by the other. */
@EnabledIf(TestNamespace.MAY)
class LinkKindsTest {

  private static final List<String> BOND_MODES =
      List.of(
          "balance-rr",
          "active-backup",
          "balance-xor",
          "broadcast",
          "802.3ad",
          "balance-tlb",
          "balance-alb");
  private static final List<String> HASH_POLICIES =
      List.of("layer2", "layer3+4", "layer2+3", "encap2+3", "encap3+4", "vlan+srcmac");
  private static final List<String> VLAN_FLAGS =
      List.of("REORDER_HDR", "GVRP", "LOOSE_BINDING", "MVRP", "BRIDGE_BINDING");

  private TestNamespace inside;
  private Links links;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    links = inside.route.links();
    inside.veth("veth0", "veth1");
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private LinkData seenByIp(String name) throws IOException {
    JsonNode information = inside.ipLink(name).get("linkinfo");
    JsonNode data = information.path("info_data");
    return switch (information.get("info_kind").asText()) {
      case "vlan" -> new LinkData.Vlan(data.get("id").asInt(), protocol(data, ""), vlanFlags(data));
      case "macvlan" ->
          new LinkData.Macvlan(
              LinkData.MacvlanMode.valueOf(data.get("mode").asText().toUpperCase(Locale.ROOT)),
              (data.has("nopromisc") ? 1 : 0) | (data.has("nodst") ? 2 : 0));
      case "ipvlan" ->
          new LinkData.Ipvlan(
              LinkData.IpvlanMode.valueOf(data.get("mode").asText().toUpperCase(Locale.ROOT)),
              data.has("private") ? 1 : data.has("vepa") ? 2 : 0);
      case "vrf" -> new LinkData.Vrf(data.get("table").asInt());
      case "bond" ->
          new LinkData.Bond(
              BOND_MODES.indexOf(data.get("mode").asText()),
              data.has("active_slave")
                  ? OptionalInt.of(links.get(data.get("active_slave").asText()).index())
                  : OptionalInt.empty(),
              data.get("miimon").asInt(),
              HASH_POLICIES.indexOf(data.get("xmit_hash_policy").asText()),
              data.path("ad_lacp_rate").asText("slow").equals("fast") ? 1 : 0);
      case "bridge" ->
          new LinkData.Bridge(
              data.get("stp_state").asInt() != 0,
              data.path("vlan_filtering").asInt() != 0,
              protocol(data, "vlan_"),
              data.get("priority").asInt(),
              data.get("mcast_snooping").asInt() != 0,
              data.get("ageing_time").asInt());
      default -> new LinkData.None();
    };
  }

  private static int protocol(JsonNode data, String prefix) {
    return data.path(prefix + "protocol").asText().equals("802.1ad") ? 0x88a8 : 0x8100;
  }

  private static int vlanFlags(JsonNode data) {
    int flags = 0;
    for (JsonNode flag : data.get("flags")) {
      flags |= 1 << VLAN_FLAGS.indexOf(flag.asText());
    }
    return flags;
  }

  /** Whether {@code ip} could make a link named x; it cannot where the kernel lacks the kind. */
  private boolean ipMakes(String before, String kind) throws IOException {
    Privileges.assumeInstalled("ip");
    String output =
        inside.namespace.call(
            () -> {
              String line = "ip link add " + before + " name x type " + kind;
              Process process =
                  new ProcessBuilder(line.strip().split(" +", -1))
                      .redirectErrorStream(true)
                      .start();
              process.getOutputStream().close();
              return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            });
    assertThat(output)
        .matches("|Error: Unknown device type\\.\n|RTNETLINK answers: Operation not supported\n");
    return output.isEmpty();
  }

  private void assertSame(String kind) throws IOException {
    Link link = links.get("x");
    assertThat(link.kind()).isEqualTo(kind);
    assertThat(link.data()).isEqualTo(seenByIp("x"));
    assertThat(links.list())
        .filteredOn(one -> one.name().equals("x"))
        .singleElement()
        .satisfies(one -> assertThat(one.data()).isEqualTo(link.data()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "macvlan mode private",
        "macvlan mode vepa",
        "macvlan mode bridge",
        "macvlan mode passthru",
        "macvlan mode passthru nopromisc",
        "bridge",
        "bridge stp_state 1 priority 4096 mcast_snooping 0 ageing_time 1000",
      })
  void kindsOfAllKernelsAreReadAsIpReadsThem(String kind) throws IOException {
    assertThat(ipMakes(below(kind), kind)).isTrue();
    assertSame(kind.split(" ", -1)[0]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dummy",
        "vlan id 5",
        "vlan id 4094 protocol 802.1ad gvrp on loose_binding on",
        "bridge vlan_filtering 1 vlan_protocol 802.1ad",
        "ipvlan mode l2",
        "ipvlan mode l3 vepa",
        "ipvlan mode l3s private",
        "vrf table 77",
        "bond mode balance-rr",
        "bond mode active-backup miimon 100",
        "bond mode balance-xor xmit_hash_policy vlan+srcmac",
        "bond mode 802.3ad lacp_rate fast xmit_hash_policy layer3+4",
      })
  void kindsThatKernelsMayLackAreReadAsIpReadsThem(String kind) throws IOException {
    assumeTrue(ipMakes(below(kind), kind), "the kernel has no " + kind);
    assertSame(kind.split(" ", -1)[0]);
  }

  private static String below(String kind) {
    return kind.contains("vlan ") && !kind.startsWith("bridge") ? "link veth0" : "";
  }

  private void make(NewLink link) throws IOException {
    assumeTrue(inside.has(link), "the kernel has no such kind");
  }

  @Test
  void aVlanIsMadeAsIpSeesIt() throws IOException {
    make(NewLink.vlan("x", links.get("veth0").index(), 77));

    assertSame("vlan");
    assertThat(inside.ipLink("x").get("link").asText()).isEqualTo("veth0");
    assertThat(seenByIp("x")).isEqualTo(new LinkData.Vlan(77, 0x8100, 1));
  }

  @ParameterizedTest
  @EnumSource
  void anIpvlanIsMadeAsIpSeesIt(LinkData.IpvlanMode mode) throws IOException {
    make(NewLink.ipvlan("x", links.get("veth0").index(), mode));

    assertSame("ipvlan");
    assertThat(seenByIp("x")).isEqualTo(new LinkData.Ipvlan(mode, 0));
  }

  @ParameterizedTest
  @EnumSource
  void aMacvlanIsMadeAsIpSeesIt(LinkData.MacvlanMode mode) throws IOException {
    links.create(NewLink.macvlan("x", links.get("veth0").index(), mode));

    assertSame("macvlan");
    assertThat(seenByIp("x")).isEqualTo(new LinkData.Macvlan(mode, 0));
  }

  @Test
  void aDummyIsMadeAsIpSeesIt() throws IOException {
    make(NewLink.ofKind("x", "dummy").with(LinkSettings.none().mtu(9_000).up()));

    assertSame("dummy");
    assertThat(inside.ipLink("x").get("mtu").asInt()).isEqualTo(9_000);
  }

  @Test
  void aVrfIsMadeWithItsMemberAndTableAsIpSeesThem() throws IOException {
    make(NewLink.vrf("x", 1_234).with(LinkSettings.none().up()));
    Link member = links.get("veth0");
    links.change(member, LinkSettings.none().up());
    links.change(links.get("veth1"), LinkSettings.none().up());
    links.change(member, LinkSettings.none().master(links.get("x").index()));
    inside
        .route
        .addresses()
        .add(InterfaceAddress.of(member.index(), IpPrefix.parse("192.0.2.5/24")));

    assertSame("vrf");
    assertThat(seenByIp("x")).isEqualTo(new LinkData.Vrf(1_234));
    JsonNode ip = inside.ipLink("veth0");
    assertThat(ip.get("master").asText()).isEqualTo("x");
    assertThat(links.get("veth0").masterIndex()).hasValue(links.get("x").index());
    assertThat(links.get("veth0").memberKind())
        .isEqualTo(ip.get("linkinfo").get("info_slave_kind").asText())
        .isEqualTo("vrf");
    assertThat(inside.ip("route show table 1234").findValuesAsText("dst")).contains("192.0.2.0/24");
    assertThat(inside.route.routes().list(1_234))
        .extracting(Route::destination)
        .contains(IpPrefix.parse("192.0.2.0/24"));
  }

  @Test
  void aBondIsMadeWithItsActiveMemberAsIpSeesIt() throws IOException {
    make(NewLink.bond("x", 1));
    Link member = links.get("veth0");
    links.change(links.get("veth1"), LinkSettings.none().up());
    links.change(member, LinkSettings.none().master(links.get("x").index()));
    links.change(links.get("x"), LinkSettings.none().up());

    assertSame("bond");
    assertThat(seenByIp("x"))
        .isEqualTo(new LinkData.Bond(1, OptionalInt.of(member.index()), 0, 0, 0));
    assertThat(links.get("veth0").memberKind()).isEqualTo("bond");
  }
}
