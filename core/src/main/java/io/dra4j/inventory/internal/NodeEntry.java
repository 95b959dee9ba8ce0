package io.dra4j.inventory.internal;

import io.dra4j.model.Node;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is under the name of a node: the node, the slices that name it, or both. Immutable,
 * but for what was put together for the node last, which is forgotten with the entry.
 */
public final class NodeEntry implements BoundedCache.Part {

  private static final PublishedSlice[] NO_SLICES = {};

  static final NodeEntry EMPTY = new NodeEntry(null, 0, NO_SLICES);

  final @Nullable public Node node;
  final long sequence; // when the node first came
  final PublishedSlice[] slices; // those that name the node, in the order in which they came

  @Nullable public NodePools pools; // as asked for last; published safely, because immutable
  @Nullable public NodeView view;

  private NodeEntry(@Nullable Node node, long sequence, PublishedSlice[] slices) {
    this.node = node;
    this.sequence = sequence;
    this.slices = slices;
  }

  NodeEntry withNode(@Nullable Node newNode, long newSequence) {
    return new NodeEntry(newNode, newSequence, slices);
  }

  /** With slices that came later than all others, in the order in which they came. */
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

  /** With others in the places of some of its slices. */
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
