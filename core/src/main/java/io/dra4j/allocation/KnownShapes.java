package io.dra4j.allocation;

import io.dra4j.inventory.NodeShape;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What came of some claims on nodes, by what the claims see of them. Thread-safe. */
final class KnownShapes {

  /** A bound on what is remembered, of some 200 bytes each. */
  private static final int MAX_MISFITS = 10_000;

  /** A bound on what is remembered, of some 20 kB each. */
  private static final int MAX_SOLUTIONS = 100;

  private final Set<NodeShape> misfits = ConcurrentHashMap.newKeySet();
  private final Map<NodeShape, Solution> solutions = new ConcurrentHashMap<>();

  /** Whether the claims lack devices on nodes of a shape. */
  boolean isMisfit(NodeShape shape) {
    return misfits.contains(shape);
  }

  void addMisfit(NodeShape shape) {
    if (misfits.size() < MAX_MISFITS) {
      misfits.add(shape);
    }
  }

  /** The devices that first fit finds on nodes of a shape, or null if it is not known. */
  @Nullable Solution solution(NodeShape shape) {
    return solutions.get(shape);
  }

  void addSolution(NodeShape shape, Solution solution) {
    if (solutions.size() < MAX_SOLUTIONS) {
      solutions.put(shape, solution);
    }
  }
}
