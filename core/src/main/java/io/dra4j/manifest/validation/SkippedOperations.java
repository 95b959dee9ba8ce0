package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.SKIP_NODE_OPERATION;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of {@code skipNodeOperations} in slices and results. */
final class SkippedOperations {

  private static final List<String> KNOWN =
      List.of("NodePrepareResources", "NodeUnprepareResources", "*");

  /** Checks the operations; returns them. */
  Set<String> check(FieldCursor object) {
    Set<String> operations = new HashSet<>();
    object.texts(
        "skipNodeOperations",
        (path, operation) -> {
          object.checkWord(SKIP_NODE_OPERATION, path, operation, KNOWN);
          if (!operations.add(operation)) {
            object.problem(
                SKIP_NODE_OPERATION, path, FieldCursor.shown(operation) + " is a duplicate");
          }
        });
    return operations;
  }
}
