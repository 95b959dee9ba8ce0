package io.dra4j.nri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The containerd and kubelet of {@code e2e/kube/run} call a plugin, and a pod sees what the plugin
 * adds.
 */
@Timeout(180)
class NriNodeTest {
  private final Map<String, String> namespaces = new ConcurrentHashMap<>();
  private final BlockingQueue<String> stopped = new LinkedBlockingQueue<>();

  @Test
  void aPodIsSeenFromItsStartToItsEndAndItsContainerIsAdjusted() throws Exception {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_NODE")),
        "no node for tests: DRA4J_TEST_NODE is not true (e2e/kube/node)");
    String socket = System.getenv().getOrDefault("NRI_SOCKET", "");
    String image = System.getenv().getOrDefault("TEST_IMAGE", "");
    NriHandler handler =
        new NriHandler() {
          @Override
          public void runPodSandbox(PodSandbox pod) {
            namespaces.put(pod.name(), pod.networkNamespace().orElse("none"));
          }

          @Override
          public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container) {
            return ContainerAdjustment.builder()
                .env("FROM_NRI", pod.name() + "/" + container.name())
                .device(LinuxDevice.character("/dev/from-nri", 1, 3))
                .build();
          }

          @Override
          public void stopPodSandbox(PodSandbox pod) {
            stopped.add(pod.name());
          }
        };
    try (NriPlugin plugin =
        NriPlugin.builder("live", 10, handler).socket(Path.of(socket)).start()) {
      assertThat(plugin.awaitSynchronized(Duration.ofSeconds(30))).isTrue();
      kubectl(
          "run",
          "nri-live",
          "--image=" + image,
          "--image-pull-policy=Never",
          "--restart=Never",
          "--command",
          "--",
          "sh",
          "-c",
          "echo $FROM_NRI; ls -l /dev/from-nri");
      kubectl("wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/nri-live", "--timeout=60s");
      assertThat(kubectl("logs", "nri-live")).contains("nri-live/nri-live", "/dev/from-nri");
      assertThat(namespaces.get("nri-live")).startsWith("/");
      kubectl("delete", "pod", "nri-live", "--grace-period=1");
      assertThat(stopped.poll(60, TimeUnit.SECONDS)).isEqualTo("nri-live");
    }
  }

  private static String kubectl(String... args) throws IOException, InterruptedException {
    String[] command = new String[args.length + 1];
    command[0] = "kubectl";
    System.arraycopy(args, 0, command, 1, args.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", String.join(" ", command), text).isZero();
    return text;
  }
}
