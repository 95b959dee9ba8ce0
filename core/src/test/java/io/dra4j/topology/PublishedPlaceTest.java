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
        "numaNode",
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
