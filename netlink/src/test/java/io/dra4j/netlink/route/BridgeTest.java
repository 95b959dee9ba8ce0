package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What bridges know of their ports, and vxlans of their remote ends, beside {@code bridge}. */
@EnabledIf(TestNamespace.MAY)
class BridgeTest {

  private static final LinkKey PORT = LinkKey.of("v0");

  private TestNamespace inside;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    for (String line :
        List.of(
            "link add v0 type veth peer name v1",
            "link add sw type bridge",
            "link set v0 master sw",
            "link set sw up",
            "link set v0 up",
            "link set v1 up",
            "link add vx type vxlan id 5 dev v1 dstport 4789 nolearning",
            "link set vx up")) {
      inside.run("ip", line);
    }
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private List<ForwardingEntry> set(LinkKey link) throws NetlinkException {
    return inside.route.forwardingEntries().list(link).stream()
        .filter(ForwardingEntry::isSet)
        .toList();
  }

  @Test
  void anEntryIsMadeOfAPortAndAnAddress() throws IOException {
    HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:71");
    int port = inside.route.links().get("v0").index();

    inside.route.forwardingEntries().add(ForwardingEntry.ofPort(port, address));

    assertThat(inside.run("bridge", "fdb show brport v0"))
        .contains("02:00:00:00:00:71 master sw static");
    assertThat(set(PORT))
        .filteredOn(one -> one.address().equals(address))
        .isNotEmpty()
        .allSatisfy(
            one -> {
              assertThat(one.index()).isEqualTo(port);
              assertThat(one.isOfBridge()).isTrue();
              assertThat(one.isPermanent()).isFalse();
              assertThat(one.destination()).isEmpty();
            });
  }

  @Test
  void theRemoteEndOfAVxlanIsTold() throws IOException {
    inside.run("bridge", "fdb add 02:00:00:00:00:72 dev vx dst 192.0.2.8");

    assertThat(set(LinkKey.of("vx")))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.destination()).contains(IpAddress.parse("192.0.2.8"));
              assertThat(one.isOfBridge()).isFalse();
              assertThat(one.vlan()).isEmpty();
            });
  }

  @Test
  void whatIsNotThereIsNotFound() throws IOException {
    HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:71");
    int port = inside.route.links().get("v0").index();
    ForwardingEntry none = ForwardingEntry.ofPort(port, address);

    assertThat(inside.route.forwardingEntries().list(LinkKey.of("nowhere"))).isEmpty();
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> inside.route.forwardingEntries().delete(none));
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> inside.route.bridgeVlans().remove(LinkKey.of("nowhere"), 5));
  }

  @Test
  void vlansAreSetAndRemovedAsBridgeDoes() throws IOException {
    int port = inside.route.links().get("v0").index();
    BridgeVlans vlans = inside.route.bridgeVlans();
    assumeTrue(!vlans.list().isEmpty(), "the kernel keeps no VLANs apart");
    inside.run("bridge", "vlan add dev v0 vid 20-29");
    vlans.set(PORT, new BridgeVlan(30, true, true));
    vlans.remove(PORT, 25);

    assertThat(of(port))
        .extracting(BridgeVlan::id)
        .containsExactly(1, 20, 21, 22, 23, 24, 26, 27, 28, 29, 30);
    assertThat(of(port)).contains(new BridgeVlan(30, true, true), new BridgeVlan(20, false, false));
    assertThat(inside.run("bridge", "vlan show dev v0")).contains("30 PVID Egress Untagged");
  }

  private List<BridgeVlan> of(int port) throws NetlinkException {
    return inside.route.bridgeVlans().list().stream()
        .filter(one -> one.index() == port)
        .flatMap(one -> one.vlans().stream())
        .toList();
  }

  @Test
  void aVlanThatNoTagCanSayIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BridgeVlan(4_095, false, false))
        .withMessageContaining("vlan id 4095");
  }
}
