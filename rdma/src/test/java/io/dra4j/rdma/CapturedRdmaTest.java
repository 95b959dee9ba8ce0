package io.dra4j.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.testkit.CapturedHost;
import io.dra4j.testkit.Reading;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Captured machines, compared with what {@code rdma} said there at the moment of the capture. */
class CapturedRdmaTest {

  private static final Path DATA =
      Path.of(Objects.requireNonNullElse(System.getenv("DRA4J_SHARED"), "../../shared"))
          .resolve("data/topology/sysfs");

  static List<String> hosts() {
    return Reading.RDMA_JSON.hosts();
  }

  private HostInventory read(CapturedHost host) throws IOException {
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path root = memory.getPath("/host");
      host.expandTo(root);
      HostInventory inventory = RdmaReader.read(Host.captured(root));
      print(host.name(), inventory);
      return inventory;
    }
  }

  /** The table of the machine, for people who read what tests print. */
  private static void print(String name, HostInventory host) {
    for (RdmaDevice device : host.rdmaDevices()) {
      for (RdmaPort port : device.ports()) {
        System.out.printf(
            "%-10s %-8s %-12s %-10s %-5s %d %-7s %-7s %-10s %5s Gb/s lid %s mtu %s gids %d %s%n",
            Path.of(name).getFileName(),
            device.name(),
            device.address(),
            device.driver(),
            device.protocol(),
            port.number(),
            port.state(),
            port.physicalState(),
            port.linkLayer(),
            port.gigabitsPerSecond().orElse(0),
            port.lid(),
            port.activeMtu(),
            port.gids().size(),
            port.netdev());
      }
    }
    host.warnings().forEach(System.out::println);
  }

  private static RdmaDevice device(HostInventory host, String name) {
    return host.rdmaDevices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void labMachinesAreAsRdmaSawThem(String name) throws Exception {
    HostInventory host = read(CapturedHost.named(name));

    assertThat(host.warnings()).isEmpty();
    Map<String, RdmaDevice> ours = new TreeMap<>();
    host.rdmaDevices().forEach(device -> ours.put(device.name(), device));
    JsonNode rdma = new ObjectMapper().readTree(Reading.RDMA_JSON.of(name));
    assertThat(rdma.get("dev")).hasSize(ours.size());
    for (JsonNode expected : rdma.get("dev")) {
      RdmaDevice device = Objects.requireNonNull(ours.get(expected.get("ifname").asText()));
      assertThat(device.protocol()).isEqualTo(expected.get("protocol").asText());
      assertThat(device.nodeType())
          .isEqualToIgnoringCase("1: " + expected.get("node_type").asText());
      assertThat(device.nodeGuid()).isEqualTo(expected.get("node_guid").asText());
      assertThat(device.sysImageGuid()).isEqualTo(expected.get("sys_image_guid").asText());
      assertThat(device.address()).isNotNull();
    }
    for (JsonNode expected : rdma.get("link")) {
      RdmaDevice device = Objects.requireNonNull(ours.get(expected.get("ifname").asText()));
      RdmaPort port = device.ports().get(expected.get("port").asInt() - 1);
      assertThat(port.state()).isEqualTo(expected.get("state").asText());
      assertThat(port.netdev()).isEqualTo(expected.get("netdev").asText());
      assertThat(port.gids()).extracting(RdmaGid::netdev).containsOnly(port.netdev());
      assertThat(port.gids()).extracting(RdmaGid::type).containsOnly("RoCE v2");
      assertThat(port.pkeys()).containsExactly(0xffff);
      assertThat(port.activeMtu()).hasValue(1_024);
      assertThat(RdmaNetdevs.of(host).find(expected.get("netdev").asText()))
          .hasValueSatisfying(match -> assertThat(match.device().name()).isEqualTo(device.name()));
    }
  }

  /** hwloc's capture, which lies beside the project. */
  @Test
  void aConnectX3HasItsFunctionItsNetworkDeviceAndItsPort() throws Exception {
    Path capture = DATA.resolve("dell-dcs8000z-mlx4-vlan-mic.tar.gz");
    assumeTrue(Files.exists(capture), () -> "no " + capture.toAbsolutePath());
    HostInventory host = read(CapturedHost.readTarGz(capture));

    RdmaDevice device = device(host, "mlx4_0");
    assertThat(device.address()).hasToString("0000:82:00.0");
    assertThat(device.driver()).isEqualTo("mlx4_core");
    assertThat(device.protocol()).isEqualTo("ib");
    assertThat(device.model()).isEqualTo("MT4099");
    assertThat(device.boardId()).isEqualTo("DEL0A30000019");
    assertThat(device.firmwareVersion()).isEqualTo("2.11.500");
    assertThat(device.ports())
        .containsExactly(
            RdmaPort.numbered(1)
                .state("ACTIVE")
                .physicalState("LinkUp")
                .gigabitsPerSecond(56)
                .linkLayer("InfiniBand")
                .lid(0x3a4)
                .subnetManagerLid(1)
                .lidMaskCount(0)
                .capabilityMask(0x02514868)
                .netdev("ib0")
                .gids(List.of(new RdmaGid(0, "fe80:0000:0000:0000:0002:c903:00f9:bfa1", "", null)))
                .build());
    assertThat(RdmaNetdevs.of(host).find("ib0"))
        .hasValueSatisfying(
            match -> {
              assertThat(match.device()).isEqualTo(device);
              assertThat(match.way()).isEqualTo(RdmaNetdevs.Way.PORT);
            });
    assertThat(device(host, "scif0")).isEqualTo(RdmaDevice.named("scif0").build());
    assertThat(host.warnings())
        .filteredOn(warning -> !warning.startsWith("/sys/class/net/")) // links the archive left out
        .containsExactly(
            "/sys/class/infiniband/scif0: is a broken link; only the name of the RDMA device is "
                + "known");
  }
}
