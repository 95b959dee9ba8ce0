package io.dra4j.examples;

import io.dra4j.node.NodeAgent;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.StoreException;
import io.dra4j.spi.Host;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/** The driver of GPUs as the program of a DaemonSet, {@code deploy/gpu-driver.yaml}. */
public final class GpuDaemon {

  private GpuDaemon() {}

  /**
   * Serves the node that the variable {@code NODE_NAME} names, until the process is ended.
   *
   * @param args nothing, or a directory with a copy of {@code /sys} to read instead of this machine
   * @throws StoreException if the store cannot be opened
   * @throws IOException if a socket or a directory cannot be created
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws StoreException, IOException, InterruptedException {
    // README: begin
    Host host = args.length == 0 ? Host.live() : Host.captured(Path.of(args[0]));
    Path directory = Path.of("/var/lib/gpu.example.com/claims"); // for its owner only
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        DriverRuntime runtime =
            DriverRuntime.builder()
                .driver(new GpuDriver(host))
                .host(host)
                .node(Objects.requireNonNull(System.getenv("NODE_NAME"), "NODE_NAME"))
                .store(directory.resolve("claims.db"))
                .build();
        NodeAgent agent = NodeAgent.builder(runtime, client).start()) {
      runtime.serve(new InetSocketAddress(9178)); // /metrics, /healthz, /readyz
      System.out.println("on node " + agent.node());
      Thread.currentThread().join(); // SIGTERM ends the process; claims stay prepared
    }
    // README: end
  }
}
