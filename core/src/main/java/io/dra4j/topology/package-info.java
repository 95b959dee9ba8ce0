/**
 * What is near what: the devices of a host, where they sit in its PCIe trees and NUMA nodes, and
 * the class of the path between any two of them.
 *
 * <p>Start with {@link io.dra4j.topology.HostTopology}. What goes into one comes from a reader of
 * the host, from {@link io.dra4j.topology.TopologyOverlay}s that others recorded, or from
 * ResourceSlices. Nothing here reads a file.
 */
@NullMarked
package io.dra4j.topology;

import org.jspecify.annotations.NullMarked;
