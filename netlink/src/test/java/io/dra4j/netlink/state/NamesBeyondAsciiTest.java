package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkCache;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of links are bytes: fifteen of UTF-8, and whatever else somebody has written there. */
@EnabledIf(Host.MAY)
class NamesBeyondAsciiTest extends TwoHosts {

  /** Of fifteen bytes, in characters of one, two, three and four. */
  private static final String NAME = "Zürich-日" + "\uD83D\uDE80";

  /** Through our own calls alone, so that a process of another locale can do it, too. */
  private static void makeAndBringBack(NetworkNamespace host, NetworkNamespace pod)
      throws IOException {
    try (RouteNetlink route = RouteNetlink.open(host)) {
      Link link = route.links().create(NewLink.veth(NAME, "other"));
      assertThat(link.name()).isEqualTo(NAME);
      assertThat(route.links().get(NAME).index()).isEqualTo(link.index());
      route.rules().add(Rule.lookup(false, 910).withInputLink(NAME).withPriority(910));
      assertThat(route.rules().list()).anyMatch(rule -> rule.inputLink().equals(NAME));
      try (LinkCache cache = LinkCache.follow(host);
          Ethtool ethtool = Ethtool.open(host)) {
        assertThat(cache.snapshot().find(NAME)).isPresent();
        assertThat(ethtool.features(LinkKey.of(NAME))).isNotEmpty();
        assertThat(Ethtool.driver(host, LinkKey.of(NAME)).driver()).isEqualTo("veth");
      }
      LinkSysctls sysctls = LinkSysctls.of(host, NAME);
      sysctls.set("ipv4/conf/arp_ignore", "2");
      assertThat(sysctls.get("ipv4/conf/arp_ignore")).isEqualTo("2");
      assertThat(sysctls.getAll()).containsEntry("ipv4/conf/arp_ignore", "2");
      host.setSysctl("net/ipv4/neigh/" + NAME + "/gc_stale_time", "55");
      assertThat(host.sysctl("net/ipv4/neigh/" + NAME + "/gc_stale_time")).isEqualTo("55");

      LinkState before = LinkState.capture(host, NAME);
      assertThat(LinkState.parse(before.toText())).isEqualTo(before);
      route.links().change(link, LinkSettings.none().name("net1").namespace(pod));
      try (RouteNetlink inside = RouteNetlink.open(pod)) {
        Link there = inside.links().get("net1");
        inside.links().change(there, LinkSettings.none().name(NAME).namespace(host));
      }
      assertThat(sysctls.get("ipv4/conf/arp_ignore")).isEqualTo("0");
      assertThat(before.restore(host, NAME).left()).isEmpty();
      assertThat(before.changesTo(LinkState.capture(host, NAME))).isEmpty();
      assertThat(sysctls.get("ipv4/conf/arp_ignore")).isEqualTo("2");
    }
  }

  /** {@link #makeAndBringBack}, in a process. */
  public static void main(String[] args) throws IOException {
    try (NetworkNamespace host = NetworkNamespace.create();
        NetworkNamespace pod = NetworkNamespace.create()) {
      makeAndBringBack(host, pod);
    }
  }

  @Test
  void aNameOfFifteenBytesGoesEverywhere() throws IOException {
    assertThat(NAME.getBytes(StandardCharsets.UTF_8)).hasSize(15);

    makeAndBringBack(host.namespace, pod.namespace);

    assertThat(host.json("ip -j link show").toString()).contains("\"" + NAME + "\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkSettings.none().name(NAME + "x"))
        .withMessageContaining("1 to 15 bytes");
  }

  /** Where the JVM cannot put such a name into the name of a file. */
  @Test
  void theLocaleDoesNotMatter() throws Exception {
    ProcessBuilder java =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            NamesBeyondAsciiTest.class.getName());
    java.environment().put("LC_ALL", "C");
    Process process = java.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
  }

  /** It is told with replacement characters, and the link is found by its index. */
  @Test
  void aNameThatIsNoTextIsLeftAsItIs() throws IOException {
    host.ip("link add nic0 type veth peer name nic1", "addr add 192.0.2.5/24 dev nic0");
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      byte[] noText = {'a', (byte) 0xff, (byte) 0xfe, 0};
      route.links().change(LinkKey.of("nic0"), LinkSettings.none().attribute("IFNAME", noText));
      List<Link> links = route.links().list();
      Link odd =
          links.stream()
              .filter(link -> link.name().startsWith("a\uFFFD"))
              .findFirst()
              .orElseThrow();
      LinkState before = LinkState.capture(host.namespace, odd);
      host.ip("link set dev nic1 up");
      route.links().change(odd, LinkSettings.none().mtu(1_400));

      assertThat(before.restore(host.namespace, odd).left()).isEmpty();
      assertThat(route.links().get(odd.index()).mtu()).isEqualTo(1_500);
    }
  }

  /** The kernel takes any bytes, from {@code /sys} for one. */
  @ParameterizedTest
  @ValueSource(strings = {"Z\u00fcrich", "\u00ff\u00fe", "\u00ef\u00bf\u00bd\n", "a=b"})
  void anAliasThatIsNoTextComesBack(String latin) throws IOException {
    byte[] alias = latin.getBytes(StandardCharsets.ISO_8859_1);
    host.ip("link add nic0 type veth peer name nic1");
    try (RouteNetlink route = RouteNetlink.open(host.namespace)) {
      LinkKey nic = LinkKey.of("nic0");
      route.links().change(nic, LinkSettings.none().attribute("IFALIAS", alias));
      byte[] told = route.links().details(nic).attributes().bytes("IFALIAS").orElseThrow();
      LinkState before = LinkState.parse(LinkState.capture(host.namespace, "nic0").toText());
      route.links().change(nic, LinkSettings.none().alias("pod"));

      assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();

      assertThat(route.links().details(nic).attributes().bytes("IFALIAS")).contains(told);
    }
  }
}
