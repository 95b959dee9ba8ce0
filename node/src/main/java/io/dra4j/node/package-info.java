/**
 * Drivers on the node of a cluster: {@link io.dra4j.node.NodeAgent} connects the runtime of the
 * drivers to the kubelet, the container runtime and the API server.
 */
@NullMarked
package io.dra4j.node;

import org.jspecify.annotations.NullMarked;
