package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.RuntimeHealth;
import io.dra4j.spi.PreparingDriver;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the probes say of an agent whose kubelet, container runtime and API server are away. */
class ReadinessTest {

  @TempDir private Path directory;

  @Test
  void agentIsLiveAndSaysWhatIsNotThereYet() throws Exception {
    RuntimeHealth health = healthWith(new PlugDriver());

    assertThat(health.isLive()).isTrue();
    assertThat(health.isReady()).isFalse();
    assertThat(health.problems())
        .contains(
            "driver %s is not registered: the kubelet has not called it at %s"
                .formatted(
                    PlugDriver.NAME,
                    directory.resolve("plugins_registry/" + PlugDriver.NAME + "-reg.sock")),
            "the container runtime is not connected (NRI)",
            "the devices of driver %s are not published yet".formatted(PlugDriver.NAME),
            "ResourceSlices are not published; see the log for the reason");
  }

  @Test
  void agentOfDriversThatAttachNothingNeedsNoContainerRuntime() throws Exception {
    RuntimeHealth health = healthWith(new PlugDriver.OfFiles());

    assertThat(health.isReady()).isFalse();
    assertThat(health.problems()).noneMatch(one -> one.contains("NRI"));
  }

  private RuntimeHealth healthWith(PreparingDriver driver) throws Exception {
    Files.createDirectories(directory.resolve("root"));
    Files.createDirectories(directory.resolve("plugins_registry"));
    ConfigBuilder nowhere = new ConfigBuilder().withMasterUrl("http://127.0.0.1:9");
    try (KubernetesClient client =
            new KubernetesClientBuilder().withConfig(nowhere.build()).build();
        DriverRuntime runtime = PlugDriver.options(directory.resolve("store"), driver).build();
        NodeAgent agent =
            NodeAgent.builder(runtime, client)
                .kubeletRoot(directory)
                .cdiDirectory(directory.resolve("cdi"))
                .nriSocket(directory.resolve("nri.sock"))
                .start()) {
      assertThat(agent.problems()).isNotEmpty();
      return runtime.health();
    }
  }
}
