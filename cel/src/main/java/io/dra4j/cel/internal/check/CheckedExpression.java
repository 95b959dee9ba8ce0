package io.dra4j.cel.internal.check;

import dev.cel.common.CelSource;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression with the types and the overloads that the checker found, by identifier of node. */
public final class CheckedExpression {

  private final CelExpr expression;
  private final CelSource source;
  private final @Nullable CelType[] types;
  private final @Nullable Reference[] references;
  private final boolean computesKeys;

  /**
   * The declaration that a node refers to.
   *
   * @param name the name of a variable, or empty
   * @param overloads the overloads of a function, in the order of declaration
   */
  public record Reference(String name, List<String> overloads) {}

  /**
   * Combines a tree with the results of the checker, by identifier of node.
   *
   * @param computesKeys whether a map in it has a key that is not a literal
   */
  public CheckedExpression(
      CelExpr expression,
      CelSource source,
      @Nullable CelType[] types,
      @Nullable Reference[] references,
      boolean computesKeys) {
    this.expression = expression;
    this.source = source;
    this.types = types;
    this.references = references;
    this.computesKeys = computesKeys;
  }

  /** Returns the tree. */
  public CelExpr expression() {
    return expression;
  }

  /** Returns a part of the expression, or a combination of parts, with the same types. */
  public CheckedExpression part(CelExpr tree) {
    return new CheckedExpression(tree, source, types, references, computesKeys);
  }

  /** Returns the text of the expression, with the places of its nodes. */
  public CelSource source() {
    return source;
  }

  /** Returns the type of the whole expression. */
  public CelType resultType() {
    return type(expression);
  }

  /** Returns the type of a node, or the error type if the checker has none. */
  public CelType type(CelExpr node) {
    CelType type = type((int) node.id());
    return type == null ? SimpleType.ERROR : type;
  }

  /** Returns the type of the node with an identifier, or null if it has none. */
  public @Nullable CelType type(int id) {
    return id < types.length ? types[id] : null;
  }

  /** Returns the declaration that the node with an identifier refers to, or null for none. */
  public @Nullable Reference reference(int id) {
    return id < references.length ? references[id] : null;
  }

  /** Returns the overloads that a call may reach; empty if the node is not a call. */
  public List<String> overloads(CelExpr node) {
    Reference reference = reference((int) node.id());
    return reference == null ? List.of() : reference.overloads();
  }

  /** Returns the name of the variable or type that a node refers to, or null if there is none. */
  public @Nullable String name(CelExpr node) {
    Reference reference = reference((int) node.id());
    return reference == null || reference.name().isEmpty() ? null : reference.name();
  }

  /** Returns whether a map in the expression has a key that is no literal. */
  public boolean computesKeys() {
    return computesKeys;
  }

  /** Returns a number above all identifiers. */
  public int nodes() {
    return types.length;
  }

  @Override
  public String toString() {
    return expression + " " + Arrays.toString(types);
  }
}
