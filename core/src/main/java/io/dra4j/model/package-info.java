/**
 * The objects of a cluster: devices and their attributes, the slices that publish them, the classes
 * and claims that request them, and the allocations that connect both.
 *
 * <p>The types mirror the Kubernetes API group {@code resource.k8s.io/v1} (and the few parts of
 * {@code v1} and {@code apps/v1} that matter to device allocation) field by field, as immutable
 * records. They represent objects as written, valid or not: unknown enum values are kept as
 * strings, and an object that the API server would reject can be represented, because an allocator
 * must handle it. Package {@code io.dra4j.manifest} reads and writes the types; {@code
 * io.dra4j.allocation} interprets them.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.model.ClusterSnapshot}: all objects of a cluster.
 *   <li>{@link io.dra4j.model.ResourceClaim}: a request of a user for devices.
 *   <li>{@link io.dra4j.model.DeviceRequest}: the number and kind of devices; a claim has one or
 *       more requests.
 *   <li>{@link io.dra4j.model.DeviceClass}: the kind of device that a request names.
 *   <li>{@link io.dra4j.model.ResourceSlice}: devices that a driver publishes.
 *   <li>{@link io.dra4j.model.Device}: one device of a slice, with its attributes and capacity.
 *   <li>{@link io.dra4j.model.Node}: a machine with devices and pods.
 *   <li>{@link io.dra4j.model.AllocationResult}: the devices that are allocated to a claim.
 * </ol>
 */
@NullMarked
package io.dra4j.model;

import org.jspecify.annotations.NullMarked;
