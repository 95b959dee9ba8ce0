/**
 * The topology of hosts: the devices of a host, their locations in its PCIe trees and NUMA nodes,
 * and the type of the path between any two of them.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.topology.HostTopology}: the devices of a host and the paths between them.
 *   <li>{@link io.dra4j.topology.TopologyDevice}: one of these devices.
 *   <li>{@link io.dra4j.topology.DeviceKind}: the kind of a device.
 *   <li>{@link io.dra4j.topology.Location}: the location of a device.
 *   <li>{@link io.dra4j.topology.PathType}: the type of the path between two devices.
 *   <li>{@link io.dra4j.topology.PathMatrix}: the paths between all pairs.
 *   <li>{@link io.dra4j.topology.HostTopologyBuilder}: builds a topology.
 *   <li>{@link io.dra4j.topology.TopologyOverlay}: the topology that another tool recorded.
 * </ol>
 *
 * <p>The data of a topology comes from a reader of the host, from {@link
 * io.dra4j.topology.TopologyOverlay}s of other tools, or from ResourceSlices. This package reads no
 * files.
 */
@NullMarked
package io.dra4j.topology;

import org.jspecify.annotations.NullMarked;
