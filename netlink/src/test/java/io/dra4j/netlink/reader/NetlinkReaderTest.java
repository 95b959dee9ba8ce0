package io.dra4j.netlink.reader;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.TopologyReader;
import io.dra4j.topology.PciAddress;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class NetlinkReaderTest {

  private static final PciAddress PCI = PciAddress.parse("0000:8f:00.0");

  /** A NIC and a bridge. */
  private static HostInventory.Builder read(HostInventory.Builder inventory)
      throws NetlinkException {
    byte[] nic = new byte[16];
    nic[2] = 1;
    nic[4] = 5;
    byte[] bridge = nic.clone();
    bridge[4] = 6;
    Recording recording =
        new Recording()
            .sent(18, MessageFlags.DUMP, new byte[16], attribute(29, u32(8)))
            .received(
                16,
                MessageFlags.MULTI,
                nic,
                attribute(3, text("eth0")),
                attribute(4, u32(9_000)),
                attribute(16, u8(6)),
                attribute(1, new byte[] {2, 0, 0, 0, 0, 1}),
                attribute(56, text("0000:8f:00.0")),
                attribute(57, text("pci")))
            .received(
                16,
                MessageFlags.MULTI,
                bridge,
                attribute(3, text("br0")),
                attribute(4, u32(1_500)),
                attribute(18, attribute(1, text("bridge"))))
            .done();
    NetlinkReader.add(RouteNetlink.over(NetlinkSocket.over(recording.play())), inventory);
    return inventory;
  }

  private static Netdev known(int index) {
    return Netdev.named("eth0")
        .index(index)
        .address(PCI)
        .megabitsPerSecond(100_000)
        .devicePort(1)
        .build();
  }

  @Test
  void linksBecomeNetdevs() throws NetlinkException {
    assertThat(read(HostInventory.builder()).build().netdevs())
        .containsExactly(
            Netdev.named("br0")
                .index(6)
                .virtual(true)
                .mtu(1_500)
                .operationalState("unknown")
                .build(),
            Netdev.named("eth0")
                .index(5)
                .address(PCI)
                .hardwareAddress("02:00:00:00:00:01")
                .mtu(9_000)
                .operationalState("up")
                .build());
  }

  @Test
  void whatSysfsToldIsKeptAndCompleted() throws NetlinkException {
    HostInventory inventory = read(HostInventory.builder().netdev(known(5))).build();

    assertThat(inventory.netdevs())
        .contains(
            known(5).toBuilder()
                .hardwareAddress("02:00:00:00:00:01")
                .mtu(9_000)
                .operationalState("up")
                .build());
    assertThat(inventory.warnings()).isEmpty();
  }

  @Test
  void aSysfsOfAnotherNamespaceIsNotMixedIn() throws NetlinkException {
    HostInventory inventory = read(HostInventory.builder().netdev(known(77))).build();

    assertThat(inventory.netdevs()).contains(known(77));
    assertThat(inventory.warnings())
        .containsExactly(
            "netlink: link eth0 has index 5, but 77 in /sys, so /sys shows another network"
                + " namespace; left out");
  }

  @Test
  void aCapturedHostIsLeftAlone() {
    HostInventory.Builder inventory = HostInventory.builder();
    new NetlinkReader().read(Host.captured(Path.of("/")), inventory);

    assertThat(inventory.netdevs()).isEmpty();
  }

  @Test
  void thisHostIsRead() {
    HostInventory.Builder inventory = HostInventory.builder();
    new NetlinkReader().read(Host.live(), inventory);

    assertThat(inventory.netdevs()).extracting(Netdev::name).contains("lo");
    assertThat(inventory.build().warnings()).isEmpty();
  }

  @Test
  void isFoundByServiceLoader() {
    assertThat(ServiceLoader.load(TopologyReader.class))
        .anyMatch(reader -> reader instanceof NetlinkReader);
  }
}
