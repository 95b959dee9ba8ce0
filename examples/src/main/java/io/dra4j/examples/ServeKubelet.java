package io.dra4j.examples;

import io.dra4j.kubelet.DraClaim;
import io.dra4j.kubelet.DraDevice;
import io.dra4j.kubelet.DraHandler;
import io.dra4j.kubelet.KubeletPlugin;
import io.dra4j.kubelet.cdi.CdiDirectory;
import io.dra4j.kubelet.cdi.CdiEdits;
import io.dra4j.kubelet.cdi.CdiSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Serves the kubelet: each container that uses a claim gets an environment variable. */
public final class ServeKubelet {

  private ServeKubelet() {}

  /**
   * Serves until the thread is interrupted.
   *
   * @throws IOException if a socket or the directory of CDI files cannot be created
   * @throws InterruptedException if the thread is interrupted
   */
  public static void serve() throws IOException, InterruptedException {
    // README: begin
    CdiDirectory directory = CdiDirectory.open(Path.of("/var/run/cdi"), "gpu.example.com");
    DraHandler handler =
        new DraHandler() {
          @Override
          public List<DraDevice> prepare(DraClaim claim) throws IOException {
            CdiEdits edits = CdiEdits.environment(Map.of("GPU", "gpu-0"));
            CdiSpec spec =
                new CdiSpec("gpu.example.com", "claim-" + claim.uid(), Map.of("gpu-0", edits));
            directory.write(claim.uid(), spec);
            return List.of(
                DraDevice.of(List.of("gpu"), "node-1", "gpu-0", List.of(spec.id("gpu-0"))));
          }

          @Override
          public void unprepare(DraClaim claim) throws IOException {
            directory.remove(claim.uid());
          }
        };
    try (KubeletPlugin plugin = KubeletPlugin.builder("gpu.example.com", handler).start()) {
      plugin.awaitRegistration(Duration.ofSeconds(30));
      // until the process ends
    }
    // README: end
  }
}
