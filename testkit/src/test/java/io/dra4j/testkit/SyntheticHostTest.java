package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SyntheticHostTest {

  @ParameterizedTest
  @MethodSource("io.dra4j.testkit.CapturedHost#names")
  void linksReadAsTheKernelWritesThem(String name) {
    CapturedHost host = CapturedHost.named(name);
    int compared = 0;
    for (String path : host.paths()) {
      String target = host.link(path).orElse("");
      if (target.startsWith("../")) {
        String to = Path.of(path).resolveSibling(target).normalize().toString();
        assertThat(SysfsTree.relative(path, to)).as(path).isEqualTo(target);
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(100);
  }

  @ParameterizedTest
  @MethodSource("io.dra4j.testkit.SyntheticHosts#all")
  void everyLinkOfADeviceLeadsSomewhere(CapturedHost host) throws IOException {
    try (FileSystem memory = Jimfs.newFileSystem(Configuration.unix())) {
      Path root = memory.getPath("/root");
      host.expandTo(root);
      for (String path : host.paths()) {
        if (host.link(path).isPresent() && !path.endsWith("/subsystem")) {
          assertThat(root.resolve(path).toRealPath()).startsWith(root.resolve("sys"));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a4, 8, 8",
    "p4d, 8, 4",
    "nd-h100-v5, 8, 8",
    "gb300, 4, 4",
    "gb200, 4, 8",
    "dgx16, 16, 8",
  })
  void serversHaveTheirAcceleratorsAndRdmaDevices(String name, int accelerators, int rdma) {
    CapturedHost host =
        SyntheticHosts.all().stream()
            .filter(each -> each.name().equals(name))
            .findAny()
            .orElseThrow();

    assertThat(host.paths())
        .filteredOn(path -> path.endsWith("/class") && text(host, path).equals("0x030200\n"))
        .hasSize(accelerators);
    assertThat(host.paths())
        .filteredOn(path -> path.startsWith("sys/class/infiniband/"))
        .hasSize(rdma);
  }

  @Test
  void everyFunctionHasAPlaceOfItsOwn() {
    for (CapturedHost host : SyntheticHosts.all()) {
      List<String> targets =
          host.paths().stream()
              .filter(path -> path.startsWith("sys/bus/pci/devices/"))
              .map(path -> host.link(path).orElseThrow())
              .toList();
      assertThat(targets).as(host.name()).doesNotHaveDuplicates();
    }
  }

  @Test
  void aFunctionSaysWhatTheKernelSays() {
    SyntheticHost host = new SyntheticHost("one").numaNode(0, "0-3,8", 10);
    host.root("pci0000:8a", 0)
        .bridge("0000:8a:00.0")
        .function("0000:8b:00.0", 0x020000, 0x15b3, 0x1021)
        .subsystem(0x15b3, 0x0023)
        .driver("mlx5_core")
        .iommuGroup(7)
        .link("32.0 GT/s PCIe", 16)
        .ethernet("eth0", 400_000)
        .rdma("mlx5_0", "Ethernet", "400 Gb/sec (4X NDR)");

    CapturedHost built = host.build();

    String function = "sys/devices/pci0000:8a/0000:8a:00.0/0000:8b:00.0/";
    assertThat(text(built, function + "class")).isEqualTo("0x020000\n");
    assertThat(text(built, function + "subsystem_device")).isEqualTo("0x0023\n");
    assertThat(text(built, function + "numa_node")).isEqualTo("0\n");
    assertThat(text(built, function + "local_cpulist")).isEqualTo("0-3,8\n");
    assertThat(text(built, function + "local_cpus")).isEqualTo("10f\n");
    assertThat(text(built, function + "max_link_speed")).isEqualTo("32.0 GT/s PCIe\n");
    assertThat(text(built, function + "uevent"))
        .isEqualTo(
            "DRIVER=mlx5_core\nPCI_CLASS=20000\nPCI_ID=15B3:1021\nPCI_SLOT_NAME=0000:8b:00.0\n");
    assertThat(built.link(function + "driver")).hasValue("../../../../bus/pci/drivers/mlx5_core");
    assertThat(built.link(function + "iommu_group")).hasValue("../../../../kernel/iommu_groups/7");
    assertThat(built.link(function + "net/eth0/device")).hasValue("../../../0000:8b:00.0");
    assertThat(text(built, function + "infiniband/mlx5_0/ports/1/rate"))
        .isEqualTo("400 Gb/sec (4X NDR)\n");
    assertThat(built.link("sys/class/net/eth0"))
        .hasValue("../../devices/pci0000:8a/0000:8a:00.0/0000:8b:00.0/net/eth0");
    assertThat(text(built, "sys/devices/pci0000:8a/0000:8a:00.0/secondary_bus_number"))
        .isEqualTo("139\n");
  }

  @Test
  void virtualFunctionsAndTheirPhysicalOneKnowEachOther() {
    CapturedHost host = SyntheticHosts.manyFunctions();
    String slot = "sys/devices/pci0000:16/0000:16:02.0/";

    assertThat(host.link(slot + "0000:17:00.1/virtfn0")).hasValue("../0000:17:01.2");
    assertThat(host.link(slot + "0000:17:01.2/physfn")).hasValue("../0000:17:00.1");
    assertThat(text(host, slot + "0000:17:00.1/sriov_numvfs")).isEqualTo("8\n");
  }

  @Test
  void rootsMayLieBelowOtherDevices() {
    assertThat(SyntheticHosts.ndH100v5().link("sys/bus/pci/devices/0101:00:00.0").orElseThrow())
        .isEqualTo(
            "../../../devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00"
                + "/00000000-0000-0000-0000-000000000101/pci0101:00/0101:00:00.0");
    assertThat(SyntheticHosts.vmd().link("sys/class/nvme/nvme1").orElseThrow())
        .isEqualTo(
            "../../devices/pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:07.0/10000:e2:00.0/nvme/nvme1");
  }

  @Test
  void processorsAreListedAsTheKernelListsThem() {
    CapturedHost host =
        new SyntheticHost("cpus")
            .numaNode(0, "0-31,64", 10, 20)
            .numaNode(1, "32-63", 20, 10)
            .numaNode(2, "", 30, 30)
            .build();

    assertThat(text(host, "sys/devices/system/node/node0/cpumap"))
        .isEqualTo("1,00000000,ffffffff\n");
    assertThat(text(host, "sys/devices/system/node/node2/cpumap")).isEqualTo("0\n");
    assertThat(text(host, "sys/devices/system/node/node1/distance")).isEqualTo("20 10\n");
    assertThat(text(host, "sys/devices/system/node/online")).isEqualTo("0-2\n");
    assertThat(text(host, "sys/devices/system/cpu/online")).isEqualTo("0-64\n");
  }

  @Test
  void anAddressThatIsNoneIsRefused() {
    SyntheticBus root = new SyntheticHost("x").root("pci0000:00", 0);

    assertThatThrownBy(() -> root.function("00:00.0", 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("00:00.0");
  }

  private static String text(CapturedHost host, String path) {
    return new String(host.file(path).orElseThrow(), UTF_8);
  }
}
