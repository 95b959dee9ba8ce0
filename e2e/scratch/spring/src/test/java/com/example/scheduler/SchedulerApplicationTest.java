package com.example.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
class SchedulerApplicationTest {

  @Autowired private Allocator allocator;

  @Test
  void aClaimOfFabric8GetsItsDevices() throws Exception {
    ResourceClaim claim =
        new ResourceClaimBuilder()
            .withNewMetadata()
            .withName("training")
            .withNamespace("default")
            .endMetadata()
            .withNewSpec()
            .withNewDevices()
            .addNewRequest()
            .withName("gpus")
            .withNewExactly()
            .withDeviceClassName("gpu.nvidia.com")
            .withAllocationMode("ExactCount")
            .withCount(2L)
            .endExactly()
            .endRequest()
            .addNewConstraint()
            .withMatchAttribute("resource.kubernetes.io/pcieRoot")
            .endConstraint()
            .endDevices()
            .endSpec()
            .build();

    AllocationOutcome outcome =
        SchedulerApplication.decide(allocator, Path.of("gke-a4-aligned.yaml"), "a4-0", claim);

    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(((AllocationOutcome.Allocated) outcome).allocations().get(0).result().results())
        .extracting(DeviceRequestAllocationResult::device)
        .containsExactly("gpu-0", "gpu-1");
  }
}
