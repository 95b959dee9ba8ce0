package io.dra4j.topology;

/**
 * The path between two devices of a host.
 *
 * @param type the type of the path
 * @param source the source of this fact
 */
public record DevicePath(PathType type, TopologySource source) {}
