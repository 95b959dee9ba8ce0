package io.dra4j.dranet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several configurations as one. Single quotes stand for double ones. */
class MergeTest {

  private static NetworkConfig read(String json) throws ConfigurationException {
    return NetworkConfig.parse(json.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // lower | higher | both
        "{} | {'interface': {'name': 'eth0'}} | {'interface': {'name': 'eth0'}}",
        "{'interface': {'name': 'eth0'}} | {} | {'interface': {'name': 'eth0'}}",
        "{'interface': {'name': 'eth0-cloud', 'mtu': 1500, 'dhcp': true}}"
            + "| {'interface': {'name': 'eth0-user', 'mtu': 1400}}"
            + "| {'interface': {'name': 'eth0-user', 'mtu': 1400, 'dhcp': true}}",
        "{'interface': {'addresses': ['2.2.2.2/32']},"
            + " 'routes': [{'destination': '2.2.2.2/32', 'gateway': '10.0.0.1'}]}"
            + "| {'interface': {'addresses': ['1.1.1.1/32']},"
            + " 'routes': [{'destination': '1.1.1.1/32', 'gateway': '10.0.0.1'}]}"
            + "| {'interface': {'addresses': ['2.2.2.2/32', '1.1.1.1/32']},"
            + " 'routes': [{'destination': '2.2.2.2/32', 'gateway': '10.0.0.1'},"
            + " {'destination': '1.1.1.1/32', 'gateway': '10.0.0.1'}]}",
        "{'interface': {'addresses': ['1.1.1.1/32', '2.2.2.2/32']},"
            + " 'routes': [{'destination': '0.0.0.0/0', 'gateway': '10.0.0.254'},"
            + " {'destination': '10.0.0.0/8', 'gateway': '10.0.0.254'}],"
            + " 'ethtool': {'features': {'tso': true, 'rx-checksum': true}}}"
            + "| {'interface': {'addresses': ['1.1.1.1/32']},"
            + " 'routes': [{'destination': '0.0.0.0/0', 'gateway': '10.0.0.1'}],"
            + " 'ethtool': {'features': {'tso': false}}}"
            + "| {'interface': {'addresses': ['2.2.2.2/32', '1.1.1.1/32']},"
            + " 'routes': [{'destination': '10.0.0.0/8', 'gateway': '10.0.0.254'},"
            + " {'destination': '0.0.0.0/0', 'gateway': '10.0.0.1'}],"
            + " 'ethtool': {'features': {'tso': false, 'rx-checksum': true}}}",
        "{'routes': [{'destination': '0.0.0.0/0', 'gateway': '192.168.1.254'},"
            + " {'destination': '10.0.0.0/8', 'gateway': '192.168.1.254', 'table': 300}]}"
            + "| {'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 100},"
            + " {'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 200}]}"
            + "| {'routes': [{'destination': '0.0.0.0/0', 'gateway': '192.168.1.254'},"
            + " {'destination': '10.0.0.0/8', 'gateway': '192.168.1.254', 'table': 300},"
            + " {'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 100},"
            + " {'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table': 200}]}",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.254', 'table': 100}]}|"
            + " {'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.1', 'table':"
            + " 100}]}| {'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.1',"
            + " 'table': 100}]}",
        "{'routes': [{'destination': '10.0.0.0/8', 'gateway': '192.168.1.254', 'table': 254}]}"
            + "| {'routes': [{'destination': '10.2.0.0/8', 'gateway': '192.168.1.1'}]}"
            + "| {'routes': [{'destination': '10.2.0.0/8', 'gateway': '192.168.1.1'}]}",
        "{'neighbors': [{'destination': '1.2.3.4', 'hardwareAddr': '02:00:00:00:00:01'}]}"
            + "| {'neighbors': [{'destination': '1.2.3.4', 'hardwareAddr': '02:00:00:00:00:02'}]}"
            + "| {'neighbors': [{'destination': '1.2.3.4', 'hardwareAddr': '02:00:00:00:00:02'}]}",
        "{'rules': [{'table': 5}]} | {'rules': [{'table': 6}]} | {'rules': [{'table': 5}, {'table':"
            + " 6}]}",
        "{'interface': {'vrf': {'name': 'a', 'table': 7}}} | {'interface': {'vrf': {'name': 'b'}}}"
            + "| {'interface': {'vrf': {'name': 'b'}}}",
        // what is given counts, also if it is 0, false or empty
        "{'interface': {'forwarding': true, 'arpIgnore': 1, 'arpAnnounce': 2, 'name': 'x'},"
            + " 'profile': 'fast'}"
            + "| {'interface': {'forwarding': false, 'arpIgnore': 0, 'arpAnnounce': 0, 'name': ''},"
            + " 'profile': ''}"
            + "| {'interface': {'forwarding': false, 'arpIgnore': 0, 'arpAnnounce': 0, 'name': ''},"
            + " 'profile': ''}",
        "{'interface': {'disableEbpfPrograms': true}} | {'interface': {'disableEbpfPrograms':"
            + " false}} | {'interface': {'disableEbpfPrograms': false}}",
        "{'interface': {'addresses': ['1.2.3.4/32']}, 'routes': [{'destination': '1.0.0.0/8',"
            + " 'scope': 253}]} | {'interface': {'addresses': []}, 'routes': []}"
            + "| {'interface': {'addresses': []}, 'routes': []}",
      })
  void theHigherOneWins(String lower, String higher, String both) throws ConfigurationException {
    NetworkConfig merged = read(lower).under(read(higher));

    assertThat(merged).isEqualTo(read(both));
  }

  private static OpaqueConfiguration config(
      AllocationConfigSource source, String json, String... requests) {
    return new OpaqueConfiguration(source, List.of(requests), json.replace('\'', '"'));
  }

  private static NetworkConfig select(String request, OpaqueConfiguration... all)
      throws ConfigurationException {
    return ConfigSelection.of(List.of(all), request);
  }

  @Test
  void nothingSaysNothing() throws ConfigurationException {
    assertThat(select("nic")).isEqualTo(NetworkConfig.EMPTY);
  }

  @Test
  void theClaimWinsOverTheClassFieldByField() throws ConfigurationException {
    NetworkConfig config =
        select(
            "nic",
            config(
                AllocationConfigSource.FROM_CLASS,
                "{'interface': {'mtu': 9000, 'name': 'net0'}}",
                "nic"),
            config(AllocationConfigSource.FROM_CLAIM, "{'interface': {'mtu': 1500}}"));

    assertThat(config).isEqualTo(read("{'interface': {'mtu': 1500, 'name': 'net0'}}"));
  }

  @Test
  void theMoreParticularWinsWhereverItStands() throws ConfigurationException {
    NetworkConfig config =
        select(
            "nic/fast",
            config(AllocationConfigSource.FROM_CLAIM, "{'interface': {'mtu': 4000}}", "nic/fast"),
            config(
                AllocationConfigSource.FROM_CLAIM,
                "{'interface': {'mtu': 3000, 'arpIgnore': 3}}",
                "nic"),
            config(
                AllocationConfigSource.FROM_CLAIM,
                "{'interface': {'mtu': 2000, 'arpIgnore': 2, 'arpAnnounce': 2}}"),
            config(
                AllocationConfigSource.FROM_CLASS,
                "{'interface': {'mtu': 1000, 'arpIgnore': 1, 'arpAnnounce': 1, 'name': 'x'}}",
                "nic/fast"));

    assertThat(config)
        .isEqualTo(
            read("{'interface': {'mtu': 4000, 'arpIgnore': 3, 'arpAnnounce': 2, 'name': 'x'}}"));
  }

  @Test
  void ofTwoAlikeTheLaterWins() throws ConfigurationException {
    NetworkConfig config =
        select(
            "nic",
            config(AllocationConfigSource.FROM_CLAIM, "{'interface': {'mtu': 2000}}", "nic"),
            config(AllocationConfigSource.FROM_CLAIM, "{'interface': {'mtu': 3000}}", "nic"));

    assertThat(config.link().mtu()).isEqualTo(3000);
  }

  @Test
  void oneThatCannotBeUsedFailsTheClaimWithItsPlace() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(
            () ->
                select(
                    "nic",
                    config(AllocationConfigSource.FROM_CLASS, "{'interface': {'mtu': 1}}"),
                    config(AllocationConfigSource.FROM_CLAIM, "{'rules': 5}", "nic")))
        .satisfies(
            e ->
                assertThat(e.problems())
                    .extracting(ConfigurationProblem::toString)
                    .containsExactly(
                        "/interface/mtu: must be from 68 to 2147483647, found 1 (the configuration of"
                            + " the class)",
                        "/rules: expected a list, found a whole number (the configuration of the"
                            + " claim for requests [nic])"));
  }

  @Test
  void whatContradictsItselfOnlyTogetherFailsTheClaim() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(
            () ->
                select(
                    "nic",
                    config(AllocationConfigSource.FROM_CLASS, "{'interface': {'dhcp': true}}"),
                    config(
                        AllocationConfigSource.FROM_CLAIM,
                        "{'interface': {'addresses': ['192.0.2.5/24']}}")))
        .withMessageContaining("/interface/dhcp: cannot be set together with /interface/addresses")
        .withMessageContaining("(the merged configuration of class and claim)");
  }

  @Test
  void aBuilderSaysWhatWasSetAndNothingElse() {
    InterfaceConfig made =
        InterfaceConfig.builder().name("net%d").mtu(9000).forwarding(true).arpAnnounce(2).build();

    assertThat(made)
        .isEqualTo(
            new InterfaceConfig(
                "net%d",
                null, null, 9000, null, null, null, null, null, null, true, null, 2, null));
    assertThat(made.toBuilder().build()).isEqualTo(made);
    assertThat(made.toBuilder().mtu(null).build().mtu()).isNull();
    assertThat(InterfaceConfig.builder().build()).isEqualTo(InterfaceConfig.NONE);
  }
}
