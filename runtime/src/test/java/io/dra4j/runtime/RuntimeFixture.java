package io.dra4j.runtime;

import io.dra4j.cel.CelSelectors;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.Host;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.TopologyReaders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What tests of the runtime have in common. */
final class RuntimeFixture {

  private RuntimeFixture() {}

  static RuntimeOptions runtime(Path store, DeviceDriver... drivers) {
    RuntimeOptions builder =
        DriverRuntime.builder()
            .host(Host.captured(store.resolveSibling("root")))
            .node("node-1")
            .readers(TopologyReaders.of())
            .watchers(List.of())
            .store(store)
            .selectors(CelSelectors.create())
            .deviceClasses(List.of(DeviceClass.named("lamp")))
            .discovery(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1));
    for (DeviceDriver driver : drivers) {
      builder.driver(driver);
    }
    return builder;
  }

  static ResourceClaim claim(String name, String... lamps) {
    return claimOf(LampDriver.NAME, name, lamps);
  }

  static ResourceClaim claimOf(String driver, String name, String... lamps) {
    AllocationResult.Builder allocation = AllocationResult.builder();
    for (String lamp : lamps) {
      allocation.result(
          DeviceRequestAllocationResult.of("light", new DeviceId(driver, "node-1", lamp)).build());
    }
    return ResourceClaim.named(name)
        .metadata(new ObjectMeta(name, "default", "uid-" + name, Map.of(), Map.of()))
        .allocation(allocation.build())
        .build();
  }

  /** A claim of drivers that each have a lamp of that name in it. */
  static ResourceClaim claimOfAll(String name, String lamp, String... drivers) {
    AllocationResult.Builder allocation = AllocationResult.builder();
    for (String driver : drivers) {
      allocationOf(claimOf(driver, name, lamp)).results().forEach(allocation::result);
    }
    return claim(name, lamp).toBuilder().allocation(allocation.build()).build();
  }

  /** A claim for pods, whose unique ids are their names. */
  static ResourceClaim reservedFor(ResourceClaim claim, String... pods) {
    List<ResourceClaimConsumerReference> consumers =
        Stream.of(pods)
            .map(pod -> new ResourceClaimConsumerReference("", "pods", pod, pod))
            .toList();
    return claim.toBuilder()
        .status(new ResourceClaimStatus(claim.allocation(), consumers, List.of()))
        .build();
  }

  /** The allocation of a claim that has one. */
  static AllocationResult allocationOf(ResourceClaim claim) {
    return Objects.requireNonNull(claim.allocation());
  }

  /** The unique id of a claim that has one. */
  static String uidOf(ResourceClaim claim) {
    return Objects.requireNonNull(claim.metadata().uid());
  }

  static Sandbox sandbox(String id, String podUid) {
    return Sandbox.ofPod(id, podUid)
        .pod("default", "pod-" + podUid)
        .networkNamespace(Path.of("/run/netns/" + id))
        .build();
  }
}
