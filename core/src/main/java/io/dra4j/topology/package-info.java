/**
 * What is near what: the devices of a host, where they sit in its PCIe trees and NUMA nodes, and
 * the class of the path between any two of them.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.topology.HostTopology}: the devices of a host and the paths between them.
 *   <li>{@link io.dra4j.topology.TopologyDevice}: one of these devices.
 *   <li>{@link io.dra4j.topology.DeviceKind}: what it is.
 *   <li>{@link io.dra4j.topology.Location}: where it sits.
 *   <li>{@link io.dra4j.topology.PathType}: how near two devices are.
 *   <li>{@link io.dra4j.topology.PathMatrix}: the paths between all pairs.
 *   <li>{@link io.dra4j.topology.HostTopologyBuilder}: makes a topology.
 *   <li>{@link io.dra4j.topology.TopologyOverlay}: what another tool recorded of a host.
 * </ol>
 *
 * <p>What goes into one comes from a reader of the host, from {@link
 * io.dra4j.topology.TopologyOverlay}s that others recorded, or from ResourceSlices. Nothing here
 * reads a file.
 */
@NullMarked
package io.dra4j.topology;

import org.jspecify.annotations.NullMarked;
