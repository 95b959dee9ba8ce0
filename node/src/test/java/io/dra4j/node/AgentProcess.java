package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.runtime.DriverRuntime;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An agent with the network driver in a process of its own, which can be killed and stopped. */
final class AgentProcess implements AutoCloseable {

  private final Path folder;
  private Process process;

  private AgentProcess(Path folder) throws IOException {
    this.folder = folder;
    this.process = launch(folder);
  }

  /** Starts the process and waits until it is ready. */
  static AgentProcess start(Path folder) throws Exception {
    AgentProcess agent = new AgentProcess(folder);
    agent.awaitReady();
    return agent;
  }

  /** Starts the next process. */
  void restart() throws Exception {
    process = launch(folder);
    awaitReady();
  }

  private static Process launch(Path folder) throws IOException {
    Files.writeString(folder.resolve("fault"), "none");
    Files.deleteIfExists(folder.resolve("ready"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-Dtest.log=INFO",
            "-cp",
            System.getProperty("java.class.path"),
            AgentProcess.class.getName(),
            folder.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  private void awaitReady() throws Exception {
    NodeCluster.await("the agent is ready", () -> Files.exists(folder.resolve("ready")));
  }

  /** What happens before the next attach. */
  void fault(String text) throws IOException {
    Files.writeString(folder.resolve("fault"), text);
  }

  void awaitDeath() throws Exception {
    NodeCluster.await("the agent has died", () -> !process.isAlive());
  }

  void awaitHang() throws Exception {
    Path stat = Path.of("/proc/" + process.pid() + "/stat");
    NodeCluster.await("the agent hangs", () -> Files.readString(stat).contains(") T "));
  }

  void resume() throws Exception {
    NodeCluster.run("kill", "-CONT", String.valueOf(process.pid()));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    NetworkDriver network = NetworkDriver.builder().build();
    KubernetesClient client = new KubernetesClientBuilder().build();
    DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(new FaultyDriver(network, folder.resolve("fault")))
            .node(NodeCluster.NODE)
            .store(folder.resolve("claims.db"))
            .discovery(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(10))
            .build();
    NodeAgent agent =
        NodeAgent.builder(runtime, client)
            .kubeletRoot(Path.of(System.getenv("KUBELET_ROOT")))
            .cdiFolder(Path.of(System.getenv("CDI_DIR")))
            .nriSocket(Path.of(System.getenv("NRI_SOCKET")))
            .start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  agent.close();
                  runtime.close();
                }));
    if (agent.awaitReady(NodeCluster.LIMIT)) {
      Files.writeString(folder.resolve("ready"), "");
    }
    Thread.currentThread().join();
  }
}
