package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BorrowLinkTest {

  @Test
  void theLinkComesBackAsItWas(@TempDir Path directory) throws IOException {
    try (NetworkNamespace host = namespace();
        NetworkNamespace pod = namespace();
        RouteNetlink route = RouteNetlink.open(host)) {
      route.links().create(NewLink.veth("eth0", "other"));
      Link eth0 = route.links().get("eth0");
      route.links().change(eth0, LinkSettings.none().mtu(1_400).up());
      route.links().change(route.links().get("other"), LinkSettings.none().up());
      route.addresses().add(InterfaceAddress.of(eth0.index(), IpPrefix.parse("192.0.2.5/24")));

      assertThat(BorrowLink.borrow(host, pod, directory.resolve("eth0")).left()).isEmpty();

      assertThat(route.links().get("eth0").mtu()).isEqualTo(1_400);
      assertThat(route.addresses().list(LinkKey.of("eth0")))
          .anyMatch(one -> one.address().equals(IpPrefix.parse("192.0.2.5/24")));
    }
  }

  @Test
  void oneMessageRenamesChangesAndMoves() throws IOException {
    try (NetworkNamespace host = namespace();
        NetworkNamespace pod = namespace();
        RouteNetlink route = RouteNetlink.open(host);
        RouteNetlink inPod = RouteNetlink.open(pod)) {
      route.links().create(NewLink.veth("eth0", "other"));

      BorrowLink.lend(route, LinkKey.of("eth0"), pod);

      assertThat(inPod.links().get("net1").mtu()).isEqualTo(9_000);
    }
  }

  @Test
  void aNameThatThePodHasLeavesTheLinkInTheHost(@TempDir Path directory) throws IOException {
    try (NetworkNamespace host = namespace();
        NetworkNamespace pod = namespace();
        RouteNetlink route = RouteNetlink.open(host);
        RouteNetlink inPod = RouteNetlink.open(pod)) {
      route.links().create(NewLink.veth("eth0", "other"));
      inPod.links().create(NewLink.veth("net1", "other"));

      assertThatExceptionOfType(NetlinkException.Exists.class)
          .isThrownBy(() -> BorrowLink.borrow(host, pod, directory.resolve("eth0")));

      assertThat(route.links().find("eth0")).isPresent();
      assertThat(inPod.links().list()).extracting(Link::name).contains("net1", "other").hasSize(3);
    }
  }

  private static NetworkNamespace namespace() throws IOException {
    try {
      return NetworkNamespace.create();
    } catch (IOException e) {
      return abort("this process may not make network namespaces: " + e);
    }
  }
}
