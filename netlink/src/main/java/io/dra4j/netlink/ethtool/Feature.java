package io.dra4j.netlink.ethtool;

/**
 * Something that a network device can do for the kernel.
 *
 * @param name the kernel's name, for example {@code tx-tcp-segmentation}
 * @param active whether it is done
 * @param wanted whether it is requested
 * @param changeable whether it can be switched
 */
public record Feature(String name, boolean active, boolean wanted, boolean changeable) {}
