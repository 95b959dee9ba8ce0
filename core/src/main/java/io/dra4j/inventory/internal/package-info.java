/**
 * The persistent index behind {@link io.dra4j.inventory.DeviceInventory}: nodes, pools, slices,
 * holdings, and the view of one node that the allocator searches. {@link
 * io.dra4j.inventory.internal.InventoryAccess} opens it for other packages of this module.
 */
@NullMarked
package io.dra4j.inventory.internal;

import org.jspecify.annotations.NullMarked;
