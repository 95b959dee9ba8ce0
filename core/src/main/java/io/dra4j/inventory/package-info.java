/**
 * The inventory of a cluster: nodes, classes, published devices and the claims that hold them, kept
 * up to date event by event and indexed for allocation.
 *
 * <p>Start at {@link io.dra4j.inventory.DeviceInventory}, an immutable snapshot, and at {@link
 * io.dra4j.inventory.InventoryEvent}, which leads to the next one. {@link
 * io.dra4j.inventory.NodeDevices} are the devices that one node can use, in the order in which
 * Kubernetes tries them. This package does not choose devices for claims.
 *
 * <p>Pools are assembled as {@code k8s.io/dynamic-resource-allocation} v0.37.2 does (package {@code
 * structured/internal/experimental}, {@code pools_experimental.go}).
 */
@NullMarked
package io.dra4j.inventory;

import org.jspecify.annotations.NullMarked;
