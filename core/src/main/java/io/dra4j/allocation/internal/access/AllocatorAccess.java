package io.dra4j.allocation.internal.access;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The door to the package-private parts of the allocator, which opens it when it is loaded. */
public abstract class AllocatorAccess {

  private static volatile @Nullable AllocatorAccess opened;

  /** For the allocator alone. */
  protected AllocatorAccess() {}

  /** Opens the door. */
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
   * Returns whether claims that have devices keep others from having a device: as a whole, or, with
   * {@link io.dra4j.allocation.Compatibility#STRICT}, by shares of one that can be shared no
   * longer.
   *
   * @param view what a node can use, with the features of the allocator
   * @param device a device of the node
   * @return false for a device that is free, or of which shares may be left
   */
  public static boolean isInUse(Allocator allocator, NodeView view, NodeDevice device) {
    return get().inUse(allocator, view, device);
  }

  /**
   * Looks at a node, without searching it.
   *
   * @param node the name of the node
   * @return what the claims see of it; empty if there is no such node, its slices cannot be
   *     understood, or the time is over, of which {@link ClusterQuery#on} has the reason
   */
  public static Optional<NodeSight> sight(ClusterQuery query, String node) {
    return get().sightOf(query, node);
  }

  protected abstract boolean inUse(Allocator allocator, NodeView view, NodeDevice device);

  protected abstract Optional<NodeSight> sightOf(ClusterQuery query, String node);
}
