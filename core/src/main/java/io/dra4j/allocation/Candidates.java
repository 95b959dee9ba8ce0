package io.dra4j.allocation;

import io.dra4j.inventory.Candidate;
import io.dra4j.inventory.NodeView;
import org.jspecify.annotations.Nullable;

/** The devices of a node for one search, made when they are looked at. Most searches end early. */
final class Candidates {

  private final NodeView view;
  private final @Nullable Candidate[] made;

  Candidates(NodeView view) {
    this.view = view;
    this.made = new Candidate[view.size()];
  }

  int size() {
    return made.length;
  }

  Candidate get(int ordinal) {
    Candidate known = made[ordinal];
    if (known == null) {
      known = view.candidate(ordinal);
      made[ordinal] = known;
    }
    return known;
  }
}
