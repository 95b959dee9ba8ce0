/**
 * Who gets what: finds devices on a node for the claims of a pod, device for device as Kubernetes'
 * own allocator does, and says why when there are none.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.model.ClusterSnapshot}: the objects of a cluster, read by {@link
 *       io.dra4j.manifest.Manifests} for example.
 *   <li>{@link io.dra4j.inventory.DeviceInventory}: the devices of the cluster, and which claims
 *       hold them.
 *   <li>{@link io.dra4j.model.ResourceClaim}: what is asked for.
 *   <li>{@link io.dra4j.allocation.Allocator}: finds the devices, with the options of its builder.
 *   <li>{@link io.dra4j.allocation.AllocationOutcome}: the answer for one node, of four kinds.
 *   <li>{@link io.dra4j.allocation.ClaimAllocation}: what a claim got.
 *   <li>{@link io.dra4j.allocation.explanation.Explanation}: why there are no devices.
 *   <li>{@link io.dra4j.allocation.ClusterQuery}: the same question about all nodes.
 * </ol>
 *
 * <p>The search itself is small: candidates are placed one after the other, every rule may refuse a
 * placement, and every placement can be undone. What does not belong here: how objects are written
 * down, how selectors are evaluated, and which of several valid answers is the better one.
 *
 * <p>The behaviour is that of {@code k8s.io/dynamic-resource-allocation} v0.37.2 (package {@code
 * structured}, its experimental implementation).
 */
@NullMarked
package io.dra4j.allocation;

import org.jspecify.annotations.NullMarked;
