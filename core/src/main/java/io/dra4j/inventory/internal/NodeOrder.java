package io.dra4j.inventory.internal;

import io.dra4j.model.Node;
import io.dra4j.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes in the order of their addition, computed once for inventories with the same nodes. */
public final class NodeOrder {

  private volatile @Nullable List<Node> nodes;

  /** {@return the nodes among the entries, equal for all inventories that share this object} */
  public List<Node> of(PersistentMap<String, NodeEntry> entries) {
    List<Node> known = nodes;
    if (known == null) {
      List<NodeEntry> sorted = new ArrayList<>();
      entries.forEach(sorted::add);
      sorted.sort(Comparator.comparingLong(entry -> entry.sequence));
      List<Node> inOrder = new ArrayList<>();
      for (NodeEntry entry : sorted) {
        if (entry.node != null) {
          inOrder.add(entry.node);
        }
      }
      known = List.copyOf(inOrder);
      nodes = known;
    }
    return known;
  }
}
