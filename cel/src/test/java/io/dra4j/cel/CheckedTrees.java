package io.dra4j.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.message.WellKnownMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes over what the checker of cel-java found. */
final class CheckedTrees {

  private CheckedTrees() {}

  /** Converts a tree for cel-java. */
  static CelAbstractSyntaxTree toTree(CheckedExpression checked) {
    Map<Long, CelType> types = new HashMap<>();
    Map<Long, CelReference> references = new HashMap<>();
    for (int id = 0; id < checked.nodes(); id++) {
      CelType type = checked.type(id);
      CheckedExpression.Reference reference = checked.reference(id);
      if (type != null) {
        types.put((long) id, type);
      }
      if (reference != null) {
        CelReference.Builder same =
            CelReference.newBuilder()
                .setName(reference.name())
                .addOverloadIds(reference.overloads());
        if (reference.name().equals(WellKnownMessage.NULL_VALUE)) {
          same.setValue(CelConstant.ofValue(0L));
        }
        references.put((long) id, same.build());
      }
    }
    return CelAbstractSyntaxTree.newCheckedAst(
        checked.expression(), checked.source(), references, types);
  }

  /** Converts a tree. One that was only parsed has no types. */
  static CheckedExpression of(CelAbstractSyntaxTree tree) {
    long max = tree.getSource().getMacroCalls().keySet().stream().reduce(0L, Math::max);
    NodeIds ids = new NodeIds();
    max = Math.max(max, ids.max(tree.getExpr()));
    @Nullable CelType[] types = new CelType[(int) max + 1];
    CheckedExpression.@Nullable Reference[] references =
        new CheckedExpression.Reference[(int) max + 1];
    for (Map.Entry<Long, CelType> entry : tree.getTypeMap().entrySet()) {
      if (entry.getKey() <= max) {
        types[(int) (long) entry.getKey()] = entry.getValue();
      }
    }
    for (Map.Entry<Long, CelReference> entry : tree.getReferenceMap().entrySet()) {
      if (entry.getKey() <= max) {
        CelReference reference = entry.getValue();
        List<String> overloads = reference.overloadIds();
        references[(int) (long) entry.getKey()] =
            new CheckedExpression.Reference(overloads.isEmpty() ? reference.name() : "", overloads);
      }
    }
    return new CheckedExpression(tree.getExpr(), tree.getSource(), types, references, true);
  }

  /** Finds the largest identifier of a tree. */
  private static final class NodeIds {
    long max(dev.cel.common.ast.CelExpr root) {
      return dev.cel.common.navigation.CelNavigableExpr.fromExpr(root)
          .allNodes()
          .mapToLong(node -> node.expr().id())
          .max()
          .orElse(0);
    }
  }
}
