package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.ast.CelExpr;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.Environment;
import io.dra4j.cel.internal.check.EnvironmentVersion;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.cost.CostEstimator;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.StandardLibrary;
import io.dra4j.selector.SelectorException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CostEstimatorTest {

  private static final FunctionLibrary LIBRARY = StandardLibrary.create();
  private static final ExpressionChecker CHECKER = new ExpressionChecker(EnvironmentVersion.STORED);

  /** Nothing calls them by these names, or they exist for the macros' sake. */
  private static final Set<String> INTERNAL =
      Set.of(
          "@mapInsert_map_key_value",
          "@mapInsert_map_map",
          "__not_strictly_false__",
          "not_strictly_false",
          "select_optional_field");

  static Stream<Arguments> estimates() {
    return Tables.lines("estimates.txt").stream()
        .map(line -> Arguments.of(line.split(" ", 2)[0], line.split(" ", 2)[1]));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("estimates")
  void theEstimateIsThatOfKubernetes(String cost, String expression) throws Exception {
    assertThat(estimate(expression)).isEqualTo(cost);
  }

  @Test
  void theTableHasEveryOverload() throws Exception {
    Set<String> missing = new HashSet<>();
    Environment.functions(EnvironmentVersion.STORED)
        .values()
        .forEach(f -> f.overloads().forEach(overload -> missing.add(overload.id())));
    missing.removeAll(INTERNAL);
    for (String line : Tables.lines("estimates.txt")) {
      CheckedExpression checked = CHECKER.check(line.split(" ", 2)[1]);
      remove(checked, checked.expression(), missing);
    }
    assertThat(missing).isEmpty();
  }

  private static void remove(CheckedExpression checked, CelExpr expr, Set<String> missing) {
    missing.removeAll(checked.overloads(expr));
    switch (expr.getKind()) {
      case SELECT -> remove(checked, expr.select().operand(), missing);
      case CALL -> {
        expr.call().target().ifPresent(target -> remove(checked, target, missing));
        expr.call().args().forEach(arg -> remove(checked, arg, missing));
      }
      case COMPREHENSION -> {
        remove(checked, expr.comprehension().iterRange(), missing);
        remove(checked, expr.comprehension().result(), missing);
      }
      default -> {}
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "device.attributes.all(a, device.attributes.all(b, true))|3267",
        "lists.range(9223372036854775807).all(x, true)|18446744073709551615",
        "lists.range(9223372036854775807).all(x, lists.range(9).all(y, true))"
            + "|18446744073709551615",
      })
  void loopsMultiply(String expression, String cost) throws Exception {
    assertThat(estimate(expression)).isEqualTo(cost);
  }

  @Test
  void estimatesStopAtTheLargestUnsignedNumber() {
    Estimate half = Estimate.fixed(1L << 63);
    assertThat(half.plus(half).max()).isEqualTo(Estimate.MAX);
    assertThat(half.times(Estimate.fixed(3)).max()).isEqualTo(Estimate.MAX);
    assertThat(half.times(2.0).max()).isEqualTo(Estimate.MAX);
    assertThat(half.times(0.5).max()).isEqualTo(1L << 62);
    assertThat(Estimate.UNKNOWN.times(0.1).max()).isEqualTo(1_844_674_407_370_955_264L);
    assertThat(Estimate.fixed(11).times(0.1).max()).isEqualTo(2);
  }

  private static String estimate(String expression) throws SelectorException {
    return Long.toUnsignedString(CostEstimator.estimate(CHECKER.check(expression), LIBRARY).max());
  }
}
