package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class RequestedSettingsTest {

  @Test
  void whatTheLinkDidNotTakeIsNamed() throws Exception {
    try (TestHost host = new TestHost()) {
      host.ip(
          "link add nic0 address 02:00:00:00:00:01 mtu 1400 type veth peer name peer0",
          "link set nic0 gso_max_size 60000");
      try (RouteNetlink route = RouteNetlink.open(host.namespace())) {
        Link link = route.links().get("nic0");

        assertThat(
                new RequestedSettings(1400, "02:00:00:00:00:01", 60_000, null, 60_000, null)
                    .missing(link))
            .isEmpty();
        assertThat(
                new RequestedSettings(1400, "02:00:00:00:00:02", null, null, 150_000, null)
                    .missing(link))
            .isEqualTo(
                "/interface/hardwareAddr is 02:00:00:00:00:01, not 02:00:00:00:00:02,"
                    + " /interface/gsoIPv4MaxSize is 60000, not 150000");
        assertThat(new RequestedSettings(null, null, null, null, null, null).isEmpty()).isTrue();
      }
    }
  }
}
