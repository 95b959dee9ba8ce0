/**
 * A live cluster as an inventory of devices: nodes, ResourceSlices, DeviceClasses, ResourceClaims
 * and DeviceTaintRules are listed and watched, and their changes become events of a {@link
 * io.dra4j.inventory.DeviceInventory}. The connection, with its credentials and TLS, is a {@link
 * io.fabric8.kubernetes.client.KubernetesClient} of the caller.
 */
@NullMarked
package io.dra4j.kubernetes;

import org.jspecify.annotations.NullMarked;
