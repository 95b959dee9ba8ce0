package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.model.Device;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links that cannot be moved: discovery does not offer them, and attaching refuses the same links.
 */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class ObstaclesTest {

  private TestHost host;
  private TestHost pod;
  private Attacher attacher;
  private final List<String> notices = new ArrayList<>();
  private final MemoryJournal journal = new MemoryJournal();

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip(
        "link set lo up",
        "link add nic0 type veth peer name other0",
        "link set other0 up",
        "link set nic0 up",
        "addr add 10.0.0.5/24 dev nic0");
    attacher = Attacher.in(host.namespace(), notices::add);
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  private void attach(String link, String json) throws DriverException {
    attacher.attach(
        List.of(AttachRequest.ofLink(link, NetworkConfig.parse(json.replace('\'', '"')))),
        pod.namespace(),
        journal);
  }

  private List<String> offered() throws IOException {
    try (NetworkDriver driver =
        NetworkDriver.builder().namespace(host.namespace()).filter((name, one) -> true).build()) {
      return driver.discover(HostInventory.builder().build()).stream().map(Device::name).toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "link add x0 type bridge | x0 | x0 cannot be moved: a link of kind bridge stays | INVALID",
        "link add x0 type vrf table 7 | x0 | x0 cannot be moved: a link of kind vrf stays | INVALID",
        "link set lo up | lo | lo cannot be moved: a link of kind loopback stays | INVALID",
        "link add x0 type bridge; link set nic0 master x0 | nic0 | nic0 cannot be moved:"
            + " it is a member of bridge x0; remove it first (ip link set nic0 nomaster) |"
            + " INVALID",
        "link add x0 link nic0 type macvlan | nic0 | nic0 cannot be moved: other links are built"
            + " on nic0: x0; delete them first | INVALID",
        "link add x0 link nic0 type vlan id 7 | nic0 | nic0 cannot be moved: other links are"
            + " built on nic0: x0; | INVALID",
        "link add x0 type vxlan id 7 dev nic0 dstport 4789 | nic0 | nic0 cannot be moved: other"
            + " links are built on nic0: x0; | INVALID",
        "link add x0 link nic0 type ipvlan | nic0 | nic0 cannot be moved: other links are built"
            + " on nic0: x0; | INVALID",
        "route add default via 10.0.0.1 | nic0 | nic0 is an uplink of the host | UNAVAILABLE",
        "nexthop add id 7 via 10.0.0.1 dev nic0; sysctl net.ipv4.nexthop_compat_mode; route add"
            + " default nhid 7 | nic0 | nic0 is an uplink of the host | UNAVAILABLE",
        "route add default via 10.0.0.1 proto ra metric 5 | nic0 | nic0 is an uplink of the host:"
            + " a default route uses it, which comes from a router advertisement | UNAVAILABLE",
      })
  void whatStaysIsNotOfferedAndRefused(String lines, String link, String reason, String kind)
      throws Exception {
    for (String line : lines.split(";", -1)) {
      try {
        if (line.strip().startsWith("sysctl ")) {
          String path = line.strip().substring("sysctl ".length()).replace('.', '/');
          host.namespace().setSysctl(path, "0");
        } else {
          host.ip(line.strip());
        }
      } catch (AssertionError e) {
        Assumptions.abort("the kernel has no such link: " + line);
      }
    }

    assertThat(offered()).doesNotContain(link);
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> attach(link, "{}"))
        .withMessageStartingWith("device " + link + ": " + reason)
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.valueOf(kind)));
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void whatIsOfferedCanBeMoved() throws Exception {
    host.ip(
        "link add mac0 link other0 type macvlan",
        "link add br0 type bridge",
        "link add nic1 type veth peer name other1",
        "link set other1 master br0",
        "link add nic2 type veth peer name other2");

    List<String> offered = new ArrayList<>(offered());
    assertThat(offered).contains("mac0", "nic0", "nic1", "nic2", "other2");
    assertThat(offered).doesNotContain("br0", "other0", "other1", "lo");
    for (String one : offered) {
      assertThat(attacher.dryRun(List.of(AttachRequest.ofLink(one, NetworkConfig.EMPTY)), null))
          .isNotEmpty();
    }
  }

  @Test
  void anUplinkIsTakenByForceAndComesBackAsOne() throws Exception {
    host.ip("route add default via 10.0.0.1");
    List<String> before = host.seen("nic0");
    attacher = attacher.takingUplinks();

    attach("nic0", "{'interface': {'name': 'net1', 'addresses': ['10.9.0.5/24']}}");
    journal.undo(step -> attacher.undo(step, pod.namespace()));

    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  /** Nearly every pod has a default route by its first interface. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "route add default via 172.16.0.1 | 0.0.0.0/0 | 10.0.0.1 | default | 0.0.0.0/0 via"
            + " 172.16.0.1 dev eth0",
        "route add 10.7.0.0/16 dev eth0 | 10.7.0.0/16 | 10.0.0.1 | 10.7.0.0/16 | 10.7.0.0/16 dev"
            + " eth0",
        "route add default via 2001:db8::1 dev eth0 proto ra metric 1024 | ::/0 | 2001:db8:5::1"
            + " | default | ::/0 via 2001:db8::1 dev eth0",
      })
  void aDestinationThatThePodRoutesIsRefusedWithTheRoute(
      String line, String destination, String gateway, String shown, String there)
      throws Exception {
    pod.ip(
        "link add eth0 type veth peer name eth0p",
        "link set eth0p up",
        "link set eth0 up",
        "addr add 172.16.0.2/24 dev eth0",
        "addr add 2001:db8::2/64 dev eth0 nodad",
        line);
    String podBefore = pod.routes("ip -4 route show table all");
    List<String> before = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () ->
                attach(
                    "nic0",
                    "{'interface': {'name': 'net1', 'addresses': ['10.0.0.5/24',"
                        + " '2001:db8:5::5/64']}, 'routes': [{'destination': '198.18.0.0/15',"
                        + " 'gateway': '10.0.0.1'}, {'destination': '"
                        + destination
                        + "', 'gateway': '"
                        + gateway
                        + "'}]}"))
        .withMessageStartingWith(
            "device nic0: /routes/1/destination: the pod already has a route to " + shown + ": ")
        .withMessageContaining(there)
        .satisfies(e -> assertThat(e.field()).isEqualTo("/routes/1/destination"))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID));
    assertThat(journal.steps()).isEmpty();
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.routes("ip -4 route show table all")).isEqualTo(podBefore);
  }

  @ParameterizedTest
  @ValueSource(strings = {"metric 100", "table 77"})
  void aRouteOfAnotherMetricOrTableIsNoneOfTheSame(String other) throws Exception {
    pod.ip(
        "link add eth0 type veth peer name eth0p",
        "link set eth0 up",
        "addr add 172.16.0.2/24 dev eth0",
        "route add default via 172.16.0.1 dev eth0 onlink " + other);

    attach(
        "nic0",
        "{'interface': {'name': 'net1'}, 'routes': [{'destination': '0.0.0.0/0', 'gateway':"
            + " '10.0.0.1'}]}");

    assertThat(pod.run("ip route")).contains("default via 10.0.0.1 dev net1");
  }

  /** Names of links may have signs that mean something in an expression. */
  @Test
  void aLinkOfThePodMayHaveADollarInItsName() throws Exception {
    pod.ip(
        "link add x$1 type veth peer name xp",
        "link set x$1 up",
        "addr add 172.16.0.2/24 dev x$1",
        "route add 198.18.0.0/15 via 172.16.0.1 dev x$1 onlink");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () ->
                attach(
                    "nic0",
                    "{'interface': {'name': 'net1'}, 'routes': [{'destination': '198.18.0.0/15',"
                        + " 'gateway': '10.0.0.1'}]}"))
        .withMessageContaining("198.18.0.0/15 via 172.16.0.1 dev x$1");
  }

  /** The claim did not request it. */
  @Test
  void aRouteOfTheHostThatThePodHasIsLeftOutAndReported() throws Exception {
    pod.ip(
        "link add eth0 type veth peer name eth0p",
        "link set eth0 up",
        "addr add 172.16.0.2/24 dev eth0",
        "route add 10.7.0.0/16 via 172.16.0.1 dev eth0 onlink");
    host.ip("route add 10.7.0.0/16 via 10.0.0.1", "route add 10.8.0.0/16 via 10.0.0.1");

    attach("nic0", "{'interface': {'name': 'net1'}}");

    assertThat(pod.run("ip route"))
        .contains("10.7.0.0/16 via 172.16.0.1 dev eth0", "10.8.0.0/16 via 10.0.0.1 dev net1")
        .doesNotContain("10.7.0.0/16 via 10.0.0.1");
    assertThat(notices)
        .singleElement()
        .asString()
        .startsWith("nic0: route 10.7.0.0/16 via 10.0.0.1 dev net1")
        .contains(
            "of the host is left out: the pod already has 10.7.0.0/16 via 172.16.0.1 dev eth0");
  }

  @Test
  void theSameRouteOfTwoDevicesIsReported() throws Exception {
    host.ip("link add nic1 type veth peer name other1", "link set nic1 up");
    NetworkConfig config =
        NetworkConfig.parse(
            "{\"interface\": {\"name\": \"net%d\"}, \"routes\": [{\"destination\": \"10.7.0.0/16\","
                + " \"scope\": 253}]}");
    AttachRequest first = AttachRequest.ofLink("nic0", config);
    AttachRequest second = new AttachRequest("nic1", "nic1", null, config, 1, OptionalInt.empty());

    attacher.attach(List.of(first, second), pod.namespace(), journal);

    assertThat(pod.run("ip route")).contains("10.7.0.0/16 dev net0");
    assertThat(notices)
        .singleElement()
        .asString()
        .contains("nic1: route 10.7.0.0/16 dev net1", "has no effect: another device of the claim");
  }
}
