package io.dra4j.dranet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields of a NetworkConfig, row by row. Single quotes stand for double ones. */
class NetworkConfigTest {

  private static NetworkConfig read(String json) throws ConfigurationException {
    return NetworkConfig.parse(json.replace('\'', '"'));
  }

  private static List<String> problems(String json) {
    try {
      read(json);
      return List.of();
    } catch (ConfigurationException e) {
      return e.problems().stream().map(ConfigurationProblem::toString).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "null", "{}", " {\n} ", "{'interface': {}}", "{'routes': null}"})
  void nothingIsTheEmptyConfiguration(String json) throws ConfigurationException {
    NetworkConfig config = read(json);

    assertThat(config).isEqualTo(NetworkConfig.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'profile': ''}",
        "{'profile': 'any text'}",
        "{'interface': {'name': ''}}",
        "{'interface': {'name': 'eth0'}}",
        "{'interface': {'name': 'my-nic'}}",
        "{'interface': {'name': 'my_nic'}}",
        "{'interface': {'name': 'my.nic'}}",
        "{'interface': {'name': '...'}}",
        "{'interface': {'name': 'aaaaaaaaaaaaaaa'}}",
        "{'interface': {'name': 'größe'}}",
        "{'interface': {'name': 'gpu%drdma0'}}",
        "{'interface': {'name': 'aaaaaaaaaaaaaa%d'}}",
        "{'interface': {'addresses': []}}",
        "{'interface': {'addresses': ['192.168.1.5/32']}}",
        "{'interface': {'addresses': ['192.168.1.5/24', '2001:db8::5/64']}}",
        "{'interface': {'dhcp': true}}",
        "{'interface': {'dhcp': true, 'addresses': []}}",
        "{'interface': {'dhcp': false, 'addresses': ['192.168.1.5/32']}}",
        "{'interface': {'mtu': 68}}",
        "{'interface': {'mtu': 2147483647}}",
        "{'interface': {'mtu': 1280, 'addresses': ['2001:db8::5/64']}}",
        "{'interface': {'mtu': 1279, 'addresses': ['192.0.2.5/24']}}",
        "{'interface': {'hardwareAddr': '02:00:5e:10:00:01'}}",
        "{'interface': {'hardwareAddr': '02-00-5E-10-00-01'}}",
        "{'interface': {'hardwareAddr': '0200.5e10.0001'}}",
        "{'interface': {'hardwareAddr': '02:00:5e:10:00:01:00:02'}}",
        "{'interface': {'hardwareAddr': '0000.0000.fe80.0000.0000.0000.0200.5e10.0000.0001'}}",
        "{'interface': {'gsoMaxSize': 1}}",
        "{'interface': {'groMaxSize': 65536}}",
        "{'interface': {'gsoIPv4MaxSize': 65536}}",
        "{'interface': {'groIPv4MaxSize': 2147483647}}",
        "{'interface': {'disableEbpfPrograms': true}}",
        "{'interface': {'disableEbpfPrograms': false}}",
        "{'interface': {'forwarding': true}}",
        "{'interface': {'arpIgnore': 0, 'arpAnnounce': 0}}",
        "{'interface': {'arpIgnore': 3, 'arpAnnounce': 2}}",
        "{'interface': {'arpIgnore': 8}}",
        "{'interface': {'vrf': {'name': 'blue'}}}",
        "{'interface': {'vrf': {'name': 'blue', 'table': 1}}}",
        "{'interface': {'vrf': {'name': 'blue', 'table': 252}}}",
        "{'interface': {'vrf': {'name': 'blue', 'table': 4294967295}}}",
        "{'routes': []}",
        "{'routes': [{'destination': '0.0.0.0/0', 'gateway': '192.168.1.1'}]}",
        "{'routes': [{'destination': '0.0.0.0/0', 'gateway': '192.168.1.1', 'scope': 0}]}",
        "{'routes': [{'destination': '169.254.0.0/16', 'scope': 253}]}",
        "{'routes': [{'destination': '169.254.0.0/16', 'gateway': '', 'scope': 253}]}",
        "{'routes': [{'destination': '10.1.2.3/8', 'gateway': '192.168.1.1', 'table': 100}]}",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 0}]}",
        "{'routes': [{'destination': '2001:db8:1::/64', 'gateway': '2001:db8::1'}]}",
        "{'routes': [{'destination': '::/0', 'gateway': 'fe80::1', 'source': '2001:db8::5'}]}",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 100},"
            + " {'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 200}]}",
        "{'rules': [{'table': 100}]}",
        "{'rules': [{'priority': 0, 'table': 100}]}",
        "{'rules': [{'priority': 32767, 'source': '10.0.0.0/8', 'table': 100}]}",
        "{'rules': [{'source': '2001:db8::/64', 'destination': '2001:db8:1::/64', 'table': 9}]}",
        "{'rules': [], 'interface': {'vrf': {'name': 'blue'}}}",
        "{'neighbors': [{'destination': '192.168.1.1', 'hardwareAddr': '00:1A:2B:3C:4D:5E'}]}",
        "{'neighbors': [{'destination': 'fe80::1', 'hardwareAddr': '00:1A:2B:3C:4D:5E'}]}",
        "{'ethtool': {}}",
        "{'ethtool': {'features': {'tso': true, 'rx-checksum': false}}}",
        "{'ethtool': {'privateFlags': {'my-custom-flag': true}}}",
      })
  void whatCanBeCarriedOutIsTaken(String json) {
    List<String> problems = problems(json);

    assertThat(problems).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'profile': 5} | /profile: expected a string, found a whole number",
        "{'Profile': ''} | /Profile: unknown field, expected one of ethtool, interface, neighbors,"
            + " profile, routes, rules",
        "{'apiVersion': 'v1'} | /apiVersion: unknown field",
        "[] | configuration: expected an object, found a list",
        "{'interface': 'eth0'} | /interface: expected an object, found a string",
        "{'interface': {'unknownField': 'test'}} | /interface/unknownField: unknown field",
        "{'interface': {'name': 'eth/0'}} | /interface/name: 'eth/0' is not a link name",
        "{'interface': {'name': 'eth 0'}} | /interface/name: 'eth 0' is not a link name",
        "{'interface': {'name': 'eth!'}} | /interface/name: 'eth!' is not a link name",
        "{'interface': {'name': 'eth:1'}} | /interface/name: 'eth:1' is not a link name",
        "{'interface': {'name': '.'}} | /interface/name: '.' is not a link name",
        "{'interface': {'name': '..'}} | /interface/name: '..' is not a link name",
        "{'interface': {'name': 'aaaaaaaaaaaaaaaa'}} | has 16 bytes; a link name may have at "
            + "most 15",
        "{'interface': {'name': 'größegrößegr'}} | has 16 bytes",
        "{'interface': {'name': 'a%d%d'}} | /interface/name: 'a%d%d' has more than one %",
        "{'interface': {'addresses': ['192.168.1.5']}} | /interface/addresses/0: not an address"
            + " and",
        "{'interface': {'addresses': ['192.168.1.5/33']}} | /interface/addresses/0: 192.168.1.5/33",
        "{'interface': {'addresses': ['1.2.3.4/24', 7]}} | /interface/addresses/1: expected a"
            + " string",
        "{'interface': {'addresses': [null]}} | /interface/addresses/0: expected a string, found"
            + " null",
        "{'interface': {'addresses': ['0.0.0.0/0']}} | /interface/addresses/0: 0.0.0.0 is the unsp",
        "{'interface': {'addresses': ['ff02::1/64']}} | is a multicast address",
        "{'interface': {'addresses': ['::1/128']}} | is the loopback address",
        "{'interface': {'addresses': ['1.2.3.4/24', '1.2.3.4/16']}} | /interface/addresses/1:",
        "{'interface': {'dhcp': 'true'}} | /interface/dhcp: expected true or false, found a string",
        "{'interface': {'dhcp': true, 'addresses': ['1.2.3.4/24']}} | /interface/dhcp: cannot be set together with",
        "{'interface': {'mtu': 67}} | /interface/mtu: must be from 68 to 2147483647, found 67",
        "{'interface': {'mtu': 0}} | /interface/mtu: must be from 68",
        "{'interface': {'mtu': 2147483648}} | /interface/mtu: must be from 68",
        "{'interface': {'mtu': 1e400}} | /interface/mtu: expected a whole number",
        "{'interface': {'mtu': 99999999999999999999999}} | /interface/mtu: must be from 68",
        "{'interface': {'mtu': 1500.0}} | /interface/mtu: expected a whole number, found a number"
            + " with a fraction",
        "{'interface': {'mtu': '1500'}} | /interface/mtu: expected a whole number, found a string",
        "{'interface': {'mtu': 1279, 'addresses': ['2001:db8::5/64']}} | /interface/mtu: IPv6"
            + " address 2001:db8::5 requires an MTU of at least 1280",
        "{'interface': {'hardwareAddr': ''}} | /interface/hardwareAddr: '' is not a hardware "
            + "address",
        "{'interface': {'hardwareAddr': 'invalid'}} | /interface/hardwareAddr: 'invalid' is no",
        "{'interface': {'hardwareAddr': '02:00:5e:10:00'}} | /interface/hardwareAddr",
        "{'interface': {'hardwareAddr': '02:00-5e:10-00:01'}} | /interface/hardwareAddr",
        "{'interface': {'hardwareAddr': '01:00:5e:10:00:01'}} | /interface/hardwareAddr: 01:00:5e",
        "{'interface': {'hardwareAddr': '00:00:00:00:00:00'}} | /interface/hardwareAddr: 00:00:00",
        "{'interface': {'gsoMaxSize': 0}} | /interface/gsoMaxSize: must be from 1",
        "{'interface': {'groMaxSize': -1}} | /interface/groMaxSize: must be from 1",
        "{'interface': {'gsoIPv4MaxSize': 0}} | /interface/gsoIPv4MaxSize: must be from 1",
        "{'interface': {'groIPv4MaxSize': 0}} | /interface/groIPv4MaxSize: must be from 1",
        "{'interface': {'disableEbpfPrograms': 1}} | /interface/disableEbpfPrograms: expected true",
        "{'interface': {'forwarding': 'yes'}} | /interface/forwarding: expected true or false",
        "{'interface': {'arpIgnore': 9}} | /interface/arpIgnore: must be from 0 to 8, found 9",
        "{'interface': {'arpIgnore': 4}} | /interface/arpIgnore: must be 0, 1, 2, 3 or 8, found 4",
        "{'interface': {'arpIgnore': 7}} | /interface/arpIgnore: must be 0, 1, 2, 3 or 8, found 7",
        "{'interface': {'arpIgnore': -1}} | /interface/arpIgnore: must be from 0 to 8",
        "{'interface': {'arpAnnounce': 3}} | /interface/arpAnnounce: must be from 0 to 2, found 3",
        "{'interface': {'vrf': {}}} | /interface/vrf/name: required",
        "{'interface': {'vrf': {'name': ''}}} | /interface/vrf/name: a name must not be empty",
        "{'interface': {'vrf': {'name': 'sixteen-bytes-xy'}}} | /interface/vrf/name: 'sixteen",
        "{'interface': {'vrf': {'name': 'v%d'}}} | /interface/vrf/name: 'v%d' is not a link name",
        "{'interface': {'name': 'a', 'vrf': {'name': 'a'}}} | /interface/vrf/name: 'a' is the name",
        "{'interface': {'vrf': {'name': 'blue', 'table': 0}}} | /interface/vrf/table: must be from"
            + " 1",
        "{'interface': {'vrf': {'name': 'blue', 'table': 254}}} | /interface/vrf/table: 254 is a table",
        "{'routes': {}} | /routes: expected a list, found an object",
        "{'routes': ['x']} | /routes/0: expected an object, found a string",
        "{'routes': [{'gateway': '192.168.1.1'}]} | /routes/0/destination: required",
        "{'routes': [{'destination': '10.0.0/24', 'gateway': '1.2.3.4'}]} | /routes/0/destination:",
        "{'routes': [{'destination': '1.2.3.4', 'gateway': '1.2.3.5'}]} | /routes/0/destination:",
        "{'routes': [{'destination': '2001:db8::1', 'scope': 253}]} | /routes/0/destination:",
        "{'routes': [{'destination': '10.0.0.0/8'}]} | /routes/0/gateway: required, unless",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': 'x'}]} | /routes/0/gateway: not an"
            + " IP",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '2001:db8::1'}]} |"
            + " /routes/0/gateway:",
        "{'routes': [{'destination': '::/0', 'gateway': '1.2.3.4'}]} | /routes/0/gateway: 1.2.3.4",
        "{'routes': [{'destination': '::/0', 'gateway': '::'}]} | /routes/0/gateway: :: is"
            + " not the address",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4', 'source': 'fe80::1'}]} |"
            + " /routes/0/source: fe80::1 must be of the same family, IPv4 or IPv6, as 1.0.0.0/8",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4', 'source': 'x'}]} |"
            + " /routes/0/source: not an IP address",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4', 'scope': 100}]} |"
            + " /routes/0/scope: must be 0 (universe) or 253 (link), found 100",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4', 'scope': 253}]} |"
            + " /routes/0/scope: 253 (link) cannot be combined with a gateway",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4', 'table': -1}]} |"
            + " /routes/0/table: must be from 0 to 4294967295, found -1",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4'}, {'destination':"
            + " '1.2.0.0/8', 'gateway': '1.2.3.5'}]} | /routes/1/destination: /routes/0 already goes to",
        "{'routes': [{'destination': '1.0.0.0/8', 'gateway': '1.2.3.4', 'metric': 5}]} |"
            + " /routes/0/metric: unknown field, expected one of destination, gateway, scope",
        "{'rules': [{'priority': 32768}]} | /rules/0/priority: must be from 0 to 32767, found 32768",
        "{'rules': [{'priority': -1}]} | /rules/0/priority: must be from 0 to 32767, found -1",
        "{'rules': [{'table': -1}]} | /rules/0/table: must be from 0 to 4294967295, found -1",
        "{'rules': [{'source': 'x'}]} | /rules/0/source: not an address and a length: 'x'",
        "{'rules': [{'destination': '10.0.0.1'}]} | /rules/0/destination: not an address and",
        "{'rules': [{'source': '10.0.0.0/8', 'destination': '2001:db8::/32'}]} |"
            + " /rules/0/destination: 2001:db8::/32 must be of the same family, IPv4 or IPv6, "
            + "as 10.0.0.0/8",
        "{'rules': [{'table': 5}], 'interface': {'vrf': {'name': 'blue'}}} | /rules: cannot be set together with /interface/vrf",
        "{'neighbors': [{'hardwareAddr': '00:1A:2B:3C:4D:5E'}]} | /neighbors/0/destination:"
            + " required",
        "{'neighbors': [{'destination': '192.168.1.1'}]} | /neighbors/0/hardwareAddr: required",
        "{'neighbors': [{'destination': 'x', 'hardwareAddr': '00:1A:2B:3C:4D:5E'}]} |"
            + " /neighbors/0/destination: not an IP address: 'x'",
        "{'neighbors': [{'destination': '1.2.3.4', 'hardwareAddr': 'invalid-mac'}]} |"
            + " /neighbors/0/hardwareAddr: 'invalid-mac' is not a hardware address",
        "{'neighbors': [{'ipAddress': '1.2.3.4', 'hardwareAddr': '00:1A:2B:3C:4D:5E'}]} |"
            + " /neighbors/0/ipAddress: unknown field, expected one of destination, hardwareAddr",
        "{'ethtool': {'features': {'tso': 'off'}}} | /ethtool/features/tso: expected true or false",
        "{'ethtool': {'features': {'a/b': 1}}} | /ethtool/features/a",
        "{'ethtool': {'features': []}} | /ethtool/features: expected an object, found a list",
        "{'ethtool': {'privateFlags': {'x': 0}}} | /ethtool/privateFlags/x: expected true or false",
        "{'ethtool': {'rings': {}}} | /ethtool/rings: unknown field, expected one of features",
      })
  void whatCannotBeCarriedOutIsRefusedWithItsPlace(String json, String problem) {
    List<String> problems = problems(json);

    assertThat(problems).anySatisfy(one -> assertThat(one).contains(problem));
  }

  @Test
  void allProblemsAreToldTogether() {
    List<String> problems =
        problems(
            "{'interface': {'name': 'eth/0', 'mtu': 1}, 'routes': [{'destination': 'x'}],"
                + " 'rules': [{'priority': -1, 'table': -1, 'source': 'x', 'destination': 'y'}],"
                + " 'neighbors': [{'destination': 'x', 'hardwareAddr': 'y'}], 'more': 1}");

    assertThat(problems).hasSize(10);
  }

  @Test
  void aFieldThatIsThereTwiceIsRefusedWithItsPlace() {
    List<String> problems = problems("{'interface': {'mtu': 1500, 'mtu': 9000}}");

    assertThat(problems).containsExactly("/interface/mtu: occurs twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'interface': {'name': 'eth0' | is not valid JSON at line 1",
        "{} {} | has more content after the JSON value, at line 1",
        "{'profile': NaN} | is not valid JSON at line 1, column",
        "{'profile': 1e1000000000000} | is not valid JSON at line 1, column 13: the exponent",
        "{/* no */} | is not valid JSON at line 1, column",
        "nonsense | is not valid JSON at line 1",
      })
  void whatIsNoJsonIsRefusedWithItsLine(String json, String problem) {
    List<String> problems = problems(json);

    assertThat(problems).singleElement().asString().contains(problem);
  }

  @Test
  void whatIsLongerThanKubernetesTakesIsRefused() {
    List<String> problems = problems("{'profile': '" + "x".repeat(10_240) + "'}");

    assertThat(problems).containsExactly("configuration: has 10255 bytes; expected at most 10240");
  }

  @Test
  void deepNestingIsRefused() {
    List<String> problems = problems("[".repeat(5_000));

    assertThat(problems).singleElement().asString().contains("nesting depth");
  }

  /** Hostile configurations of users: refused in bounded time, with messages of bounded length. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'interface': {'mtu': 1e999999999}}",
        "{'interface': {'mtu': -1e-999999999}}",
        "{'interface': {'mtu': %9s}}", // digits
        "{'interface': {'mtu': 0.%9s}}",
        "{'interface': {'vrf': {'name': 'v', 'table': 18446744073709551617}}}",
        "{'interface': {'name': '%as'}}", // a long text
        "{'interface': {'hardwareAddr': '%as'}}",
        "{'interface': {'addresses': ['%as/24']}}",
        "{'routes': [{'destination': '%as', 'gateway': '%as'}]}",
        "{'%as': 1}",
        "{'interface': {'%as': {'%as': 1}}}",
        "{'interface': {'name': 'net\\u0000'}}",
        "{'interface': {'name': '..'}}",
        "{'interface': {'name': 'a/b'}}",
        "{'interface': {'name': '\\ud800'}}"
      })
  void whatIsMadeToDoHarmIsRefusedWithAShortMessage(String json) {
    String text =
        json.replace('\'', '"').replace("%9s", "9".repeat(900)).replace("%as", "a".repeat(900));

    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> NetworkConfig.parse(text))
        .satisfies(
            e -> {
              assertThat(e.problems()).isNotEmpty();
              assertThat(e.getMessage()).hasSizeLessThan(4_000).doesNotContain("\u0000");
            });
  }

  @Test
  void valuesAreThoseThatAreWritten() throws ConfigurationException {
    NetworkConfig config =
        read(
            "{'profile': 'fast', 'interface': {'name': 'net1', 'addresses': ['192.0.2.5/24'],"
                + " 'dhcp': false, 'mtu': 9000, 'hardwareAddr': '02:00:5E:10:00:01', 'forwarding':"
                + " false, 'vrf': {'name': 'vrf0'}}, 'routes': [{'destination': '10.0.0.0/8',"
                + " 'scope': 253, 'source': '192.0.2.5'}], 'ethtool': {'features': {'tso':"
                + " false}}}");

    assertThat(config.profile()).isEqualTo("fast");
    assertThat(config.link().addresses()).containsExactly(IpPrefix.parse("192.0.2.5/24"));
    assertThat(config.link().dhcp()).isFalse();
    assertThat(config.link().mtu()).isEqualTo(9000);
    assertThat(config.link().hardwareAddress())
        .isEqualTo(HardwareAddress.parse("02:00:5e:10:00:01"));
    assertThat(config.link().forwarding()).isFalse();
    assertThat(config.link().vrf()).isEqualTo(new VrfConfig("vrf0", null));
    assertThat(config.routes())
        .containsExactly(
            new RouteConfig(
                IpPrefix.parse("10.0.0.0/8"), null, IpAddress.parse("192.0.2.5"), 253, null));
    assertThat(config.rules()).isNull();
    assertThat(config.ethtool().features()).isEqualTo(Map.of("tso", false));
  }

  @Test
  void whatIsWrittenDownIsReadAsTheSame() throws ConfigurationException {
    NetworkConfig config =
        read(
            "{'profile': '', 'interface': {'name': 'n%d', 'addresses': [], 'mtu': 9000,"
                + " 'gsoIPv4MaxSize': 5, 'arpIgnore': 8}, 'routes': [{'destination': '::/0',"
                + " 'gateway': 'fe80::1', 'table': 4294967295}], 'rules': [{'priority': 0}],"
                + " 'neighbors': [{'destination': 'fe80::1', 'hardwareAddr':"
                + " '02:00:5e:10:00:01'}], 'ethtool': {'privateFlags': {'x': true}}}");

    assertThat(NetworkConfig.parse(config.toJson())).isEqualTo(config);
  }

  /** Fails for a new field until it is in this document, and then wherever it is left out. */
  @Test
  void noFieldOfAnInterfaceIsLostOnItsWay() throws Exception {
    NetworkConfig all =
        read(
            "{'interface': {'name': 'n', 'addresses': ['192.0.2.5/24'], 'dhcp': false, 'mtu': 9000,"
                + " 'hardwareAddr': '02:00:5e:10:00:01', 'gsoMaxSize': 1, 'groMaxSize': 2,"
                + " 'gsoIPv4MaxSize': 3, 'groIPv4MaxSize': 4, 'disableEbpfPrograms': true,"
                + " 'forwarding': true, 'arpIgnore': 1, 'arpAnnounce': 2, 'vrf':"
                + " {'name': 'blue', 'table': 7}}}");
    InterfaceConfig link = all.link();
    RecordComponent[] fields = InterfaceConfig.class.getRecordComponents();

    for (RecordComponent one : fields) {
      assertThat(one.getAccessor().invoke(link)).as(one.getName()).isNotNull();
    }
    assertThat(NetworkConfig.parse(all.toJson())).isEqualTo(all);
    assertThat(all.withDefaults()).isEqualTo(all);
    assertThat(NetworkConfig.EMPTY.under(all)).isEqualTo(all);
    assertThat(all.under(NetworkConfig.EMPTY)).isEqualTo(all);
    assertThat(link.withAddresses(null).withAddresses(link.addresses())).isEqualTo(link);
    assertThat(link.withName(null).withName(link.name())).isEqualTo(link);
    assertThat(all.problemsWithoutInterface()).hasSameSizeAs(fields);
  }

  @Test
  void defaultsAreWrittenOut() throws ConfigurationException {
    NetworkConfig config =
        read(
            "{'interface': {'vrf': {'name': 'blue'}}, 'routes': [{'destination': '10.1.2.3/8',"
                + " 'gateway': '10.0.0.1', 'table': 7}]}");

    NetworkConfig full = config.withDefaults();

    assertThat(full.link().dhcp()).isFalse();
    assertThat(full.link().disableEbpfPrograms()).isFalse();
    assertThat(full.link().vrf()).isEqualTo(new VrfConfig("blue", 1541L));
    assertThat(full.routes())
        .containsExactly(
            new RouteConfig(
                IpPrefix.parse("10.0.0.0/8"), IpAddress.parse("10.0.0.1"), null, 0, 1541L));
  }

  @Test
  void withoutVrfRoutesAndRulesAreOfTheMainTable() throws ConfigurationException {
    NetworkConfig config =
        read("{'routes': [{'destination': '1.0.0.0/8', 'scope': 253}], 'rules': [{}]}");

    NetworkConfig full = config.withDefaults();

    assertThat(full.routes()).extracting(RouteConfig::table).containsExactly(254L);
    assertThat(full.rules()).extracting(RuleConfig::table).containsExactly(254L);
  }

  @ParameterizedTest
  @CsvSource({"test-vrf, 1890", "vrf0, 1343", "blue, 1541"})
  void theTableOfAVrfFollowsFromItsName(String name, long table) {
    assertThat(VrfConfig.tableOf(name)).isEqualTo(table);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'interface': {'name': 'x'}} | /interface/name",
        "{'interface': {'addresses': ['192.0.2.5/24']}} | /interface/addresses",
        "{'interface': {'dhcp': false}} | /interface/dhcp",
        "{'interface': {'mtu': 1500}} | /interface/mtu",
        "{'interface': {'hardwareAddr': '02:00:5e:10:00:01'}} | /interface/hardwareAddr",
        "{'interface': {'gsoMaxSize': 1}} | /interface/gsoMaxSize",
        "{'interface': {'groMaxSize': 1}} | /interface/groMaxSize",
        "{'interface': {'gsoIPv4MaxSize': 1}} | /interface/gsoIPv4MaxSize",
        "{'interface': {'groIPv4MaxSize': 1}} | /interface/groIPv4MaxSize",
        "{'interface': {'disableEbpfPrograms': true}} | /interface/disableEbpfPrograms",
        "{'interface': {'forwarding': true}} | /interface/forwarding",
        "{'interface': {'arpIgnore': 1}} | /interface/arpIgnore",
        "{'interface': {'arpAnnounce': 2}} | /interface/arpAnnounce",
        "{'interface': {'vrf': {'name': 'blue'}}} | /interface/vrf",
        "{'routes': [{'destination': '1.0.0.0/8', 'scope': 253}]} | /routes",
        "{'rules': [{}]} | /rules",
        "{'neighbors': [{'destination': '1.2.3.4', 'hardwareAddr': '02:00:5e:10:00:01'}]} |"
            + " /neighbors",
        "{'ethtool': {'features': {'tso': true}}} | /ethtool",
      })
  void aDeviceWithoutInterfaceTakesNoneOfItsFields(String json, String pointer)
      throws ConfigurationException {
    List<ConfigurationProblem> problems = read(json).problemsWithoutInterface();

    assertThat(problems).extracting(ConfigurationProblem::pointer).containsExactly(pointer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'profile': 'x'}", "{'interface': {'name': '', 'addresses': []}}"})
  void aDeviceWithoutInterfaceTakesNothingAndAProfile(String json) throws ConfigurationException {
    assertThat(read(json).problemsWithoutInterface()).isEmpty();
  }

  @Test
  void anExceptionSaysAllProblems() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> read("{'interface': {'mtu': 1, 'arpAnnounce': 7}}"))
        .withMessageContaining("/interface/mtu: must")
        .withMessageContaining("; /interface/arpAnnounce: must");
  }

  @ParameterizedTest
  @ValueSource(classes = {InterfaceConfig.class, RouteConfig.class, RuleConfig.class})
  void everyFieldIsInTheManual(Class<?> type) throws Exception {
    String manual = Files.readString(Path.of("../docs/dranet.md"));
    for (var field : type.getRecordComponents()) {
      String name =
          field.getName().replace("hardwareAddress", "hardwareAddr").replace("Ipv4", "IPv4");
      assertThat(manual).as(name).containsAnyOf("." + name + "`", "." + name + ".");
    }
  }
}
