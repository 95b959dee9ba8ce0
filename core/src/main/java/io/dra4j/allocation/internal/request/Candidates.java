package io.dra4j.allocation.internal.request;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import org.jspecify.annotations.Nullable;

/** The devices of a node for one search, created on demand, because most searches end early. */
public final class Candidates {

  private final NodeView view;
  private final @Nullable NodeDevice[] made;

  Candidates(NodeView view) {
    this.view = view;
    this.made = new NodeDevice[view.size()];
  }

  public int size() {
    return made.length;
  }

  public NodeDevice get(int ordinal) {
    NodeDevice known = made[ordinal];
    if (known == null) {
      known = view.candidate(ordinal);
      made[ordinal] = known;
    }
    return known;
  }
}
