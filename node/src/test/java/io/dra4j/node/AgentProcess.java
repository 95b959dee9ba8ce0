package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.RuntimeOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** An agent with the network driver in a process of its own, which can be killed and stopped. */
final class AgentProcess implements AutoCloseable {

  /**
   * How an agent is started.
   *
   * @param store the store, which instances that take turns share
   * @param boot which boot of the node this is; empty for the real one
   * @param pod the UID of the pod of the instance; empty if there is one instance only
   */
  record Options(Path store, String boot, String pod) {}

  private final Path directory;
  private Options options;
  private Process process;

  private AgentProcess(Path directory, Options options) throws IOException {
    this.directory = directory;
    this.options = options;
    this.process = launch();
  }

  /** Starts the process and waits until it is ready. */
  static AgentProcess start(Path directory) throws Exception {
    return start(directory, new Options(directory.resolve("claims.db"), "", ""));
  }

  /**
   * Starts the process and waits until it is ready.
   *
   * @param directory a directory of this instance
   */
  static AgentProcess start(Path directory, Options options) throws Exception {
    AgentProcess agent = new AgentProcess(directory, options);
    agent.awaitReady();
    return agent;
  }

  /** Starts the next process. */
  void restart() throws Exception {
    begin();
    awaitReady();
  }

  /** Starts the next process, and does not wait until it is ready. */
  void begin() throws IOException {
    process = launch();
  }

  /** Starts the next process, in another boot of the node. */
  void restart(String boot) throws Exception {
    options = new Options(options.store(), boot, options.pod());
    restart();
  }

  private Process launch() throws IOException {
    Files.writeString(directory.resolve("fault"), "none");
    Files.deleteIfExists(directory.resolve("ready"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-Dtest.log=INFO",
            "-cp",
            System.getProperty("java.class.path"),
            AgentProcess.class.getName(),
            directory.toString(),
            options.store().toString(),
            options.boot(),
            options.pod())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
        .start();
  }

  void awaitReady() throws Exception {
    NodeCluster.await("the agent is ready", () -> Files.exists(directory.resolve("ready")));
  }

  /** What the driver suffers next; see {@link FaultyDriver}. */
  void fault(String text) throws IOException {
    Files.writeString(directory.resolve("fault"), text);
  }

  void awaitDeath() throws Exception {
    NodeCluster.await("the agent has died", () -> !process.isAlive());
  }

  /**
   * Waits until the process has died, which is then started again, or until something else is so.
   *
   * @return whether it has died
   */
  boolean diesBefore(Callable<Boolean> other) throws Exception {
    NodeCluster.await("the agent has died", () -> !process.isAlive() || other.call());
    if (process.isAlive()) {
      return false;
    }
    restart();
    return true;
  }

  void awaitHang() throws Exception {
    Path stat = Path.of("/proc/" + process.pid() + "/stat");
    NodeCluster.await("the agent hangs", () -> Files.readString(stat).contains(") T "));
  }

  void resume() throws Exception {
    NodeCluster.run("kill", "-CONT", String.valueOf(process.pid()));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void kill() throws Exception {
    process.destroyForcibly();
    awaitDeath();
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
    Path directory = Path.of(arguments[0]);
    NetworkDriver network = NetworkDriver.builder().build();
    KubernetesClient client = new KubernetesClientBuilder().build();
    RuntimeOptions options =
        DriverRuntime.builder()
            .driver(new FaultyDriver(network, directory.resolve("fault")))
            .node(NodeCluster.NODE)
            .store(Path.of(arguments[1]))
            .discovery(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(10));
    if (!arguments[2].isEmpty()) {
      options.bootId(arguments[2]);
    }
    if (!arguments[3].isEmpty()) {
      options.standby(Duration.ofMinutes(1));
    }
    DriverRuntime runtime = options.build();
    NodeOptions node =
        NodeAgent.builder(runtime, client)
            .kubeletRoot(Path.of(System.getenv("KUBELET_ROOT")))
            .cdiDirectory(Path.of(System.getenv("CDI_DIR")))
            .nriSocket(Path.of(System.getenv("NRI_SOCKET")));
    if (!arguments[3].isEmpty()) {
      node.rollingUpdate(arguments[3]);
    }
    NodeAgent agent = node.start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  agent.close();
                  runtime.close();
                }));
    if (agent.awaitReady(NodeCluster.LIMIT)) {
      Files.writeString(directory.resolve("ready"), "");
    }
    Thread.currentThread().join();
  }
}
