package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;

/**
 * The addresses of a network device, as its driver reports them (KEP-4817).
 *
 * @param interfaceName name of the interface in the pod, at most 256 bytes; empty when not given
 * @param ips addresses with prefix length, in CIDR notation
 * @param hardwareAddress for example a MAC address; empty when not given
 */
public record NetworkDeviceData(String interfaceName, List<String> ips, String hardwareAddress) {

  /** Copies the list. {@inheritDoc} */
  public NetworkDeviceData {
    Checks.value("NetworkDeviceData.interfaceName", interfaceName);
    Checks.value("NetworkDeviceData.hardwareAddress", hardwareAddress);
    ips = Checks.list("NetworkDeviceData.ips", ips);
  }
}
