package io.dra4j.netlink.devlink;

import java.util.Map;

/**
 * The information that a device reports about itself.
 *
 * @param device the device
 * @param driver the name of its driver
 * @param serialNumber empty if not known
 * @param boardSerialNumber empty if not known
 * @param fixedVersions versions that cannot change, by name, such as the version of the board
 * @param runningVersions versions in use, by name
 * @param storedVersions versions that are used after the next start, by name
 */
public record DeviceInformation(
    DevlinkDevice device,
    String driver,
    String serialNumber,
    String boardSerialNumber,
    Map<String, String> fixedVersions,
    Map<String, String> runningVersions,
    Map<String, String> storedVersions) {

  /** Copies the versions. {@inheritDoc} */
  public DeviceInformation {
    fixedVersions = Map.copyOf(fixedVersions);
    runningVersions = Map.copyOf(runningVersions);
    storedVersions = Map.copyOf(storedVersions);
  }
}
