package io.dra4j.netlink.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Links;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.VirtualFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Virtual functions as their physical function tells of them, compared with {@code ip -d -j}. */
@EnabledIf(Machine.HAS_FUNCTIONS)
class VirtualFunctionsTest {

  private RouteNetlink route;
  private Links links;
  private Link physical;
  private int count;

  @BeforeEach
  void open() throws IOException {
    route = RouteNetlink.open();
    links = route.links();
    physical = links.get(Machine.physicalFunctions().get(0));
    Path functions = Path.of("/sys/class/net", physical.name(), "device/sriov_numvfs");
    count = Integer.parseInt(Files.readString(functions).strip());
    links.change(physical, LinkSettings.none().up());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!links.get(physical.index()).hasCarrier()) { // before, the driver knows no rates
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(50_000_000);
    }
  }

  @AfterEach
  void close() {
    route.close();
  }

  private List<VirtualFunction> seenByIp() throws IOException {
    List<VirtualFunction> functions = new ArrayList<>();
    JsonNode link = Machine.json("ip -d -j link show dev " + physical.name()).get(0);
    for (JsonNode one : link.get("vfinfo_list")) {
      JsonNode vlan = one.get("vlan_list").get(0);
      functions.add(
          new VirtualFunction(
              one.get("vf").asInt(),
              HardwareAddress.parse(one.get("address").asText()),
              vlan.path("vlan").asInt(0),
              vlan.path("qos").asInt(0),
              one.get("rate").get("min_tx").asInt(),
              one.get("rate").get("max_tx").asInt(),
              one.get("spoofchk").asBoolean(),
              one.get("trust").asBoolean(),
              VirtualFunction.LinkState.valueOf(
                  one.get("link_state").asText().toUpperCase(Locale.ROOT)),
              OptionalLong.empty(),
              OptionalLong.empty()));
    }
    return functions;
  }

  @Test
  void areReadAsIpReadsThem() throws IOException {
    assertThat(links.virtualFunctions(physical)).hasSize(count).isEqualTo(seenByIp());
  }

  @Test
  void areSetThroughTheirPhysicalFunction() throws IOException {
    HardwareAddress address = HardwareAddress.parse("02:00:00:00:00:33");

    links.change(physical, LinkSettings.none().functionAddress(3, address));
    links.change(
        physical,
        LinkSettings.none()
            .functionVlan(3, 5, 2)
            .functionTrust(2, true)
            .functionRate(3, 0, 100)
            .functionSpoofCheck(3, false)
            .functionTrust(3, true));

    assertThat(seenByIp().get(2).trusted()).isTrue();
    assertThat(seenByIp().get(3))
        .isEqualTo(
            new VirtualFunction(
                3,
                address,
                5,
                2,
                0,
                100,
                false,
                true,
                VirtualFunction.LinkState.AUTO,
                OptionalLong.empty(),
                OptionalLong.empty()))
        .isEqualTo(links.virtualFunctions(physical).get(3));
  }

  @Test
  void whatTheDriverCannotSetIsUnsupported() {
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(
            () ->
                links.change(
                    physical,
                    LinkSettings.none().functionLinkState(2, VirtualFunction.LinkState.ENABLE)))
        .withMessageStartingWith(
            "set vf 2 state " + VirtualFunction.LinkState.ENABLE + " on link " + physical.name());
  }

  @Test
  void thoseThatAreNotThereAreRefused() {
    assertThatExceptionOfType(NetlinkException.class)
        .isThrownBy(() -> links.change(physical, LinkSettings.none().functionTrust(count, true)))
        .withMessageStartingWith(
            "set vf " + count + " trust true on link " + physical.name() + ": EINVAL");
  }
}
