package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * A port of a container.
 *
 * @param containerPort the port in the pod
 * @param hostPort the port of the node that leads to it; 0 for none
 * @param hostIp the address of the node for this port; empty for all
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}; empty for TCP
 */
public record ContainerPort(int containerPort, int hostPort, String hostIp, String protocol) {

  /** Rejects null. {@inheritDoc} */
  public ContainerPort {
    Checks.value("ContainerPort.hostIp", hostIp);
    Checks.value("ContainerPort.protocol", protocol);
  }
}
