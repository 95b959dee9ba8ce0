package io.dra4j.allocation.internal.access;

import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.NodeView;
import java.util.Optional;

/**
 * A node from the view of some claims.
 *
 * @param view its devices
 * @param shape the signature, equal for nodes on which the same devices, by their positions, can be
 *     allocated; empty for a node that must not be compared with others
 */
public record NodeSight(NodeView view, Optional<NodeSignature> shape) {}
