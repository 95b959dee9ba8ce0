package io.dra4j.examples;

import io.dra4j.node.NodeAgent;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.StoreException;
import io.dra4j.spi.DeviceDriver;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;

/** Runs a driver on a node of a cluster. */
public final class RunOnNode {

  private RunOnNode() {}

  /**
   * Runs until the thread is interrupted.
   *
   * @param driver the driver
   * @param node the name of the node
   * @throws StoreException if the store cannot be opened
   * @throws IOException if a socket or the directory of CDI files cannot be created
   * @throws InterruptedException if the thread is interrupted
   */
  public static void run(DeviceDriver driver, String node)
      throws StoreException, IOException, InterruptedException {
    // README: begin
    Path store = Path.of("/run/gpu.example.com/claims.db");
    try (KubernetesClient client = new KubernetesClientBuilder().build();
        DriverRuntime runtime =
            DriverRuntime.builder().driver(driver).node(node).store(store).build();
        NodeAgent agent = NodeAgent.builder(runtime, client).start()) {
      System.out.println("on node " + agent.node());
      Thread.currentThread().join(); // until it is interrupted
    }
    // README: end
  }
}
