package io.dra4j.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  CelSource source() {
    return source;
  }

  CelType resultType() {
    return type(expression);
  }

  CelType type(CelExpr node) {
    int id = (int) node.id();
    CelType type = id < types.length ? types[id] : null;
    return type == null ? SimpleType.ERROR : type;
  }

  /** Returns the overloads that a call may reach; empty if the node is no call. */
  List<String> overloads(CelExpr node) {
    int id = (int) node.id();
    Reference reference = id < references.length ? references[id] : null;
    return reference == null ? List.of() : reference.overloads();
  }

  /** Returns the name of the variable or type that a node refers to, or null if there is none. */
  @Nullable String name(CelExpr node) {
    int id = (int) node.id();
    Reference reference = id < references.length ? references[id] : null;
    return reference == null || reference.name().isEmpty() ? null : reference.name();
  }

  /** Returns a number above all identifiers. */
  int nodes() {
    return types.length;
  }

  /** Returns the same for cel-java. */
  CelAbstractSyntaxTree toTree() {
    Map<Long, CelType> typeMap = new HashMap<>();
    Map<Long, CelReference> referenceMap = new HashMap<>();
    for (int id = 0; id < types.length; id++) {
      CelType type = types[id];
      Reference reference = references[id];
      if (type != null) {
        typeMap.put((long) id, type);
      }
      if (reference != null) {
        CelReference.Builder same =
            CelReference.newBuilder()
                .setName(reference.name())
                .addOverloadIds(reference.overloads());
        if (reference.name().equals(WellKnownMessage.NULL_VALUE)) {
          same.setValue(CelConstant.ofValue(0L));
        }
        referenceMap.put((long) id, same.build());
      }
    }
    return CelAbstractSyntaxTree.newCheckedAst(expression, source, referenceMap, typeMap);
  }

  @Override
  public String toString() {
    return expression + " " + Arrays.toString(types);
  }
}
