package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.cel.CelSelectors;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuDriverTest {

  @TempDir Path root;
  @TempDir Path state;
  private DriverRuntime runtime;

  @BeforeEach
  void start() throws IOException {
    GpuHost.layOut(root);
    runtime =
        DriverRuntime.builder()
            .driver(new GpuDriver(Host.captured(root)))
            .host(Host.captured(root))
            .store(state.resolve("claims"))
            .selectors(CelSelectors.create())
            .deviceClasses(List.of(DeviceClass.named("gpu")))
            .build();
    runtime.start();
  }

  @AfterEach
  void stop() {
    runtime.close();
  }

  @Test
  void acceleratorsAreOfferedAndNicsAreNot() {
    assertThat(runtime.slices().get(0).devices())
        .extracting(Device::name)
        .containsExactly("gpu-0000-10-01-0", "gpu-0000-10-02-0", "gpu-0000-10-03-0");
  }

  @Test
  void aContainerGetsTheDeviceFilesOfItsGpu() throws Exception {
    ResourceClaim claim = allocated("amdgpu", "{}");
    runtime.prepare(claim);

    assertThat(runtime.editsFor(uidOf(claim), "gpu").deviceNodes())
        .contains(new DeviceNode("/dev/dri/card0", DeviceNode.Kind.CHARACTER, 226, 0));
  }

  @Test
  void aClaimedGpuIsKeptAwakeUntilItIsUnprepared() throws Exception {
    ResourceClaim claim = allocated("amdgpu", "{\"keepAwake\": true}");

    runtime.prepare(claim);
    assertThat(control()).hasContent("on");
    runtime.unprepare(uidOf(claim));
    assertThat(control()).hasContent("auto");
  }

  @Test
  void aMistakeInTheParametersIsNamed() throws Exception {
    ResourceClaim claim = allocated("amdgpu", "{\"keepAwke\": true}");

    assertThatThrownBy(() -> runtime.prepare(claim))
        .isInstanceOf(ClaimException.class)
        .hasMessageContaining("/keepAwke: is not a known field; known are keepAwake");
  }

  private Path control() {
    return root.resolve("sys/bus/pci/devices/0000:10:01.0/power/control");
  }

  private static String uidOf(ResourceClaim claim) {
    return Objects.requireNonNull(claim.metadata().uid());
  }

  private ResourceClaim allocated(String driver, String parameters) throws Exception {
    ResourceClaim claim =
        ResourceClaim.named("training")
            .request(
                "gpu",
                gpu ->
                    gpu.deviceClass("gpu")
                        .selector(
                            "device.attributes['gpu.example.com'].?driver.orValue('') == '"
                                + driver
                                + "'"))
            .config("gpu.example.com", parameters)
            .build();
    return ((AllocationOutcome.Allocated) runtime.allocate(claim))
        .allocations()
        .get(0)
        .allocatedClaim();
  }
}
