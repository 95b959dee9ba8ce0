package io.dra4j.cel.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import io.dra4j.cel.CelEvaluation;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cel.internal.check.EnvironmentVersion;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.cost.CostEstimator;
import io.dra4j.cel.internal.explain.SelectorParts.Join;
import io.dra4j.cel.internal.explain.SelectorParts.Part;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a selector is made of, by the places of its operators and brackets. */
class SelectorPartsTest {

  private static final ExpressionChecker CHECKER = new ExpressionChecker(EnvironmentVersion.STORED);

  private final CelSelectors selectors = CelSelectors.create();
  private final Map<String, Boolean> joins = new HashMap<>(); // by text

  private static Part parts(String expression) throws Exception {
    return SelectorParts.of(CHECKER.check(expression));
  }

  /** The parts in square brackets, so that one sees what belongs together. */
  private static String shown(Part part) {
    return part.parts().isEmpty()
        ? part.text()
        : part.parts().stream()
            .map(SelectorPartsTest::shown)
            .collect(Collectors.joining(part.join() == Join.ALL ? " AND " : " OR ", "[", "]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      quoteCharacter = '~',
      textBlock =
          """
          (true || false) || 1 > 2                       -> [[true OR false] OR 1 > 2]
          (true && false) && 1 > 2                       -> [[true AND false] AND 1 > 2]
          true || (false || 1 > 2)                       -> [true OR [false OR 1 > 2]]
          true || false || 1 > 2                         -> [true OR false OR 1 > 2]
          ((true || (false))) || ((1 > 2))               -> [[true OR false] OR 1 > 2]
          ((true || false) || (1 > 2 || 3 > 4))          -> [[true OR false] OR [1 > 2 OR 3 > 4]]
          true && false || (1 > 2 && 3 > 4) && true      -> [[true AND false] OR [[1 > 2 AND 3 > 4] AND true]]
          !!(true || !!!!((1 > 2))) || !!!(true)         -> [[true OR !!!!((1 > 2))] OR !!!(true)]
          !!(cel.bind(x, 1, !!(x > 1 && x > 2))) && !!true -> [[x > 1 AND x > 2] AND !!true]
          !(true || false) || !(true)                    -> [!(true || false) OR !(true)]
          (true ? true || false : false) && true         -> [true ? true || false : false AND true]
          true ? (true || false) || true : false         -> true ? (true || false) || true : false
          (")" == ')' || "(" == '') || true              -> [[")" == ')' OR "(" == ''] OR true]
          ("😀é" == ')' || true) || "é" == '😀'          -> [["😀é" == ')' OR true] OR "é" == '😀']
          (r"(\\" == "\\"" || true) || true              -> [[r"(\\" == "\\"" OR true] OR true]
          (dyn({"a//b": 1}).`a//b` == 1 || true) || true  -> [[dyn({"a//b": 1}).`a//b` == 1 OR true] OR true]
          (cel.bind(x, (1), (x > 1 || x > 2) || x > 3))  -> [[x > 1 OR x > 2] OR x > 3]
          cel.bind(x, [1, 2], x == [1, 2]) || (true)     -> [cel.bind(x, [1, 2], x == [1, 2]) OR true]
          """)
  void everyPartHasAllOfItsOwnBrackets(String expression, String shown) throws Exception {
    assertThat(shown(parts(expression))).isEqualTo(shown);
  }

  @Test
  void commentsAndLineEndsAreBetweenParts() throws Exception {
    Part part = parts("( // (\n device.driver == 'a' // )\r\n || true // ||\n)\n\t|| false // )");

    assertThat(shown(part)).isEqualTo("[[device.driver == 'a' OR true] OR false]");
    assertThat(part.parts().get(0).parts().get(0).from()).isEqualTo(8);
  }

  @Test
  void thousandsOfSelectorsAreTheirPartsTogether() throws Exception {
    checkMany(1, 2_000);
  }

  @Test
  @Tag("exhaustive")
  void aHundredThousandSelectorsAreTheirPartsTogether() throws Exception {
    checkMany(2, 100_000);
  }

  private void checkMany(long seed, int count) throws Exception {
    Random random = new Random(seed);
    RandomSelector generator = new RandomSelector(random);
    for (int i = 0; i < count; i++) {
      String expression = generator.next();
      try {
        check(expression, device(random), random.nextBoolean() ? "a" : "b(");
      } catch (SelectorException | RuntimeException e) {
        throw new AssertionError("of " + expression, e);
      }
    }
  }

  private static Device device(Random random) {
    Device.Builder device = Device.named("d");
    if (random.nextBoolean()) {
      device.attribute("a/n", random.nextInt(5));
    }
    if (random.nextBoolean()) {
      device.attribute("a/flag", random.nextBoolean());
    }
    if (random.nextBoolean()) {
      device.attribute("a/text", random.nextBoolean() ? "x😀)" : "(a || b) && (");
    }
    if (random.nextBoolean()) {
      device.capacity("a/memory", random.nextInt(3) + "Gi");
    }
    return device.build();
  }

  private void check(String expression, Device device, String driver) throws Exception {
    Part whole = parts(expression);
    Verdict verdict = verdict(expression, driver, device);

    checkPlaces(expression, whole);
    assertThat(verdict(RandomSelector.bound(together(whole)), driver, device))
        .as("parts of %s: %s", expression, shown(whole))
        .isEqualTo(verdict);
    Clause said = selectors.compileSelector(expression).explain(driver, device).expression();
    assertThat(said.verdict()).as(expression).isEqualTo(verdict);
    for (Clause clause : clauses(said).toList()) {
      assertThat(verdict(RandomSelector.bound(clause.text()), driver, device))
          .as("%s of %s", clause.text(), expression)
          .isEqualTo(clause.verdict());
    }
  }

  /** Each part stands where it says, and a part without parts is no join. */
  private void checkPlaces(String expression, Part part) throws Exception {
    int from = expression.offsetByCodePoints(0, part.from());
    assertThat(expression.startsWith(part.text(), from)).as(expression).isTrue();
    if (part.parts().isEmpty()) {
      Boolean known = joins.get(part.text());
      if (known == null) {
        known = isJoin(CHECKER.check(RandomSelector.bound(part.text())).expression());
        joins.put(part.text(), known);
      }
      assertThat(known).as("%s of %s", part.text(), expression).isFalse();
    }
    for (Part inner : part.parts()) {
      checkPlaces(expression, inner);
    }
  }

  private static boolean isJoin(CelExpr expr) {
    if (expr.getKind() == Kind.COMPREHENSION && CostEstimator.isBinding(expr.comprehension())) {
      return isJoin(expr.comprehension().result());
    }
    return expr.getKind() == Kind.CALL && List.of("_&&_", "_||_").contains(expr.call().function());
  }

  private static String together(Part part) {
    return part.parts().isEmpty()
        ? part.text()
        : part.parts().stream()
            .map(inner -> "(" + together(inner) + "\n)")
            .collect(Collectors.joining(part.join() == Join.ALL ? " && " : " || "));
  }

  private static Stream<Clause> clauses(Clause clause) {
    return Stream.concat(
        Stream.of(clause), clause.parts().stream().flatMap(SelectorPartsTest::clauses));
  }

  private Verdict verdict(String expression, String driver, Device device) throws Exception {
    CelEvaluation said = selectors.compileSelector(expression).evaluate(driver, device);
    return said.failed() ? Verdict.ERROR : said.matches() ? Verdict.TRUE : Verdict.FALSE;
  }
}
