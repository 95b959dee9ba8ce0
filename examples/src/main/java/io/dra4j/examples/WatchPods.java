package io.dra4j.examples;

import io.dra4j.nri.ContainerAdjustment;
import io.dra4j.nri.NriContainer;
import io.dra4j.nri.NriHandler;
import io.dra4j.nri.NriPlugin;
import io.dra4j.nri.PodSandbox;
import java.time.Duration;

/** Follows the pods of a node: each container gets the name of its pod. */
public final class WatchPods {

  private WatchPods() {}

  /**
   * Connects to the container runtime, waits until the pods are known, and disconnects.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public static void watch() throws InterruptedException {
    // README: begin
    NriHandler handler =
        new NriHandler() {
          @Override
          public void runPodSandbox(PodSandbox pod) {
            pod.networkNamespace()
                .ifPresent(netns -> System.out.println(pod.name() + " runs in " + netns));
          }

          @Override
          public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container) {
            return ContainerAdjustment.builder().env("POD", pod.name()).build();
          }
        };
    try (NriPlugin plugin = NriPlugin.builder("example", 10, handler).start()) {
      plugin.awaitSynchronized(Duration.ofSeconds(30));
    }
    // README: end
  }
}
