/**
 * What a cluster has and who holds it: nodes, classes, published devices and claims, kept up to
 * date event by event and indexed for allocation.
 *
 * <p>Start at {@link io.dra4j.inventory.DeviceInventory}, an immutable snapshot, and at {@link
 * io.dra4j.inventory.InventoryEvent}, which leads to the next one. What one node can use, in the
 * order in which Kubernetes tries it, are its {@link io.dra4j.inventory.NodeDevices}. What does not
 * belong here: which devices a claim gets.
 *
 * <p>Pools are put together as {@code k8s.io/dynamic-resource-allocation} v0.37.2 does (package
 * {@code structured/internal/experimental}, {@code pools_experimental.go}).
 */
@NullMarked
package io.dra4j.inventory;

import org.jspecify.annotations.NullMarked;
