package io.dra4j.examples;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.cel.CelSelectors;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.Host;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Runs a driver on this host: allocates a claim, prepares it, reads the edits for a container, and
 * unprepares it.
 */
final class RunGpuDriver {

  private RunGpuDriver() {}

  static ContainerEdits run(Host host, Path store, InetSocketAddress address)
      throws IOException, ClaimException {
    // README: begin
    ResourceClaim claim =
        ResourceClaim.named("training")
            .request("gpu", gpu -> gpu.deviceClass("gpu"))
            .config("gpu.example.com", "{\"keepAwake\": true}", "gpu") // no name: all requests
            .build();
    try (DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(new GpuDriver(host)) // Host.live() is this machine
            .host(host)
            .store(store) // a file; the claims in it survive kill -9
            .selectors(CelSelectors.create())
            .deviceClasses(List.of(DeviceClass.named("gpu")))
            .build()) {
      runtime.start();
      runtime.serve(address); // /metrics, /healthz, /readyz
      AllocationOutcome outcome = runtime.allocate(claim); // or a scheduler does
      if (outcome instanceof AllocationOutcome.Allocated done) {
        ResourceClaim allocated = done.allocations().get(0).allocatedClaim();
        String uid = Objects.requireNonNull(allocated.metadata().uid());
        runtime.prepare(allocated);
        ContainerEdits edits = runtime.editsFor(uid, "gpu"); // device files, variables, mounts
        runtime.release(uid); // unprepares, and gives the GPU back
        return edits;
      }
      return ContainerEdits.NONE; // does not fit: the outcome has the reason
    }
    // README: end
  }

  /** Makes a claim that a scheduler has allocated a GPU of the node. */
  static ResourceClaim allocated(ResourceClaim claim, DriverRuntime runtime, String gpu) {
    // README: begin
    DeviceId device = new DeviceId("gpu.example.com", runtime.node(), gpu);
    return claim.toBuilder()
        .metadata(claim.metadata().toBuilder().uid("uid-1").build())
        .allocation(
            AllocationResult.builder()
                .result(DeviceRequestAllocationResult.of("gpu", device).build())
                .build())
        .build();
    // README: end
  }
}
