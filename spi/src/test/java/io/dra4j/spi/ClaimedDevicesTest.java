package io.dra4j.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimedDevicesTest {

  private static final String DRIVER = "net.example.com";

  @Test
  void parametersOfTheClassComeBeforeThoseOfTheClaim() throws Exception {
    ClaimedDevices claimed =
        claimed(
            List.of(result("nic", "eth0")),
            configuration(AllocationConfigSource.FROM_CLAIM, "claim"),
            configuration(AllocationConfigSource.FROM_CLASS, "class"));

    assertThat(claimed.devices().get(0).configurations())
        .extracting(OpaqueConfiguration::parameters)
        .containsExactly("class", "claim");
  }

  @Test
  void parametersOfARequestAreForAllItsAlternatives() throws Exception {
    ClaimedDevices claimed =
        claimed(
            List.of(result("nic/fast", "eth0"), result("other", "eth1")),
            configuration(AllocationConfigSource.FROM_CLAIM, "all"),
            configuration(AllocationConfigSource.FROM_CLAIM, "nic", "nic"),
            configuration(AllocationConfigSource.FROM_CLAIM, "fast", "nic/fast"),
            configuration(AllocationConfigSource.FROM_CLAIM, "slow", "nic/slow"));

    assertThat(claimed.devices().get(0).configurations())
        .extracting(OpaqueConfiguration::parameters)
        .containsExactly("all", "nic", "fast");
    assertThat(claimed.devices().get(1).configurations())
        .extracting(OpaqueConfiguration::parameters)
        .containsExactly("all");
  }

  @Test
  void parametersAndDevicesOfOtherDriversAreLeftOut() throws Exception {
    DeviceRequestAllocationResult other =
        DeviceRequestAllocationResult.of("gpu", new DeviceId("gpu.example.com", "node", "gpu-0"))
            .build();
    ClaimedDevices claimed =
        claimed(
            List.of(other, result("nic", "eth0")),
            new DeviceAllocationConfiguration(
                AllocationConfigSource.FROM_CLAIM,
                List.of(),
                new OpaqueDeviceConfiguration("gpu.example.com", "gpu")));

    assertThat(claimed.devices()).extracting(ClaimedDevice::name).containsExactly("eth0");
    assertThat(claimed.devices().get(0).configurations()).isEmpty();
  }

  @Test
  void devicesAreCountedWithinTheirRequest() throws Exception {
    ClaimedDevices claimed =
        claimed(List.of(result("a", "eth0"), result("b", "eth1"), result("a", "eth2")));

    assertThat(claimed.devices()).extracting(ClaimedDevice::index).containsExactly(0, 0, 1);
  }

  @Test
  void aDeviceThatIsNotPublishedIsNamed() {
    assertThatThrownBy(() -> claimed(List.of(result("nic", "eth9"))))
        .isInstanceOf(DriverException.class)
        .hasMessage(
            "device eth9: claim default/c: driver net.example.com does not publish this device in pool node")
        .extracting(thrown -> ((DriverException) thrown).kind())
        .isEqualTo(DriverException.Kind.UNAVAILABLE);
  }

  @Test
  void aClaimWithoutUidIsRefused() {
    assertThatThrownBy(
            () -> ClaimedDevices.of(ResourceClaim.named("c").build(), DRIVER, id -> null))
        .hasMessage("claim default/c has no metadata.uid");
  }

  private static ClaimedDevices claimed(
      List<DeviceRequestAllocationResult> results, DeviceAllocationConfiguration... configurations)
      throws DriverException {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .metadata(new ObjectMeta("c", "default", "uid-1", Map.of(), Map.of()))
            .allocation(
                AllocationResult.builder().results(results).config(List.of(configurations)).build())
            .build();
    return ClaimedDevices.of(
        claim, DRIVER, id -> id.device().equals("eth9") ? null : Device.named(id.device()).build());
  }

  private static DeviceRequestAllocationResult result(String request, String device) {
    return DeviceRequestAllocationResult.of(request, new DeviceId(DRIVER, "node", device)).build();
  }

  private static DeviceAllocationConfiguration configuration(
      AllocationConfigSource source, String parameters, String... requests) {
    return new DeviceAllocationConfiguration(
        source, List.of(requests), new OpaqueDeviceConfiguration(DRIVER, parameters));
  }
}
