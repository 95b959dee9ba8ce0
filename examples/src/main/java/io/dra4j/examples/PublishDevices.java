package io.dra4j.examples;

import io.dra4j.kubernetes.SlicePublisher;
import io.dra4j.runtime.DriverRuntime;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Publishes the offer of a runtime's driver as ResourceSlices of a cluster. */
public final class PublishDevices {

  private PublishDevices() {}

  /**
   * Starts publishing.
   *
   * @param client the connection
   * @param runtime a runtime with one driver
   * @param driver the name of the driver
   * @param node the name of the Node
   * @return the publisher, to be closed before the client
   */
  public static SlicePublisher publish(
      KubernetesClient client, DriverRuntime runtime, String driver, String node) {
    // README: begin
    SlicePublisher publisher = SlicePublisher.builder(client, driver, node).start();
    runtime.addPoolListener((name, pools) -> publisher.publish(pools));
    return publisher;
    // README: end
  }
}
