package io.dra4j.allocation.internal.access;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Access to the package-private parts of the allocator, which registers it when it is loaded. */
public abstract class AllocatorAccess {

  private static volatile @Nullable AllocatorAccess opened;

  /** For the allocator alone. */
  protected AllocatorAccess() {}

  /** Registers the access. */
  public static void open(AllocatorAccess access) {
    opened = access;
  }

  private static AllocatorAccess get() {
    AllocatorAccess access = opened;
    if (access == null) {
      throw new IllegalStateException("no class of the allocator is loaded");
    }
    return access;
  }

  /**
   * {@return whether existing allocations make a device unavailable: because a claim holds it or,
   * with {@link io.dra4j.allocation.Compatibility#STRICT}, because claims hold shares of a device
   * that can no longer be shared; false for a device that is free, or that may have further shares}
   *
   * @param view the devices of the node, with the features of the allocator
   * @param device a device of the node
   */
  public static boolean isInUse(Allocator allocator, NodeView view, NodeDevice device) {
    return get().inUse(allocator, view, device);
  }

  /**
   * {@return the view of a node for the claims, without a search; empty if there is no such node,
   * its slices cannot be read, or the budget is used up; {@link ClusterQuery#on} has the reason}
   *
   * @param node the name of the node
   */
  public static Optional<NodeSight> sight(ClusterQuery query, String node) {
    return get().sightOf(query, node);
  }

  protected abstract boolean inUse(Allocator allocator, NodeView view, NodeDevice device);

  protected abstract Optional<NodeSight> sightOf(ClusterQuery query, String node);
}
