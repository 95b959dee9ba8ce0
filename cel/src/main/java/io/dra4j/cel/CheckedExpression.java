package io.dra4j.cel;

import dev.cel.common.CelSource;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression with the types and the overloads that the checker found, by identifier of node. */
final class CheckedExpression {

  private final CelExpr expression;
  private final CelSource source;
  private final @Nullable CelType[] types;
  private final @Nullable Reference[] references;

  /**
   * What a node refers to.
   *
   * @param name of a variable, or empty
   * @param overloads of a function, in the order in which they are declared
   */
  record Reference(String name, List<String> overloads) {}

  CheckedExpression(
      CelExpr expression,
      CelSource source,
      @Nullable CelType[] types,
      @Nullable Reference[] references) {
    this.expression = expression;
    this.source = source;
    this.types = types;
    this.references = references;
  }

  CelExpr expression() {
    return expression;
  }

  /** Returns a part of the expression, or what was made of parts of it, with the same types. */
  CheckedExpression part(CelExpr tree) {
    return new CheckedExpression(tree, source, types, references);
  }

  CelSource source() {
    return source;
  }

  CelType resultType() {
    return type(expression);
  }

  CelType type(CelExpr node) {
    CelType type = type((int) node.id());
    return type == null ? SimpleType.ERROR : type;
  }

  /** Returns the type of the node with an identifier, or null if it has none. */
  @Nullable CelType type(int id) {
    return id < types.length ? types[id] : null;
  }

  /** Returns what the node with an identifier refers to, or null if it refers to nothing. */
  @Nullable Reference reference(int id) {
    return id < references.length ? references[id] : null;
  }

  /** Returns the overloads that a call may reach; empty if the node is no call. */
  List<String> overloads(CelExpr node) {
    Reference reference = reference((int) node.id());
    return reference == null ? List.of() : reference.overloads();
  }

  /** Returns the name of the variable or type that a node refers to, or null if there is none. */
  @Nullable String name(CelExpr node) {
    Reference reference = reference((int) node.id());
    return reference == null || reference.name().isEmpty() ? null : reference.name();
  }

  /** Returns a number above all identifiers. */
  int nodes() {
    return types.length;
  }

  @Override
  public String toString() {
    return expression + " " + Arrays.toString(types);
  }
}
