package io.dra4j.cel.internal.eval;

/** The planned form of a part of an expression: a node, or a path that may continue. */
sealed interface Planned permits Node, PathPlan {

  /** Returns the path, or one that begins at the node. */
  PathPlan path();

  /** Creates the node of a separate part. */
  Node build(AttributeNames names, DeviceReads.Collector reads);

  /** Creates the node of a branch of a conditional or of a key, which costs nothing as a path. */
  Node buildPart(AttributeNames names, DeviceReads.Collector reads);
}
