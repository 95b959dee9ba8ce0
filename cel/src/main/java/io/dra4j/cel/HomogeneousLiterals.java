package io.dra4j.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelList;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.OptionalType;
import dev.cel.validator.CelAstValidator;
import org.jspecify.annotations.Nullable;

/**
 * Demands that all elements of a literal list or map have one type, as cel-go does. In the
 * validator of cel-java the unknown type goes with every other one; in cel-go only with itself.
 */
final class HomogeneousLiterals implements CelAstValidator {

  @Override
  public void validate(CelNavigableAst ast, Cel cel, IssuesFactory issues) {
    ast.getRoot()
        .allNodes()
        .map(node -> node.expr())
        .forEach(
            expr -> {
              switch (expr.getKind()) {
                case LIST -> validate(expr.list(), ast.getAst(), issues);
                case MAP -> validate(expr.map(), ast.getAst(), issues);
                default -> {}
              }
            });
  }

  private static void validate(CelList list, CelAbstractSyntaxTree ast, IssuesFactory issues) {
    CelType first = null;
    for (int i = 0; i < list.elements().size(); i++) {
      boolean optional = list.optionalIndices().contains(i);
      first = check(first, list.elements().get(i), optional, ast, issues);
    }
  }

  private static void validate(CelMap map, CelAbstractSyntaxTree ast, IssuesFactory issues) {
    CelType firstKey = null;
    CelType firstValue = null;
    for (CelMap.Entry entry : map.entries()) {
      firstKey = check(firstKey, entry.key(), false, ast, issues);
      firstValue = check(firstValue, entry.value(), entry.optionalEntry(), ast, issues);
    }
  }

  private static CelType check(
      @Nullable CelType wanted,
      CelExpr element,
      boolean optional,
      CelAbstractSyntaxTree ast,
      IssuesFactory issues) {
    CelType declared = ast.getTypeOrThrow(element.id());
    CelType type =
        optional && declared instanceof OptionalType ? declared.parameters().get(0) : declared;
    if (wanted != null && !wanted.equals(type)) {
      issues.addError(
          element.id(),
          "expected type '"
              + CelTypes.format(wanted)
              + "' but found '"
              + CelTypes.format(type)
              + "'");
    }
    return wanted == null ? type : wanted;
  }
}
