/**
 * What exists: devices and their attributes, the slices that publish them, the classes and claims
 * that ask for them, and the allocations that connect both.
 *
 * <p>The types mirror the Kubernetes API group {@code resource.k8s.io/v1} (and the few parts of
 * {@code v1} and {@code apps/v1} that matter to device allocation) field by field, as immutable
 * records. They hold what was written down, valid or not: unknown enum values are kept as text, and
 * an object that the API server would refuse can still be represented, because an allocator must
 * answer for it. How the types are read and written is {@code io.dra4j.manifest}'s business; what
 * they mean together is {@code io.dra4j.allocation}'s.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.model.ClusterSnapshot}: everything that a cluster holds.
 *   <li>{@link io.dra4j.model.ResourceClaim}: what a user asks for.
 *   <li>{@link io.dra4j.model.DeviceRequest}: how many devices of which kind; a claim has one or
 *       more.
 *   <li>{@link io.dra4j.model.DeviceClass}: the kind of device that a request names.
 *   <li>{@link io.dra4j.model.ResourceSlice}: what a driver publishes.
 *   <li>{@link io.dra4j.model.Device}: one device of a slice, with its attributes and capacity.
 *   <li>{@link io.dra4j.model.Node}: where devices and pods are.
 *   <li>{@link io.dra4j.model.AllocationResult}: the devices that a claim got.
 * </ol>
 */
@NullMarked
package io.dra4j.model;

import org.jspecify.annotations.NullMarked;
