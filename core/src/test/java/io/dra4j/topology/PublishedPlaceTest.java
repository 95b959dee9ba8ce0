package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedPlaceTest {

  private static final String DRIVER = "gpu.nvidia.com";

  private static PublishedPlace place(Device.Builder device) {
    return PublishedPlace.of(DRIVER, device.build());
  }

  @Test
  void aDeviceWithoutAttributesIsNowhere() {
    assertThat(place(Device.named("d")))
        .isEqualTo(new PublishedPlace(Optional.empty(), OptionalInt.empty(), List.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resource.kubernetes.io/numaNode",
        "dra.net/numaNode",
        "dra.cpu/numaNodeID",
        "numaNode",
        "numaNodeID",
        "numa",
        "gpu.nvidia.com/numaNode",
        "gpu.nvidia.com/numa"
      })
  void theNumaNodeHasTheNamesThatDriversUse(String name) {
    assertThat(place(Device.named("d").attribute(name, 1)).numaNode()).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resource.kubernetes.io/pciBusID",
        "dra.net/pciAddress",
        "pciBusID",
        "pciAddress",
        "pciAddr",
        "parentPciAddr",
        "gpu.nvidia.com/pciBusID"
      })
  void theAddressHasTheNamesThatDriversUse(String name) {
    assertThat(place(Device.named("d").attribute(name, "0000:8F:00.0")).address())
        .hasValue(PciAddress.tryParse("0000:8f:00.0").orElseThrow());
  }

  @Test
  void whatCannotBeReadGivesWayToTheNextName() {
    PublishedPlace place =
        place(
            Device.named("d")
                .attribute("resource.kubernetes.io/numaNode", -1)
                .attribute("numa", 3)
                .attribute("resource.kubernetes.io/pciBusID", "bus 7")
                .attribute("pciBusID", "0000:07:00.0"));

    assertThat(place.numaNode()).hasValue(3);
    assertThat(place.address()).map(PciAddress::toString).hasValue("0000:07:00.0");
  }

  @Test
  void aListOfNumaNodesBeginsWithTheDevicesOwn() {
    assertThat(
            place(
                    Device.named("d")
                        .attribute(
                            "resource.kubernetes.io/numaNode",
                            new DeviceAttribute.IntValues(List.of(2L, 0L))))
                .numaNode())
        .hasValue(2);
  }

  @ParameterizedTest
  @CsvSource({
    "pci0001:0a, pci0001:0a",
    "0001:0a, pci0001:0a",
    "0a, pci0003:0a",
    "pci10000:80, pci10000:80"
  })
  void theRootOfIntelsDriverMayBeTheBusAlone(String published, String root) {
    Device.Builder device =
        Device.named("d").attribute("pciRoot", published).attribute("pciAddress", "0003:0b:00.0");

    assertThat(place(device).pcieRoots()).containsExactly(root);
    assertThat(place(device.attribute("resource.kubernetes.io/pcieRoot", "pci0000:05")).pcieRoots())
        .containsExactly("pci0000:05");
  }

  @Test
  void aRootThatIsNoneIsNotKnown() {
    assertThat(place(Device.named("d").attribute("pciRoot", "root complex 3")).pcieRoots())
        .isEmpty();
  }

  private static DeviceKind kind(String driver, Device.Builder device) {
    return HostTopology.ofSlices(
            List.of(ResourceSlice.onNode("s", driver, "n", List.of(device.build()))))
        .build()
        .devices()
        .get(0)
        .kind();
  }

  /** Attributes of other drivers are there to be matched with. */
  @ParameterizedTest
  @CsvSource({
    "gpu.nvidia.com, GPU",
    "gpu.amd.com, GPU",
    "gpu.intel.com, GPU",
    "gaudi.intel.com, ACCELERATOR",
    "tpu.google.com, ACCELERATOR",
    "dra.net, NIC",
    "sriovnetwork.k8snetworkplumbingwg.io, NIC",
    "dra.cpu, CPU",
    "cpu.example.com, CPU",
    "dra.memory, MEMORY",
    "hugepages.example.com, MEMORY",
    "nvme.example.com, NVME",
    "local-storage.example.com, DISK",
    "compute-domain.nvidia.com, OTHER",
    "things.example.net, UNKNOWN"
  })
  void whatADeviceIsComesFromItsDriver(String driver, DeviceKind kind) {
    Device.Builder device =
        Device.named("d")
            .attribute("dra.net/numaNode", 1)
            .attribute("dra.net/pciAddress", "0000:07:00.0")
            .attribute("dra.cpu/numaNodeID", 1);

    assertThat(kind(driver, device)).isEqualTo(kind);
    assertThat(kind.isEndpoint())
        .isEqualTo(!driver.matches("dra.(cpu|memory)|.*(cpu|pages|nvme|storage|domain)[.].*"));
  }

  @ParameterizedTest
  @CsvSource({
    "type, amdgpu-gpu, GPU",
    "type, mig, GPU",
    "type, nic, NIC",
    "type, board, UNKNOWN",
    "interfaceName, eth1, NIC",
    "rdmaDevice, mlx5_0, NIC",
    "dra.net/ifName, eth1, NIC",
    "vendor, nic, UNKNOWN"
  })
  void elseFromItsOwnAttributes(String name, String value, DeviceKind kind) {
    assertThat(kind("devices.example.com", Device.named("d").attribute(name, value)))
        .isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({"0, -1, 0", "-1, 1, 1", "-1, -1, -1", "0, 1, -1"})
  void onePcieRootHasOneNumaNode(int ofGpu, int ofNic, int ofThird) {
    Device.Builder gpu =
        Device.named("g").attribute("resource.kubernetes.io/pcieRoot", "pci0000:0a");
    Device.Builder nic =
        Device.named("n").attribute("resource.kubernetes.io/pcieRoot", "pci0000:0a");
    Device third =
        Device.named("t").attribute("resource.kubernetes.io/pcieRoot", "pci0000:0a").build();
    HostTopology host =
        HostTopology.ofSlices(
                List.of(
                    ResourceSlice.onNode(
                        "a", DRIVER, "n", List.of(gpu.attribute("numaNode", ofGpu).build())),
                    ResourceSlice.onNode(
                        "b",
                        "dra.net",
                        "n",
                        List.of(nic.attribute("dra.net/numaNode", ofNic).build(), third))))
            .build();

    assertThat(host.device("dra.net/n/t").orElseThrow().location().numaNode().orElse(-1))
        .isEqualTo(ofThird);
    assertThat(host.path("gpu.nvidia.com/n/g", "dra.net/n/t")).isEqualTo(PathType.HOST_BRIDGE);
    assertThat(host.warnings()).hasSize(ofGpu >= 0 && ofNic >= 0 ? 1 : 0);
  }

  @Test
  void ofSeveralRootsNoneIsTheOneThatPathsGoThrough() {
    DeviceAttribute two = new DeviceAttribute.StringValues(List.of("pci0000:0a", "pci0000:1a"));
    DeviceAttribute one = new DeviceAttribute.StringValues(List.of("pci0000:0a"));
    Device near = Device.named("d0").attribute("resource.kubernetes.io/pcieRoot", two).build();
    Device on = Device.named("d1").attribute("resource.kubernetes.io/pcieRoot", one).build();

    assertThat(PublishedPlace.of(DRIVER, near).pcieRoots())
        .containsExactly("pci0000:0a", "pci0000:1a");
    assertThat(
            HostTopology.ofSlices(
                    List.of(ResourceSlice.onNode("s", DRIVER, "n", List.of(near, on))))
                .build()
                .devices())
        .extracting(TopologyDevice::pcieRoot)
        .containsExactly(null, "pci0000:0a");
  }
}
