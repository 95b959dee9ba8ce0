package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.Host;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunGpuDriverTest {

  @TempDir Path root;
  @TempDir Path state;

  @Test
  void whatTheReadmeShowsServesAClaim() throws Exception {
    GpuHost.layOut(root);

    ContainerEdits edits =
        RunGpuDriver.run(
            Host.captured(root),
            state.resolve("claims"),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    assertThat(edits.deviceNodes())
        .contains(new DeviceNode("/dev/dri/card0", DeviceNode.Kind.CHARACTER, 226, 0));
  }

  @Test
  void claimThatASchedulerAllocatedIsPrepared() throws Exception {
    GpuHost.layOut(root);
    Host host = Host.captured(root);
    ResourceClaim claim =
        ResourceClaim.named("training").request("gpu", gpu -> gpu.deviceClass("gpu")).build();
    try (DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(new GpuDriver(host))
            .host(host)
            .store(state.resolve("claims"))
            .build()) {
      runtime.start();
      String gpu = runtime.slices().get(0).devices().get(0).name();
      runtime.prepare(RunGpuDriver.allocated(claim, runtime, gpu));
      assertThat(runtime.editsFor("uid-1", "gpu").deviceNodes()).isNotEmpty();
    }
  }
}
