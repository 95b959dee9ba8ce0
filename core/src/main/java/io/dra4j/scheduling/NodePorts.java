package io.dra4j.scheduling;

import io.dra4j.model.Container;
import io.dra4j.model.ContainerPort;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.persistent.PersistentMap;
import io.dra4j.scheduling.RunningPods.HostPort;
import io.dra4j.scheduling.RunningPods.Load;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Refuses nodes where another pod uses a port that the pod wants: plugin {@code NodePorts}. */
final class NodePorts implements PodFilter {

  private final Set<HostPort> wanted;
  private final PersistentMap<String, Load> loads;

  private NodePorts(Set<HostPort> wanted, PersistentMap<String, Load> loads) {
    this.wanted = wanted;
    this.loads = loads;
  }

  /** The filter for a pod; {@code null} if the pod wants no port of its node. */
  static @Nullable PodFilter of(PodSpec spec, RunningPods running) {
    Set<HostPort> wanted = of(spec);
    return wanted.isEmpty() ? null : new NodePorts(wanted, running.loads());
  }

  /**
   * The ports of its node that a pod uses: the host ports of its containers and sidecars. With the
   * network of the node, each port of a container is a port of the node.
   */
  static Set<HostPort> of(PodSpec spec) {
    Set<HostPort> ports = new LinkedHashSet<>();
    Stream.concat(
            spec.containers().stream(), spec.initContainers().stream().filter(Container::isSidecar))
        .flatMap(container -> container.ports().stream())
        .forEach(
            port -> {
              int number = onHost(port, spec.hostNetwork());
              if (number > 0) {
                ports.add(HostPort.of(port, number));
              }
            });
    return ports;
  }

  private static int onHost(ContainerPort port, boolean hostNetwork) {
    return port.hostPort() == 0 && hostNetwork ? port.containerPort() : port.hostPort();
  }

  @Override
  public boolean looksAtNodeAlone() {
    return true;
  }

  @Override
  public @Nullable NodeMismatch mismatch(Node node) {
    Load load = loads.get(node.name());
    if (load != null) {
      for (HostPort port : wanted) {
        if (load.ports().stream().anyMatch(port::conflictsWith)) {
          return new NodeMismatch.PortInUse(port.protocol() + " " + port.port());
        }
      }
    }
    return null;
  }
}
