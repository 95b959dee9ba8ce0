/**
 * The allocator: finds devices on a node for the claims of a pod, exactly like Kubernetes' own
 * allocator, and explains why if there are none.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.model.ClusterSnapshot}: the objects of a cluster, read for example by
 *       {@link io.dra4j.manifest.Manifests}.
 *   <li>{@link io.dra4j.inventory.DeviceInventory}: the devices of the cluster, and which claims
 *       hold them.
 *   <li>{@link io.dra4j.model.ResourceClaim}: a request for devices.
 *   <li>{@link io.dra4j.allocation.Allocator}: finds the devices, with the options of its builder.
 *   <li>{@link io.dra4j.allocation.AllocationOutcome}: the answer for one node, of four kinds.
 *   <li>{@link io.dra4j.allocation.ClaimAllocation}: the devices of a claim.
 *   <li>{@link io.dra4j.allocation.explanation.Explanation}: the reasons why claims do not fit.
 *   <li>{@link io.dra4j.allocation.ClusterQuery}: the answers for all nodes.
 * </ol>
 *
 * <p>The search itself is small: candidates are placed one after the other, every rule may refuse a
 * placement, and every placement can be undone. This package does not read manifests, evaluate
 * selectors, or compare valid answers.
 *
 * <p>The behaviour is that of {@code k8s.io/dynamic-resource-allocation} v0.37.2 (package {@code
 * structured}, its experimental implementation).
 */
@NullMarked
package io.dra4j.allocation;

import org.jspecify.annotations.NullMarked;
