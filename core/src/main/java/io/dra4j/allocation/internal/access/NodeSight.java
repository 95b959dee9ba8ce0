package io.dra4j.allocation.internal.access;

import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.NodeView;
import java.util.Optional;

/**
 * What some claims see of a node.
 *
 * @param view its devices
 * @param shape equal for nodes on which the same devices, by their places, can be had; empty for a
 *     node that is like no other
 */
public record NodeSight(NodeView view, Optional<NodeSignature> shape) {}
