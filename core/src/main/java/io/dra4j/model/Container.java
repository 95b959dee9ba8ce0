package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;

/**
 * A container of a pod, with the fields that decide where the pod runs.
 *
 * @param name the name of the container
 * @param resources the amounts that it requests
 * @param ports its ports
 * @param isSidecar whether it is an init container that keeps running next to the others ({@code
 *     restartPolicy: Always})
 */
public record Container(
    String name, ResourceRequirements resources, List<ContainerPort> ports, boolean isSidecar) {

  /** Copies the list; rejects null. {@inheritDoc} */
  public Container {
    Checks.value("Container.name", name);
    Checks.value("Container.resources", resources);
    ports = Checks.list("Container.ports", ports);
  }

  /**
   * {@return a container without ports}
   *
   * @param name the name of the container
   * @param resources the amounts that it requests
   */
  public static Container of(String name, ResourceRequirements resources) {
    return new Container(name, resources, List.of(), false);
  }
}
