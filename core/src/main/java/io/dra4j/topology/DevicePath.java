package io.dra4j.topology;

/**
 * The path between two devices of a host.
 *
 * @param type how far apart they are
 * @param source who says so
 */
public record DevicePath(PathType type, TopologySource source) {}
