package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.cel.CelSelectors;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.Host;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionedGpuDriverTest {

  @TempDir Path root;
  @TempDir Path state;
  private DriverRuntime runtime;

  @BeforeEach
  void start() throws IOException {
    GpuHost.layOut(root);
    runtime =
        DriverRuntime.builder()
            .driver(new PartitionedGpuDriver())
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

  private AllocationOutcome allocate(String name, String part) throws Exception {
    String selector = "device.attributes['gpu.example.com'].part.startsWith('" + part + "')";
    return runtime.allocate(
        ResourceClaim.named(name)
            .request("gpu", gpu -> gpu.deviceClass("gpu").selector(selector))
            .build());
  }

  @Test
  void aGpuIsGivenAsAWholeOrAsTwoHalves() throws Exception {
    long gpus = runtime.slices().stream().mapToLong(slice -> slice.devices().size()).sum() / 3;

    for (int i = 0; i < 2 * gpus; i++) {
      assertThat(allocate("half-" + i, "half")).isInstanceOf(AllocationOutcome.Allocated.class);
    }
    assertThat(allocate("whole", "whole")).isInstanceOf(AllocationOutcome.Unallocatable.class);
  }

  @Test
  void eachPartHasAHealth() {
    List<DeviceHealth> health = runtime.deviceHealth().get("gpu.example.com");

    assertThat(health).extracting(DeviceHealth::device).contains("gpu-0000-10-01-0-half-1");
    assertThat(health)
        .extracting(DeviceHealth::status)
        .contains(DeviceHealth.Status.HEALTHY)
        .doesNotContain(DeviceHealth.Status.UNKNOWN);
  }
}
