package io.dra4j.cel.internal.library;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a call, as the rules of estimates see it.
 *
 * @param expr the node
 * @param type its type
 * @param path how it is reached from {@code device}; empty if it is not
 * @param size its size if the expression shows it
 */
public record Argument(
    @Nullable CelExpr expr, CelType type, FieldPath path, @Nullable Estimate size) {

  /** Returns the size from the expression, or otherwise the declared size. */
  public Estimate sizeOrDeclared() {
    if (size != null) {
      return size;
    }
    Estimate declared = DeclaredSize.of(path);
    return declared == null ? Estimate.UNKNOWN : declared;
  }

  /** Returns the size, from the expression only. */
  public Estimate sizeOrUnknown() {
    return size == null ? Estimate.UNKNOWN : size;
  }
}
