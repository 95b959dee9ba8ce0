package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.Environment;
import io.dra4j.cel.internal.check.EnvironmentVersion;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.check.OutputTypes;
import io.dra4j.cel.internal.check.TypeNames;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.common.Feature;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExpressionCheckerTest {

  private static final ExpressionChecker CHECKER = new ExpressionChecker(EnvironmentVersion.STORED);

  static Stream<Arguments> errors() {
    List<Arguments> errors = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String line : Tables.lines("errors.txt")) {
      if (line.startsWith("  ")) {
        problems.add(line.strip());
      } else {
        problems = new ArrayList<>();
        errors.add(Arguments.of(line, problems));
      }
    }
    return errors.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("errors")
  void anErrorHasThePlaceAndTheCauseThatKubernetesNames(String expression, List<String> problems) {
    assertThat(problems(expression)).isEqualTo(problems);
  }

  private static List<String> problems(String expression) {
    try {
      CheckedExpression checked = CHECKER.check(expression);
      OutputTypes.checkSelector(checked.resultType(), EnvironmentVersion.STORED);
    } catch (SelectorException e) {
      String message = String.valueOf(e.getMessage());
      List<String> problems =
          message
              .lines()
              .map(line -> line.replace("compilation failed: ", ""))
              .filter(line -> line.startsWith("ERROR: <input>:"))
              .map(line -> line.substring("ERROR: <input>:".length()).strip())
              .toList();
      return problems.isEmpty() ? List.of(message) : problems;
    }
    return List.of();
  }

  @Test
  void aCaretShowsThePlace() {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> CHECKER.check("device.driver\n\t!= \"é\" && -foo == 1"))
        .withMessage(
            """
            compilation failed: ERROR: <input>:2:13: undeclared reference to 'foo' (in container '')
             |  != "é" && -foo == 1
             | .....．......^\
            """);
  }

  @Test
  void oneHundredProblemsAreEnough() {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> CHECKER.check("[" + "x, ".repeat(130) + "1] == []"))
        .withMessageEndingWith("\n30 more errors were truncated");
  }

  @Test
  void theProblemOfAnEmptyTextIsWhereKubernetesSeesIt() {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> CHECKER.check(""))
        .withMessageStartingWith(
            "compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>'");
  }

  @Test
  void aProblemWithTheTextAsAWholeIsAtItsStart() {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> CHECKER.check("\ud800"))
        .withMessageStartingWith("compilation failed: ERROR: <input>:1:1: Unpaired surrogate");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1|int",
        "1u|uint",
        "1.0|double",
        "null|null_type",
        "b'a'|bytes",
        "[]|list(dyn)",
        "{}|map(dyn, dyn)",
        "[[1], []]|list(list(int))",
        "[dyn(1), dyn('a')]|list(dyn)",
        "{'a': [1]}.a|list(int)",
        "{'a': 1}.?a|optional_type(int)",
        "[1][?0]|optional_type(int)",
        "optional.none()|optional_type(dyn)",
        "optional.none().orValue(1)|int",
        "type(1)|type(int)",
        "type(type(1))|type(type(int))",
        "device|kubernetes.DRADevice",
        "device.attributes|map(string, map(string, dyn))",
        "device.capacity.a.b|kubernetes.Quantity",
        "device.attributes.a.b + 1|int",
        "device.attributes.a.b + device.attributes.a.b|dyn",
        "[1].map(x, string(x))|list(string)",
        "[1, 2].transformMap(i, v, [v])|map(int, list(int))",
        "cel.bind(x, [], x + ['a'])|list(string)",
        "true ? [] : [1]|list(int)",
        "url('http://a/').getQuery()|map(string, list(string))",
        "'a'.findAll('b')|list(string)",
        "timestamp(0) - timestamp(1)|google.protobuf.Duration",
        "[1].first()|optional_type(int)",
        "[optional.of(1)].unwrapOpt()|list(int)",
        "[3, 1].sortBy(x, -x)|list(int)",
        "kubernetes.DRADevice{driver: 'a'}|kubernetes.DRADevice",
      })
  void theTypeOfAnExpressionIsFound(String expression, String type) throws Exception {
    CheckedExpression checked = CHECKER.check(expression);
    assertThat(TypeNames.ofResult(checked.resultType())).isEqualTo(type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        // expression | neither | consumable capacity | list attributes
        "device.allowMultipleAllocations|false|true|false",
        "[1].includes(1)|false|false|true",
        "device.attributes.a.b.exists(x, true)|false|false|true",
        "device.attributes.a.b|true|true|true",
        "device.attributes.a.b == 'x'|true|true|true",
        "dyn(true)|false|false|true",
        "[1].indexOf(1) == 0|true|true|true",
      })
  void newExpressionsDependOnFeatures(
      String expression, boolean neither, boolean capacity, boolean lists) {
    assertThat(compiles(expression, Set.of())).isEqualTo(neither);
    assertThat(compiles(expression, EnumSet.of(Feature.CONSUMABLE_CAPACITY))).isEqualTo(capacity);
    assertThat(compiles(expression, EnumSet.of(Feature.LIST_TYPE_ATTRIBUTES))).isEqualTo(lists);
    assertThat(compiles(expression, Feature.kubernetes())).isTrue();
    assertThat(problems(expression)).isEmpty();
  }

  private static boolean compiles(String expression, Set<Feature> features) {
    CelEnvironment environment = CelEnvironment.newExpressions(features);
    try {
      CheckedExpression checked = new ExpressionChecker(environment.edition()).check(expression);
      OutputTypes.checkSelector(checked.resultType(), environment.edition());
      return true;
    } catch (SelectorException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1|true|true",
        "'a'|true|true",
        "true|true|true",
        "semver('1.0.0')|true|true",
        "device.attributes.a.b|true|true",
        "[1]|false|true",
        "[semver('1.0.0')]|false|true",
        "[]|false|true",
        "[[1]]|false|false",
        "1.0|false|false",
        "quantity('1')|false|false",
        "null|false|false",
      })
  void derivedAttributesAreScalarsOrListsOfThem(
      String expression, boolean scalar, boolean allowed) {
    assertThat(derives(expression, CelEnvironment.newExpressions(Set.of()))).isEqualTo(scalar);
    assertThat(derives(expression, CelEnvironment.stored())).isEqualTo(allowed);
  }

  private static boolean derives(String expression, CelEnvironment environment) {
    try {
      CheckedExpression checked = new ExpressionChecker(environment.edition()).check(expression);
      OutputTypes.checkAttribute(checked.resultType(), environment.edition());
      return true;
    } catch (SelectorException e) {
      return false;
    }
  }

  @Test
  void otherEnvironmentsHaveOtherVariablesAndContainers() throws Exception {
    Environment environment =
        new Environment(
            "a.b",
            Map.of(
                "a.b.x", SimpleType.INT,
                "a.x", SimpleType.STRING,
                "x", ListType.create(SimpleType.BOOL),
                "a.y", SimpleType.DOUBLE),
            Functions.all(),
            Dialect.KUBERNETES);
    ExpressionChecker checker = new ExpressionChecker(environment, false);
    assertThat(checker.check("x").resultType()).isEqualTo(SimpleType.INT);
    assertThat(checker.check("x").expression().ident().name()).isEqualTo("a.b.x");
    assertThat(checker.check("a.x").resultType()).isEqualTo(SimpleType.STRING);
    assertThat(checker.check(".x[0]").resultType()).isEqualTo(SimpleType.BOOL);
    assertThat(checker.check("y").resultType()).isEqualTo(SimpleType.DOUBLE);
    assertThat(checker.check("[1, 'a']").resultType()).isEqualTo(ListType.create(SimpleType.DYN));
    assertThat(checker.check("['a'].map(x, x)[0]").resultType()).isEqualTo(SimpleType.STRING);
    assertThat(checker.check("['a'].map(x, .x)[0][0]").resultType()).isEqualTo(SimpleType.BOOL);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> checker.check("z"))
        .withMessageContaining("undeclared reference to 'z' (in container 'a.b')");
  }
}
