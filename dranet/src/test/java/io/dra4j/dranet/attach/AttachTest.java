package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.netlink.route.LinkLimits;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links that move into a pod and return, as shown by {@code ip}. Single quotes stand for double
 * ones.
 */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class AttachTest {

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
        "link set other0 mtu 9000 up");
    attacher = Attacher.in(host.namespace(), notices::add);
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  private static AttachRequest request(String link, String json) throws ConfigurationException {
    return AttachRequest.ofLink(link, NetworkConfig.parse(json.replace('\'', '"')));
  }

  private List<AttachedLink> attach(String json) throws DriverException {
    return attacher.attach(List.of(request("nic0", json)), pod.namespace(), journal);
  }

  private void detach() throws DriverException {
    journal.undo(step -> attacher.undo(step, pod.namespace()));
  }

  private static List<String> texts(JsonNode list, String field) {
    List<String> texts = new ArrayList<>();
    list.forEach(one -> texts.add(one.path(field).asText()));
    return texts;
  }

  @Test
  void thePublishedWalkThrough() throws Exception {
    List<AttachedLink> attached =
        attach(
            "{'interface': {'name': 'gpu0rdma0', 'addresses': ['192.168.1.5/32'], 'mtu': 8896}}");

    JsonNode link = pod.json("ip -j addr show dev gpu0rdma0").get(0);
    assertThat(link.get("mtu").asInt()).isEqualTo(8896);
    assertThat(link.get("flags").toString()).contains("\"UP\"");
    JsonNode address = link.get("addr_info").get(0);
    assertThat(address.get("local").asText()).isEqualTo("192.168.1.5");
    assertThat(address.get("prefixlen").asInt()).isEqualTo(32);
    assertThat(host.run("ip -br link")).doesNotContain("nic0");
    assertThat(attached)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.interfaceName()).isEqualTo("gpu0rdma0");
              assertThat(one.hardwareAddress()).isEqualTo(link.get("address").asText());
              assertThat(one.addresses()).hasToString("[192.168.1.5/32]");
            });
  }

  @Test
  void whatBelongsToALinkGoesWithItAndComesBack() throws Exception {
    host.ip(
        "link set nic0 mtu 1400 alias storage up",
        "addr add 192.0.2.5/24 brd + dev nic0",
        "addr add 2001:db8::5/64 dev nic0 nodad",
        "route add 198.18.0.0/15 via 192.0.2.1 metric 7",
        "route add default via 192.0.2.1 dev nic0 table 100 onlink",
        "route add 2001:db8:1::/48 via 2001:db8::1 metric 99",
        "rule add from 192.0.2.0/24 lookup 100 priority 500",
        "neigh add 192.0.2.9 lladdr 02:00:00:00:00:98 dev nic0 nud permanent",
        "neigh add 2001:db8::9 lladdr 02:00:00:00:00:98 dev nic0 nud permanent");
    List<String> before = host.seen("nic0");
    String routes = host.routes("ip route show table all dev nic0 proto boot");
    String routes6 = host.routes("ip -6 route show table all dev nic0 proto boot");

    attach("{}");

    assertThat(pod.routes("ip route show table all dev nic0 proto boot")).isEqualTo(routes);
    assertThat(pod.routes("ip -6 route show table all dev nic0 proto boot")).isEqualTo(routes6);
    assertThat(pod.run("ip -br addr show dev nic0")).contains("192.0.2.5/24", "2001:db8::5/64");
    assertThat(pod.run("ip rule")).contains("500:\tfrom 192.0.2.0/24 lookup 100");
    assertThat(pod.run("ip neigh show nud permanent")).contains("192.0.2.9 dev nic0 lladdr");
    assertThat(pod.run("ip -6 neigh show nud permanent")).contains("2001:db8::9 dev nic0 lladdr");
    detach();
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.run("ip rule")).doesNotContain("500:");
    assertThat(pod.run("ip -br link")).doesNotContain("nic0");
    assertThat(notices).isEmpty();
  }

  @Test
  void aNamespaceThatTookPathAndNumberOfAnotherIsLeftAlone() throws Exception {
    attach(
        "{'interface': {'name': 'net0', 'addresses': ['192.0.2.5/24']}, 'rules': [{'priority': 500,"
            + " 'source': '192.0.2.0/24', 'table': 100}]}");
    try (TestHost other = new TestHost()) {
      other.ip(
          "link add net0 type veth peer name far0",
          "addr add 192.0.2.5/24 dev net0",
          "rule add from 192.0.2.0/24 lookup 100 priority 500");
      List<String> before = other.seen("net0");
      String id = pod.namespace().id().toString();
      String otherId = other.namespace().id().toString();

      assertThatExceptionOfType(DriverException.class)
          .isThrownBy(
              () ->
                  journal.undo(
                      step ->
                          attacher.undo(
                              new Step(step.name(), step.undo().replace(id, otherId)),
                              other.namespace())))
          .withMessageStartingWith("nic0 has not returned to the host: its peer on the host shows");

      assertThat(other.seen("net0")).isEqualTo(before);
    }
    assertThat(notices)
        .anyMatch(
            text ->
                text.startsWith("the network namespace of 'add rules ")
                    && text.endsWith(
                        "now has its path, was not used by this driver and is not changed"))
        .anyMatch(text -> text.startsWith("the network namespace of 'move nic0 into the pod"));
  }

  @Test
  void aNamespaceOfAnEarlierRunOfTheMachineIsNoneOfNow() throws Exception {
    attach(
        "{'interface': {'name': 'net0'}, 'rules': [{'priority': 500, 'source': '192.0.2.0/24',"
            + " 'table': 100}]}");

    for (Step step : journal.steps()) {
      if (step.name().startsWith("add rules")) {
        String earlier = step.undo().replaceFirst("\"boot\":\"[^\"]+", "\"boot\":\"0-1");
        attacher.undo(new Step(step.name(), earlier), pod.namespace());
      }
    }

    assertThat(pod.run("ip rule")).contains("500:\tfrom 192.0.2.0/24 lookup 100");
    detach();
    assertThat(pod.run("ip rule")).doesNotContain("500:");
  }

  @Test
  void everyFieldIsCarriedOut() throws Exception {
    attach(
        "{'interface': {'name': 'net1', 'addresses': ['192.0.2.5/24', '2001:db8::5/64'], 'mtu':"
            + " 4321, 'hardwareAddr': '02:00:5e:10:00:01', 'gsoMaxSize': 65000, 'groMaxSize':"
            + " 65001, 'gsoIPv4MaxSize': 65002, 'groIPv4MaxSize': 65003, 'forwarding': true,"
            + " 'arpIgnore': 1, 'arpAnnounce': 2, 'disableEbpfPrograms': true}, 'routes':"
            + " [{'destination': '10.1.2.3/8', 'gateway': '192.0.2.1', 'source': '192.0.2.5'},"
            + " {'destination': '198.51.100.7/32', 'scope': 253}, {'destination': '203.0.113.0/24',"
            + " 'gateway': '198.51.100.7', 'table': 77}, {'destination': '2001:db8:7::/48',"
            + " 'gateway': '2001:db8::1'}], 'rules': [{'priority': 300, 'source': '192.0.2.0/24',"
            + " 'table': 77}, {'destination': '2001:db8:9::/48', 'table': 78}], 'neighbors':"
            + " [{'destination': '192.0.2.77', 'hardwareAddr': '02:00:00:00:00:77'},"
            + " {'destination': '2001:db8::77', 'hardwareAddr': '02:00:00:00:00:78'}], 'ethtool':"
            + " {'features': {'tso': false, 'generic-receive-offload': true}}}");

    JsonNode link = pod.json("ip -d -j addr show dev net1").get(0);
    assertThat(link.get("mtu").asInt()).isEqualTo(4321);
    assertThat(link.get("address").asText()).isEqualTo("02:00:5e:10:00:01");
    try (RouteNetlink route = RouteNetlink.open(pod.namespace())) {
      LinkLimits limits = route.links().get("net1").limits();
      assertThat(limits.gsoMaxSize()).isEqualTo(65000);
      assertThat(limits.groMaxSize()).isEqualTo(65001);
      assertThat(limits.gsoIpv4MaxSize()).isEqualTo(65002);
      assertThat(limits.groIpv4MaxSize()).isEqualTo(65003);
    }
    assertThat(texts(link.get("addr_info"), "local")).contains("192.0.2.5", "2001:db8::5");
    assertThat(link.get("addr_info").get(0).get("broadcast").asText()).isEqualTo("192.0.2.255");
    for (String sysctl :
        List.of(
            "ipv4/conf/net1/arp_ignore=1",
            "ipv4/conf/net1/arp_announce=2",
            "ipv4/conf/net1/forwarding=1",
            "ipv6/conf/net1/forwarding=1")) {
      String[] parts = sysctl.split("=", -1);
      assertThat(pod.namespace().sysctl("net/" + parts[0])).as(sysctl).isEqualTo(parts[1]);
    }
    assertThat(pod.run("ip route"))
        .contains("10.0.0.0/8 via 192.0.2.1 dev net1", "src 192.0.2.5", "198.51.100.7 dev net1");
    assertThat(pod.run("ip route show table 77")).contains("203.0.113.0/24 via 198.51.100.7");
    assertThat(pod.run("ip -6 route")).contains("2001:db8:7::/48 via 2001:db8::1 dev net1");
    assertThat(pod.run("ip rule")).contains("300:\tfrom 192.0.2.0/24 lookup 77");
    assertThat(pod.run("ip -6 rule")).contains("from all to 2001:db8:9::/48 lookup 78");
    assertThat(pod.run("ip neigh")).contains("192.0.2.77 dev net1 lladdr 02:00:00:00:00:77 PERM");
    assertThat(pod.run("ip -6 neigh")).contains("2001:db8::77 dev net1 lladdr 02:00:00:00:00:78");
    assertThat(pod.run("ethtool -k net1"))
        .contains("tcp-segmentation-offload: off", "generic-receive-offload: on");
  }

  @Test
  void whateverWasSetIsRestored() throws Exception {
    host.ip(
        "link set nic0 mtu 1400 address 02:00:00:00:00:05 up", "addr add 192.0.2.5/24 dev nic0");
    host.run("ethtool -K nic0 tso on gro off");
    host.namespace().setSysctl("net/ipv4/conf/nic0/arp_ignore", "2");
    host.namespace().setSysctl("net/ipv6/conf/nic0/accept_ra", "2");
    List<String> before = host.seen("nic0");
    String features = host.run("ethtool -k nic0");

    attach(
        "{'interface': {'name': 'x', 'mtu': 9000, 'hardwareAddr': '02:00:00:00:00:99', 'addresses':"
            + " ['198.51.100.1/24'], 'arpIgnore': 1}, 'ethtool': {'features': {'tso': false, 'gro':"
            + " true}}, 'rules': [{'table': 5}, {'priority': 0, 'table': 6}]}");
    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(host.run("ethtool -k nic0")).isEqualTo(features);
    assertThat(host.namespace().sysctl("net/ipv4/conf/nic0/arp_ignore")).isEqualTo("2");
    assertThat(host.namespace().sysctl("net/ipv6/conf/nic0/accept_ra")).isEqualTo("2");
    assertThat(pod.run("ip rule")).doesNotContain("lookup 5", "lookup 6");
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void allStepsAreRecordedInOneWriteBeforeTheFirst() throws Exception {
    List<String> seen = new ArrayList<>();
    Journal watching =
        new Journal() {
          @Override
          public void record(List<Step> steps) throws DriverException {
            journal.record(steps);
          }

          @Override
          public void beginning(Step step) {
            if (seen.isEmpty()) {
              seen.add("" + journal.steps().size());
            }
            journal.beginning(step);
          }

          @Override
          public List<Step> steps() {
            return journal.steps();
          }

          @Override
          public void keep(int count) throws DriverException {
            journal.keep(count);
          }
        };

    attacher.attach(
        List.of(request("nic0", "{'interface': {'addresses': ['192.0.2.5/24'], 'arpIgnore': 1}}")),
        pod.namespace(),
        watching);

    assertThat(journal.writes()).isOne();
    assertThat(seen).containsExactly("" + journal.steps().size());
    assertThat(journal.begun()).isEqualTo(journal.steps().stream().map(Step::name).toList());
    assertThat(journal.begun())
        .satisfiesExactly(
            one -> assertThat(one).startsWith("keep the state of nic0"),
            one -> assertThat(one).startsWith("move nic0 into the pod"),
            one -> assertThat(one).startsWith("set sysctls"),
            one -> assertThat(one).startsWith("add address 192.0.2.5/24"),
            one -> assertThat(one).startsWith("set nic0 up"));
  }

  @Test
  void aDryRunTellsTheSameStepsAndChangesNothing() throws Exception {
    List<String> before = host.seen("nic0");
    AttachRequest request =
        request(
            "nic0", "{'interface': {'name': 'n', 'addresses': ['192.0.2.5/24']}, 'rules': [{}]}");

    List<String> told = attacher.dryRun(List.of(request), pod.namespace());

    assertThat(host.seen("nic0")).isEqualTo(before);
    attacher.attach(List.of(request), pod.namespace(), journal);
    assertThat(told).isEqualTo(journal.begun());
  }

  @Test
  void plansThatAreMadeAtOnceAreTheSame() throws Exception {
    host.ip("link set nic0 up", "addr add 192.0.2.5/24 dev nic0");
    AttachRequest request =
        request(
            "nic0",
            "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.0.2.1'}, {'destination':"
                + " '198.51.100.7/32', 'scope': 253}], 'rules': [{'table': 5}, {'table': 6}]}");
    List<String> alone = attacher.dryRun(List.of(request), pod.namespace());

    List<CompletableFuture<List<String>>> all =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> planned(request)))
            .limit(16)
            .toList();

    for (CompletableFuture<List<String>> one : all) {
      assertThat(one.join()).isEqualTo(alone);
    }
    assertThat(alone.toString().indexOf("198.51.100.7"))
        .isLessThan(alone.toString().indexOf("10.0"));
  }

  private List<String> planned(AttachRequest request) {
    try {
      return attacher.dryRun(List.of(request), pod.namespace());
    } catch (DriverException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void undoingTwiceIsUndoingOnce() throws Exception {
    List<String> before = host.seen("nic0");
    attach("{'interface': {'name': 'n', 'addresses': ['192.0.2.5/24']}, 'rules': [{'table': 5}]}");
    List<Step> steps = journal.steps();
    detach();

    for (int i = steps.size() - 1; i >= 0; i--) {
      attacher.undo(steps.get(i), pod.namespace());
    }

    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  @Test
  void whatWasNeverBegunIsUndoneWithoutHarm() throws Exception {
    host.ip("addr add 192.0.2.5/24 dev nic0", "link set nic0 up");
    pod.ip("rule add from 10.0.0.0/8 lookup 5 priority 100");
    List<String> before = host.seen("nic0");
    Journal stopping =
        new Journal() {
          @Override
          public void record(List<Step> steps) throws DriverException {
            journal.record(steps);
            throw DriverException.failed("power failure", null);
          }

          @Override
          public List<Step> steps() {
            return journal.steps();
          }

          @Override
          public void keep(int count) throws DriverException {
            journal.keep(count);
          }
        };
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () ->
                attacher.attach(
                    List.of(request("nic0", "{'rules': [{'table': 6}]}")),
                    pod.namespace(),
                    stopping));

    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.run("ip rule")).contains("100:\tfrom 10.0.0.0/8 lookup 5");
  }

  @Test
  void rulesThatThePodHadStayThere() throws Exception {
    pod.ip("rule add from 10.0.0.0/8 lookup 5 priority 100");

    attach("{'rules': [{'priority': 100, 'source': '10.0.0.0/8', 'table': 5}]}");
    detach();

    assertThat(pod.run("ip rule")).contains("100:\tfrom 10.0.0.0/8 lookup 5");
  }

  @Test
  void aNameThatIsTakenInThePodIsRefusedBeforeAnythingChanges() throws Exception {
    pod.ip("link add eth0 type veth peer name x");
    List<String> before = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> attach("{'interface': {'name': 'eth0'}}"))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE))
        .withMessageContaining("device nic0: the pod already has an interface eth0");
    assertThat(journal.steps()).isEmpty();
    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  @Test
  void theNameOnTheHostMayBeTakenInThePod() throws Exception {
    pod.ip("link add nic0 type veth peer name x");
    List<String> before = host.seen("nic0");

    attach("{'interface': {'name': 'net1'}}");
    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(pod.run("ip -br link")).contains("nic0");
  }

  @Test
  void aLinkThatIsGoneIsSaid() {
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> attacher.attach(List.of(request("nic7", "{}")), pod.namespace(), journal))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE))
        .withMessage("device nic7: network interface nic7 does not exist on the host");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'interface': {'mtu': 65536}} | /interface/mtu | nic0 supports 68 to 65535 bytes, not "
            + "65536",
        "{'interface': {'hardwareAddr': '02:00:5e:10:00:01:00:02'}} | /interface/hardwareAddr |"
            + " has 8 bytes, but the address of nic0 has 6",
        "{'interface': {'gsoMaxSize': 2147483647}} | /interface/gsoMaxSize | nic0 supports at most",
        "{'interface': {'groMaxSize': 524281}} | /interface/groMaxSize | nic0 supports at most "
            + "524280",
        "{'interface': {'addresses': ['192.0.2.5/32']}, 'routes': [{'destination': '0.0.0.0/0',"
            + " 'gateway': '192.0.2.1'}]} | /routes/0/gateway | 192.0.2.1 cannot be reached",
        "{'neighbors': [{'destination': '1.2.3.4', 'hardwareAddr': '02:00:00:00:00:00:00:01'}]} |"
            + " /neighbors/0/hardwareAddr | has 8 bytes, but addresses of nic0 have 6",
        "{'ethtool': {'features': {'warp': true}}} | /ethtool/features/warp | nic0 does not "
            + "have this feature",
        "{'ethtool': {'features': {'rx-lro': true}}} | /ethtool/features/rx-lro | nic0 cannot"
            + " switch",
        "{'ethtool': {'privateFlags': {'x': true}}} | /ethtool/privateFlags/x | driver of nic0 "
            + "does not have this flag",
        "{'interface': {'dhcp': true}} | /interface/dhcp | DHCP is not available here",
        "{'interface': {'name': 'fourteen-byte%d'}} | /interface/name | 'fourteen-byte100' is"
            + " longer",
      })
  void whatTheDeviceDoesNotAllowIsRefusedWithItsPlace(String json, String pointer, String text)
      throws Exception {
    List<String> before = host.seen("nic0");
    AttachRequest request =
        new AttachRequest(
            "nic0",
            "nic0",
            null,
            NetworkConfig.parse(json.replace('\'', '"')),
            100,
            OptionalInt.empty());

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> attacher.attach(List.of(request), pod.namespace(), journal))
        .satisfies(
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .satisfies(
                        problem -> {
                          assertThat(problem.pointer()).isEqualTo(pointer);
                          assertThat(problem.problem()).contains(text);
                        }));
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void aVirtualFunctionGetsNoMoreThanItsPhysicalOneHas() throws Exception {
    AttachRequest request =
        new AttachRequest(
            "nic0",
            "nic0",
            null,
            NetworkConfig.parse("{\"interface\": {\"mtu\": 9000}}"),
            0,
            OptionalInt.of(1500));

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> attacher.dryRun(List.of(request), null))
        .satisfies(
            e ->
                assertThat(e.problems())
                    .extracting(ConfigurationProblem::pointer)
                    .containsExactly("/interface/mtu"));
  }

  @Test
  void aMacvlanGetsNoMoreThanItsLowerLinkHas() throws Exception {
    host.ip("link add mac0 link other0 type macvlan mode bridge");

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(
            () -> attacher.dryRun(List.of(request("mac0", "{'interface': {'mtu': 9001}}")), null))
        .withMessageContaining(
            "/interface/mtu: mac0 (macvlan) is built on other0, whose MTU is 9000 bytes, less"
                + " than 9001");

    AttachRequest all = request("mac0", "{'interface': {'mtu': 9000}}");
    attacher.dryRun(List.of(all), null);
    attacher.attach(List.of(all), pod.namespace(), journal);
    assertThat(pod.run("ip link show mac0")).contains("mtu 9000");
  }

  @Test
  void severalDevicesAreOneTransaction() throws Exception {
    host.ip("link add nic1 type veth peer name other1", "link set nic1 mtu 1300 up");
    List<String> before0 = host.seen("nic0");
    List<String> before1 = host.seen("nic1");
    NetworkConfig config = NetworkConfig.parse("{\"interface\": {\"name\": \"net%d\"}}");

    attacher.attach(
        List.of(
            new AttachRequest("a", "nic0", null, config, 0, OptionalInt.empty()),
            new AttachRequest("b", "nic1", null, config, 1, OptionalInt.empty())),
        pod.namespace(),
        journal);

    assertThat(pod.run("ip -br link")).contains("net0", "net1");
    detach();
    assertThat(host.seen("nic0")).isEqualTo(before0);
    assertThat(host.seen("nic1")).isEqualTo(before1);
  }

  @Test
  void severalDevicesMayNotHaveOneNameOrAddress() throws Exception {
    host.ip("link add nic1 type veth peer name other1");
    String json =
        "{'interface': {'name': 'net0', 'addresses': ['192.0.2.5/24'], 'hardwareAddr':"
            + " '02:00:00:00:00:01'}}";

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(
            () ->
                attacher.attach(
                    List.of(request("nic0", json), request("nic1", json)),
                    pod.namespace(),
                    journal))
        .satisfies(
            e ->
                assertThat(e.problems())
                    .extracting(ConfigurationProblem::pointer)
                    .containsExactly(
                        "/interface/name", "/interface/hardwareAddr", "/interface/addresses/0"));
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void whenTheSecondDeviceFailsTheFirstComesBackToo() throws Exception {
    host.ip("link add nic1 type veth peer name other1", "link set nic0 mtu 1300 up");
    host.ip("addr add 192.0.2.5/24 dev nic0");
    List<String> before = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(
            () ->
                attacher.attach(
                    List.of(
                        request("nic0", "{}"),
                        request(
                            "nic1",
                            "{'interface': {'addresses': ['198.51.100.5/24']}, 'routes':"
                                + " [{'destination': '10.0.0.0/8', 'gateway': '198.51.100.1',"
                                + " 'source': '9.9.9.9'}]}")),
                    pod.namespace(),
                    journal))
        .withMessageContaining("device nic1: add route 10.0.0.0/8 via 198.51.100.1")
        .withMessageContaining("Invalid prefsrc address");
    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(host.run("ip -br link")).contains("nic1");
  }

  @Test
  void routesOfTheHostThatMakeNoSenseThereAreLeftOutAndSaid() throws Exception {
    host.ip(
        "link set nic0 up",
        "addr add 192.0.2.5/24 dev nic0",
        "route add 198.18.0.0/15 via 192.0.2.1",
        "route add 198.51.100.0/24 dev nic0 src 192.0.2.5");

    attach("{'interface': {'addresses': ['203.0.113.5/24']}}");

    assertThat(pod.run("ip route")).doesNotContain("198.18", "198.51");
    assertThat(notices)
        .anySatisfy(one -> assertThat(one).contains("198.18.0.0/15", "left out", "its gateway"))
        .anySatisfy(one -> assertThat(one).contains("198.51.100.0/24", "its source address"));
  }

  @Test
  void aMacvlanGoesAndComesBack() throws Exception {
    host.ip("link add mac0 link other0 type macvlan mode bridge", "addr add 192.0.2.8/24 dev mac0");
    host.ip("link set mac0 up");
    List<String> before = host.seen("mac0");

    attacher.attach(
        List.of(request("mac0", "{'interface': {'name': 'net1'}}")), pod.namespace(), journal);

    assertThat(pod.run("ip -br addr show dev net1")).contains("192.0.2.8/24");
    detach();
    assertThat(host.seen("mac0")).isEqualTo(before);
  }

  @Test
  void aLinkThatThePodRenamedAndChangedComesBack() throws Exception {
    host.ip("link set nic0 mtu 1400 up", "addr add 192.0.2.5/24 dev nic0");
    List<String> before = host.seen("nic0");
    attach("{'interface': {'name': 'net1'}}");
    pod.ip("link set net1 down", "link set net1 name other mtu 1280", "addr flush dev other");

    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"net1", "other"})
  void aLinkWhoseHardwareAddressThePodChangedComesBack(String name) throws Exception {
    host.ip("link set nic0 mtu 1400 up", "addr add 192.0.2.5/24 dev nic0");
    List<String> before = host.seen("nic0");
    attach("{'interface': {'name': 'net1'}}");
    pod.ip("link set net1 down", "link set net1 address 02:00:00:00:00:77");
    if (!name.equals("net1")) {
      pod.ip("link set net1 name " + name);
    }

    detach();

    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(notices).isEmpty();
  }

  /** Its other end would stay in the pod. */
  @Test
  void aLinkThatThePodMadeInPlaceOfTheLentOneStaysThere() throws Exception {
    String address = host.json("ip -j link show dev nic0").get(0).get("address").asText();
    attach("{'interface': {'name': 'net1'}}");
    pod.ip("link delete net1");
    pod.ip("link add net1 address " + address + " type veth peer name trap");
    host.ip("link add other0 type veth peer name far"); // takes the place of the other end

    detach();

    assertThat(pod.run("ip -br link")).contains("net1@trap");
    assertThat(host.run("ip -br link")).doesNotContain("nic0");
    assertThat(notices).singleElement().asString().startsWith("nic0 no longer exists");
  }

  @Test
  void whoRenewsTheLeaseOfAnAddressStaysOnTheHostSoThePodHasItForEver() throws Exception {
    host.ip(
        "link set nic0 up",
        "addr add 192.0.2.5/24 dev nic0 valid_lft 600 preferred_lft 300",
        "addr add 2001:db8::5/64 dev nic0 valid_lft 600 preferred_lft 300 nodad");

    attach("{}");

    assertThat(lifetimes(pod)).containsExactly(0xffff_ffffL, 0xffff_ffffL);
    detach();
    assertThat(lifetimes(host)).hasSize(2).allSatisfy(one -> assertThat(one).isBetween(1L, 600L));
  }

  private static List<Long> lifetimes(TestHost of) throws IOException {
    List<Long> lifetimes = new ArrayList<>();
    for (JsonNode one : of.json("ip -j addr show dev nic0").get(0).get("addr_info")) {
      if (one.get("scope").asText().equals("global")) {
        lifetimes.add(one.get("valid_life_time").asLong());
      }
    }
    return lifetimes;
  }

  /** As NetworkManager has it. */
  @Test
  void anAddressWithoutItsRouteGetsItInThePod() throws Exception {
    host.ip(
        "link set nic0 up",
        "addr add 192.0.2.5/24 dev nic0 noprefixroute",
        "addr add 2001:db8::5/64 dev nic0 noprefixroute nodad",
        "route add 192.0.2.0/24 dev nic0 proto kernel scope link src 192.0.2.5 metric 100",
        "route add 2001:db8::/64 dev nic0 proto kernel metric 100",
        "route add 10.0.0.0/8 via 192.0.2.1 dev nic0 metric 100");
    List<String> before = host.seen("nic0");

    attach("{}");

    assertThat(pod.routes("ip route"))
        .contains("192.0.2.0/24 dev nic0", "10.0.0.0/8 via 192.0.2.1");
    assertThat(pod.routes("ip -6 route")).contains("2001:db8::/64 dev nic0");
    detach();
    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  /** As clouds have it that give hosts addresses without a network. */
  @Test
  void aGatewayIsNearByALinkRouteOfTheHostAndAnOnLinkOneAlways() throws Exception {
    host.ip(
        "link set nic0 up",
        "addr add 10.9.0.5/32 dev nic0",
        "route add 10.9.0.1 dev nic0 scope link",
        "route add 172.32.0.0/16 via 10.9.0.77 dev nic0 onlink");

    attach("{'routes': [{'destination': '192.168.0.0/16', 'gateway': '10.9.0.1'}]}");

    assertThat(pod.routes("ip route"))
        .contains("192.168.0.0/16 via 10.9.0.1 dev nic0", "172.32.0.0/16 via 10.9.0.77 dev nic0");
    assertThat(notices).isEmpty();
  }

  @Test
  void aRuleOfTheOtherFamilyOrWithMoreConditionsIsNotTheSame() throws Exception {
    pod.ip(
        "rule add priority 100 fwmark 0x1/0xff table 77",
        "rule add priority 101 table 77 suppress_prefixlength 0");
    pod.run("ip -6 rule add priority 102 table 77");

    attach(
        "{'rules': [{'priority': 100, 'table': 77}, {'priority': 101, 'table': 77}, {'priority':"
            + " 102, 'table': 77}]}");

    assertThat(pod.run("ip rule").lines().filter(one -> one.contains("lookup 77"))).hasSize(5);
    detach();
    assertThat(pod.run("ip rule").lines().filter(one -> one.contains("lookup 77"))).hasSize(2);
    assertThat(pod.run("ip -6 rule")).contains("102:\tfrom all lookup 77");
  }

  @Test
  void aVrfMayNotHaveTheNameOfALinkNorTwoTables() throws Exception {
    host.ip("link add nic1 type veth peer name other1");
    List<List<AttachRequest>> wrong =
        List.of(
            List.of(request("nic0", "{'interface': {'vrf': {'name': 'nic0'}}}")),
            List.of(
                request("nic0", "{'interface': {'vrf': {'name': 'blue', 'table': 7}}}"),
                request("nic1", "{'interface': {'vrf': {'name': 'blue', 'table': 8}}}")),
            List.of(
                request("nic0", "{'interface': {'name': 'blue'}}"),
                request("nic1", "{'interface': {'vrf': {'name': 'blue'}}}")));

    for (List<AttachRequest> one : wrong) {
      assertThatExceptionOfType(ConfigurationException.class)
          .isThrownBy(() -> attacher.dryRun(one, null))
          .satisfies(e -> assertThat(e.field()).startsWith("/interface/vrf/"));
    }
  }

  @Test
  void aLinkOfAnotherNameOnTheHostMeanwhileIsNotTouched() throws Exception {
    attach("{'interface': {'name': 'net1'}}");
    host.ip("link add nic0 type veth peer name x");
    List<String> stranger = host.seen("nic0");

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(this::detach)
        .withMessageContaining("the host has another link with the name nic0");
    assertThat(host.seen("nic0")).isEqualTo(stranger);
    host.ip("link delete nic0");
    detach();
    assertThat(host.run("ip -br link")).contains("nic0");
  }

  @Test
  void aNamespaceThatEndedTakesAVethWithItAndThatIsSaid() throws Exception {
    attach("{}");
    pod.close();

    journal.undo(step -> attacher.undo(step, null));

    assertThat(notices).singleElement().asString().startsWith("nic0 no longer exists");
    assertThat(journal.steps()).isEmpty();
  }

  @Test
  void pingGoesAcross() throws Exception {
    host.ip("addr add 192.0.2.1/24 dev other0");

    attach("{'interface': {'name': 'net1', 'addresses': ['192.0.2.5/24']}}");

    assertThat(host.run("ping -c 1 -w 120 192.0.2.5")).contains("bytes from 192.0.2.5");
    assertThat(pod.run("ping -c 1 -w 120 192.0.2.1")).contains("bytes from 192.0.2.1");
  }

  @Test
  void aRequestIsReadAsItWasWritten() throws Exception {
    AttachRequest request =
        new AttachRequest(
            "pci-0000-8a-00-0",
            "eth0",
            "mlx5_0",
            NetworkConfig.parse("{\"interface\": {\"mtu\": 9000}}"),
            3,
            OptionalInt.of(1500));

    assertThat(AttachRequest.parse(request.toJson())).isEqualTo(request);
    assertThat(AttachRequest.parse(AttachRequest.ofLink("x", NetworkConfig.EMPTY).toJson()))
        .isEqualTo(AttachRequest.ofLink("x", NetworkConfig.EMPTY));
  }
}
