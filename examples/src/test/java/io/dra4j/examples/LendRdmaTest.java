package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.Host;
import io.dra4j.testkit.CapturedHostTree;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LendRdmaTest {

  @Test
  void aNetworkDeviceLeadsToTheFilesOfItsRdmaDevice(@CapturedHostTree("rdma") Path root) {
    assertThat(LendRdma.filesFor(Host.captured(root), "eth1"))
        .containsExactly("/dev/infiniband/uverbs1 c 231:193");
    assertThat(LendRdma.filesFor(Host.captured(root), "eth3")).isEmpty();
  }

  @Test
  void aNetworkDeviceGoesIntoAPod() throws IOException {
    try (NetworkNamespace host = namespace();
        NetworkNamespace pod = namespace();
        RouteNetlink route = RouteNetlink.open(host);
        RouteNetlink inside = RouteNetlink.open(pod)) {
      route.links().create(NewLink.veth("eth0", "other"));

      LendRdma.lend(host, "mlx5_0", "eth0", pod);

      assertThat(inside.links().list()).extracting(Link::name).contains("net1");
      assertThat(route.links().list()).extracting(Link::name).doesNotContain("eth0");
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
