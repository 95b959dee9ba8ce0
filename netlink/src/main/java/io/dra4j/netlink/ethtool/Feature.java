package io.dra4j.netlink.ethtool;

/**
 * A task that a network device can perform for the kernel.
 *
 * @param name the kernel's name, for example {@code tx-tcp-segmentation}
 * @param active whether the feature is on
 * @param wanted whether the feature is requested
 * @param changeable whether it can be switched
 */
public record Feature(String name, boolean active, boolean wanted, boolean changeable) {}
