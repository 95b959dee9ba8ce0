package io.dra4j.netlink.ethtool;

/**
 * The information that the driver of a network device reports about itself.
 *
 * @param driver its name, for example {@code mlx5_core}
 * @param version its version
 * @param firmwareVersion the version of the firmware on the device; empty if not known
 * @param busAddress the bus address of the device, for example {@code 0000:8f:00.0}; empty if it is
 *     on no bus
 */
public record DriverInformation(
    String driver, String version, String firmwareVersion, String busAddress) {}
