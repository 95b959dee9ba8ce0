package io.dra4j.netlink.ethtool;

/**
 * What the driver of a network device says of itself.
 *
 * @param driver its name, for example {@code mlx5_core}
 * @param version its version
 * @param firmwareVersion the version of the firmware on the device; empty if not known
 * @param busAddress where the device is, for example {@code 0000:8f:00.0}; empty if nowhere
 */
public record DriverInformation(
    String driver, String version, String firmwareVersion, String busAddress) {}
