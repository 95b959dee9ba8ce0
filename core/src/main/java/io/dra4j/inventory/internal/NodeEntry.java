package io.dra4j.inventory.internal;

import io.dra4j.model.Node;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects under the name of a node: the node, the slices that name it, or both. Immutable
 * except for a cache of the node's last pools, which is dropped with the entry.
 */
public final class NodeEntry implements BoundedCache.Part {

  private static final PublishedSlice[] NO_SLICES = {};

  static final NodeEntry EMPTY = new NodeEntry(null, 0, NO_SLICES);

  final @Nullable public Node node;
  final long sequence; // the number of the event that first added the node
  final PublishedSlice[]
      slices; // the slices that name the node, in the order in which they were added

  @Nullable public NodePools pools; // the last ones requested; safely published, because immutable
  @Nullable public NodeView view;

  private NodeEntry(@Nullable Node node, long sequence, PublishedSlice[] slices) {
    this.node = node;
    this.sequence = sequence;
    this.slices = slices;
  }

  NodeEntry withNode(@Nullable Node newNode, long newSequence) {
    return new NodeEntry(newNode, newSequence, slices);
  }

  /** This entry with more slices, in the order in which they were added, later than all others. */
  NodeEntry withLater(List<PublishedSlice> later) {
    PublishedSlice[] more = Arrays.copyOf(slices, slices.length + later.size());
    for (int i = 0; i < later.size(); i++) {
      more[slices.length + i] = later.get(i);
    }
    return new NodeEntry(node, sequence, more);
  }

  NodeEntry with(PublishedSlice slice) {
    return new NodeEntry(node, sequence, PublishedSlice.with(slices, slice));
  }

  /** This entry with some of its slices replaced. */
  NodeEntry withAll(List<PublishedSlice> others) {
    return new NodeEntry(node, sequence, PublishedSlice.withAll(slices, others));
  }

  NodeEntry without(PublishedSlice slice) {
    return new NodeEntry(node, sequence, PublishedSlice.without(slices, slice));
  }

  boolean isEmpty() {
    return node == null && slices.length == 0;
  }

  @Override
  public void forget() {
    pools = null;
    view = null;
  }
}
