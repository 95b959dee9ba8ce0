package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a port of a bridge has that names another port, or that the kernel may have made itself. */
@EnabledIf(Host.MAY)
class BridgePortTest extends TwoHosts {

  @BeforeEach
  void open() throws IOException {
    host.pair("nic0");
    host.ip(
        "link add sw type bridge",
        "link set sw up",
        "link property add dev nic0 altname second",
        "link set nic0 master sw",
        "link add backup type veth peer name other",
        "link set backup master sw");
  }

  private JsonNode port() throws IOException {
    JsonNode info = host.json("ip -d -j link show dev nic0").get(0).get("linkinfo");
    assertThat(info.get("info_slave_kind").asText()).isEqualTo("bridge");
    return info.get("info_slave_data");
  }

  @Test
  void theBackupPortComesBackAlsoUnderAnotherIndex() throws IOException {
    host.run("bridge link set dev nic0 backup_port backup");
    LinkState before = host.captured("nic0");
    assertThat(before.values()).containsEntry("backup port", "backup");
    Scenario.goAndComeBack(host, pod, "nic0");
    host.ip(
        "link del backup",
        "link add taker type veth peer name taken", // of its index
        "link add backup type veth peer name other",
        "link set backup master sw");

    isBack(before);

    assertThat(port().get("backup_port").asText()).isEqualTo("backup");
  }

  @Test
  void aBackupPortThatIsGoneIsToldAndNoOtherSetThatHasItsIndex() throws IOException {
    host.run("bridge link set dev nic0 backup_port backup");
    LinkState before = host.captured("nic0");
    int index = host.json("ip -j link show dev backup").get(0).get("ifindex").asInt();
    Scenario.goAndComeBack(host, pod, "nic0");
    host.ip(
        "link del backup",
        "link add foreign index " + index + " type veth peer name other",
        "link set foreign master sw");

    assertThat(host.left(before, "nic0"))
        .containsExactly("backup port was backup, is gone: get link backup: ENODEV");

    assertThat(port().has("backup_port")).isFalse();
  }

  @Test
  void aBackupPortThatWasNotThereIsTakenAway() throws IOException {
    LinkState before = host.captured("nic0");
    host.run("bridge link set dev nic0 backup_port backup");

    isBack(before);

    assertThat(port().has("backup_port")).isFalse();
  }

  @Test
  void anotherBackupPortMakesRoomForTheOneThatWasThere() throws IOException {
    host.run("bridge link set dev nic0 backup_port backup");
    LinkState before = host.captured("nic0");
    host.ip("link add foreign type veth peer name end", "link set foreign master sw");
    host.run("bridge link set dev nic0 backup_port foreign");

    isBack(before);

    assertThat(port().get("backup_port").asText()).isEqualTo("backup");
  }

  /** Once it is set the kernel does not make it of the speed any more. */
  @Test
  void theCostThatTheKernelMakesOfTheSpeedIsLeftToIt() throws IOException {
    host.ip(
        "link del nic0",
        "link add lower type bridge", // whose speed is that of its ports
        "link set lower up",
        "link add nic0 link lower type macvlan mode bridge",
        "link set nic0 up",
        "link set nic0 master sw");
    LinkState before = host.captured("nic0");
    int cost = cost();
    host.ip("link set other up", "link set backup up", "link set backup master lower");
    Scenario.awaitCarrier(host, "backup");
    host.ip("link set nic0 nomaster", "link set nic0 master sw");
    int now = cost();
    assumeThat(now).as("older kernels know no speed of bridges").isNotEqualTo(cost);

    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
    host.ip("link set nic0 nomaster");
    isBack(before);

    assertThat(cost()).isEqualTo(now);
  }

  @Test
  void aCostThatNoSpeedHasIsTakenBack() throws IOException {
    LinkState before = host.captured("nic0");
    int cost = cost();
    host.run("bridge link set dev nic0 cost 7");
    LinkState seven = host.captured("nic0");

    isBack(before);
    assertThat(cost()).isEqualTo(cost);

    isBack(seven);
    assertThat(cost()).isEqualTo(7);
  }

  private int cost() throws IOException {
    return port().get("cost").asInt();
  }
}
