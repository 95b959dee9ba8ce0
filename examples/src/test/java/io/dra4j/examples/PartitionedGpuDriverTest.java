package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.cel.CelSelectors;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.Host;
import io.dra4j.spi.Step;
import io.dra4j.spi.publish.DevicePool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionedGpuDriverTest {

  @TempDir Path root;
  @TempDir Path state;
  private PartitionedGpuDriver driver;
  private DriverRuntime runtime;

  @BeforeEach
  void start() throws IOException {
    GpuHost.layOut(root);
    driver = new PartitionedGpuDriver(Files.createDirectory(state.resolve("profiles")));
    runtime =
        DriverRuntime.builder()
            .driver(driver)
            .node("node-1")
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

  private DevicePool pool(String name) {
    return Objects.requireNonNull(runtime.pools("gpu.example.com").get(name), name);
  }

  private AllocationOutcome allocate(String name, String part) throws Exception {
    String selector =
        "device.attributes['gpu.example.com'].?part.orValue('').startsWith('" + part + "')";
    return runtime.allocate(
        ResourceClaim.named(name)
            .request("gpu", gpu -> gpu.deviceClass("gpu").selector(selector))
            .build());
  }

  @Test
  void aGpuIsGivenAsAWholeOrAsTwoHalves() throws Exception {
    long gpus = pool("node-1").counters().size();

    for (int i = 0; i < 2 * gpus; i++) {
      assertThat(allocate("half-" + i, "half")).isInstanceOf(AllocationOutcome.Allocated.class);
    }
    assertThat(allocate("whole", "whole")).isInstanceOf(AllocationOutcome.Unallocatable.class);
  }

  @Test
  void eachPartHasAHealth() {
    List<DeviceHealth> health = runtime.deviceHealth().get("gpu.example.com");

    assertThat(health).extracting(DeviceHealth::device).contains("pci-0000-10-01-0-half-1");
    assertThat(health)
        .extracting(DeviceHealth::status)
        .contains(DeviceHealth.Status.HEALTHY)
        .doesNotContain(DeviceHealth.Status.UNKNOWN);
  }

  @Test
  void acceleratorsAreInAPoolOfTheirOwn() {
    assertThat(runtime.pools("gpu.example.com").keySet())
        .containsExactlyInAnyOrder("node-1", "node-1/accelerators");
    assertThat(pool("node-1/accelerators").devices())
        .extracting(Device::name)
        .containsExactly("pci-0000-10-03-0");
    assertThat(runtime.slices())
        .filteredOn(slice -> !slice.devices().isEmpty() && slice.pool().name().equals("node-1"))
        .extracting(ResourceSlice::partitionTypeAttribute)
        .containsOnly("gpu.example.com/part");
  }

  @Test
  void aGpuThatFailsIsNotAllocated() throws Exception {
    BlockingQueue<List<DeviceHealth>> heard = new LinkedBlockingQueue<>();
    runtime.addHealthListener((name, health) -> heard.add(health));

    driver.failed("pci-0000-10-01-0", "double bit error");

    assertThat(heard.poll(1, TimeUnit.MINUTES)).isNotNull();
    assertThat(runtime.rescan(Duration.ofMinutes(1))).isTrue();
    assertThat(allocate("one", "whole")).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(allocate("two", "whole"))
        .isInstanceOf(AllocationOutcome.Unallocatable.class)
        .asString()
        .contains("gpu.example.com/unhealthy");
  }

  @Test
  void aStepOfTheReleaseBeforeIsUndone() throws Exception {
    Path file = Files.writeString(state.resolve("profiles/pci-0000-10-01-0-half-0"), "default");

    driver.undo(new Step("write profile", "pci-0000-10-01-0-half-0"));

    assertThat(file).doesNotExist();
  }

  @Test
  void aMistypedRootIsAProblem() throws Exception {
    try (DriverRuntime mistyped =
        DriverRuntime.builder()
            .driver(new PartitionedGpuDriver(state.resolve("profiles")))
            .host(Host.captured(root.resolve("mistyped")))
            .store(state.resolve("other"))
            .build()) {
      mistyped.start();

      assertThat(mistyped.health().problems())
          .anyMatch(one -> one.startsWith(root.resolve("mistyped").toString()));
    }
  }
}
