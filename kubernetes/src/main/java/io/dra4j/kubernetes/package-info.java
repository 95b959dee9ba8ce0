/**
 * A live cluster as an inventory of devices. Nodes, ResourceSlices, DeviceClasses, ResourceClaims
 * and DeviceTaintRules are listed and watched, and their changes become events of a {@link
 * io.dra4j.inventory.DeviceInventory}. The caller provides the connection, with credentials and
 * TLS, as a {@link io.fabric8.kubernetes.client.KubernetesClient}.
 */
@NullMarked
package io.dra4j.kubernetes;

import org.jspecify.annotations.NullMarked;
