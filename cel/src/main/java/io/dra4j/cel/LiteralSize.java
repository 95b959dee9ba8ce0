package io.dra4j.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.validator.CelAstValidator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Refuses expressions whose variables bound with {@code cel.bind} double each other in literals,
 * like {@code cel.bind(b, [a, a], cel.bind(c, [b, b], ...))}: cel-java visits all elements, inner
 * ones included, each time a list is used.
 */
final class LiteralSize implements CelAstValidator {

  private static final long MAX_SIZE = 100_000;

  @Override
  public void validate(CelNavigableAst ast, Cel cel, IssuesFactory issues) {
    CelExpr root = ast.getRoot().expr();
    if (size(root, new HashMap<>()) > MAX_SIZE) {
      issues.addError(root.id(), "literals grow to more than " + MAX_SIZE + " elements");
    }
  }

  /** About the number of elements of the largest value, given those of the variables. */
  private static long size(CelExpr expr, Map<String, Long> variables) {
    return switch (expr.getKind()) {
      case IDENT -> variables.getOrDefault(expr.ident().name(), 1L);
      case SELECT -> size(expr.select().operand(), variables);
      case LIST -> sum(expr.list().elements(), variables);
      case MAP ->
          sum(expr.map().entries().stream().map(entry -> entry.value()).toList(), variables);
      case CALL -> {
        long largest = expr.call().target().map(e -> size(e, variables)).orElse(1L);
        for (CelExpr arg : expr.call().args()) {
          largest = Math.max(largest, size(arg, variables));
        }
        yield expr.call().function().equals("_+_") ? sum(expr.call().args(), variables) : largest;
      }
      case COMPREHENSION -> size(expr.comprehension(), variables);
      default -> 1;
    };
  }

  private static long size(CelComprehension loop, Map<String, Long> variables) {
    Map<String, Long> inside = new HashMap<>(variables);
    inside.put(loop.iterVar(), size(loop.iterRange(), variables));
    inside.put(loop.iterVar2(), size(loop.iterRange(), variables));
    inside.put(loop.accuVar(), size(loop.accuInit(), variables));
    return Math.max(size(loop.loopStep(), inside), size(loop.result(), inside));
  }

  private static long sum(List<CelExpr> parts, Map<String, Long> variables) {
    long sum = 1;
    for (CelExpr part : parts) {
      sum = Math.min(MAX_SIZE + 1, sum + size(part, variables));
    }
    return sum;
  }
}
