package io.dra4j.cel.internal.eval;

/** What the planner makes of a part of an expression: a node, or a path that may go on. */
sealed interface Planned permits Node, PathPlan {

  /** Returns the path, or one that begins at the node. */
  PathPlan path();

  /** Makes the node of what stands for itself. */
  Node build(AttributeNames names, DeviceReads.Collector reads);

  /** Makes the node of a branch of a conditional or of a key, which costs nothing as a path. */
  Node buildPart(AttributeNames names, DeviceReads.Collector reads);
}
