package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.cel.internal.value.Limits;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the expression, there is an answer or a {@link SelectorException}, and soon. */
@Tag("exhaustive")
class HostileExpressionsTest {

  private static final CelSelectors SELECTORS = CelSelectors.create();
  private static final Device DEVICE = Device.named("device-0").attribute("s", "abc").build();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "'abc",
        "'''abc",
        "(",
        "((",
        ")",
        "{",
        "a b",
        "\u0000",
        "\ud800",
        "'\ud800'",
        "unknown(1)",
        "1 + 'a'",
        "device.attributes.d.s.t.u(",
        "'a'.matches('(')",
        "'a'.find('*') == ''",
        "duration('x') == duration('1s')",
        "timestamp('x') == timestamp('y')",
        "99999999999999999999 == 1",
        "'a'.matches('(a{1000}){1000}')",
        "'a'.matches('((a{100}){100}){100}')",
        "'a'.matches('((a{1000}){1000}){1000}')",
        "'a'.matches('(((((a{0,9}){0,9}){0,9}){0,9}){0,9}){0,9}')"
      })
  void whatCannotBeCompiledIsRefused(String expression) {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(expression))
        .withMessageMatching("(?s)(compilation|program instantiation) failed: .*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1 / 0 == 1",
        "1 % 0 == 1",
        "9223372036854775807 + 1 > 0",
        "-9223372036854775808 - 1 > 0",
        "device.attributes['drv'].s > 1",
        "device.attributes['drv'].s",
        "[1][5] == 1",
        "lists.range(1000000000).size() == 1",
        "lists.range(-1).size() == 1",
        "lists.range(10000).all(a, lists.range(10000).all(b, a + b >= 0))",
        "'a'.matches('(' + device.attributes['drv'].s)",
      })
  void whatCannotBeEvaluatedIsAnError(String expression) throws Exception {
    var selector = SELECTORS.compileSelector(expression);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", DEVICE));
  }

  @Test
  void theLengthIsLimitedInBytes() throws Exception {
    String blank = " ".repeat(Limits.EXPRESSION_BYTES - 4);
    assertThat(SELECTORS.compileSelector("true" + blank).matches("drv", DEVICE)).isTrue();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector("true " + blank))
        .withMessage(
            "compilation failed: ERROR: <input>:1:1: the expression has 10241 bytes, more than 10240");
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector("'" + "é".repeat(5118) + "' != '日'"))
        .withMessageContaining("bytes, more than 10240");
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "[", "-", "!", "1+(", "f(", "{1:", "true?", "[1].all(x,"})
  void deepNestingIsRefused(String opening) {
    String expression = opening.repeat(10_000 / opening.length());
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(expression));
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector("(".repeat(2000) + "1" + ")".repeat(2000)))
        .withMessage(
            "compilation failed: ERROR: <input>:-1:0: expression recursion limit exceeded: 250");
  }

  @Test
  void aLongChainIsAnsweredOrRefused() {
    assertThat(answer("true" + " && true".repeat(1_200))).isIn("true", "refused");
    assertThat(answer("1" + " + 1".repeat(2_400) + " == 2401")).isIn("true", "refused");
    assertThat(answer("device" + ".a".repeat(5_000))).isEqualTo("refused");
  }

  @Test
  void valuesDoNotGrowWithoutLimit() {
    assertThat(answer(doubling("'0123456789'", "%s + %s"))).isIn("error", "refused");
    assertThat(answer(doubling("b'0123456789'", "%s + %s"))).isIn("error", "refused");
    assertThat(answer(doubling("[0, 1]", "[%s, %s].flatten()"))).isIn("error", "refused");
    assertThat(answer(doubling("'a'", "%s.replace('a', 'aa') + %s"))).isIn("error", "refused");
    assertThat(answer(doubling("'a'", "%s.replace('', 'aa') + %s"))).isIn("error", "refused");
    assertThat(answer(doubling("'a'", "[%s, %s].join(',')"))).isIn("error", "refused");
    assertThat(answer(doubling("'\"'", "strings.quote(%s) + %s"))).isIn("error", "refused");
    assertThat(answer(doubling("dyn(1)", "google.protobuf.ListValue{values: [%s, %s]}")))
        .isIn("error", "refused");
    for (String use :
        List.of(
            "google.protobuf.ListValue{values: x}",
            "google.protobuf.Value{list_value: x}",
            "google.protobuf.Struct{fields: {'a': x}}",
            "google.protobuf.ListValue{values: [bytes('%s')]}".formatted("a".repeat(5_000)))) {
      String each = "lists.range(9999).map(i, " + use + ").size() > 0";
      assertThat(answer("cel.bind(x, lists.range(9999), " + each + ")")).isEqualTo("error");
    }
  }

  @Test
  void manyTextsDoNotGrowWithoutLimitTogether() throws Exception {
    String text = "'%s'.replace('', '%s')".formatted("a".repeat(100), "b".repeat(2_000));
    String expression =
        "lists.range(1000).map(i, lists.range(100).map(j, " + text + ")).size() > 0";
    var selector = SELECTORS.compileSelector(expression);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", DEVICE))
        .withMessage("the expression makes texts of 20007900 characters, more than 20000000");
  }

  /** Each is kept by the loop, and costs little or nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[i, %s]",
        "{i: 0, %m}",
        "u.getQuery()",
        "t.findAll('.')",
        "t.split('')",
        "t.split('', 60000)",
        "[l].flatten()",
        "[l].flatten(1)",
        "optional.unwrap(none)",
        "none.unwrapOpt()",
        "cel.bind(grown, [], grown + l)",
        "{1: 1}.transformMapEntry(k, v, m)",
        "dyn(t) + dyn(t)",
        "dyn(b) + dyn(b)",
        "[%q]",
        "[q.add(q), q.sub(q), q.add(1), q.sub(1)]",
        "semver(version)",
        "google.protobuf.StringValue{value: dyn(u)}",
        "google.protobuf.ListValue{values: l}",
        "google.protobuf.Struct{fields: n}",
      })
  void valuesInALoopDoNotGrowWithoutLimitTogether(String value) throws Exception {
    String made =
        value
            .replace("%s", "1, ".repeat(1_000) + "1")
            .replace("%m", numbered("%d: 1", 800))
            .replace("%q", "q.add(q), ".repeat(99) + "q");
    StringBuilder expression =
        new StringBuilder("cel.bind(t, device.attributes['drv'].t + '', ")
            .append("cel.bind(b, bytes(t), ")
            .append("cel.bind(q, quantity(device.attributes['drv'].q), ")
            .append("cel.bind(version, device.attributes['drv'].v, ")
            .append("cel.bind(m, {%s}, ".formatted(numbered("%d: 1", 100)))
            .append("cel.bind(n, {%s}, ".formatted(numbered("'%d': dyn(1)", 100)))
            .append("cel.bind(u, url('/?' + device.attributes['drv'].p), ");
    for (String list : List.of("l0, ['']", "none0, [optional.none()]")) {
      expression.append("cel.bind(").append(list).append(", ");
      String name = list.substring(0, list.indexOf("0,"));
      for (int i = 1; i <= 16; i++) {
        String before = name + (i - 1);
        expression.append(
            "cel.bind(%s, %s + %s, ".formatted(i == 16 ? name : name + i, before, before));
      }
    }
    var selector =
        SELECTORS.compileSelector(
            expression + "lists.range(20000).map(i, " + made + ").size() == 0" + ")".repeat(41));
    Device device =
        Device.named("d")
            .attribute("t", "a".repeat(60_000))
            .attribute("q", "1" + "0".repeat(8_000))
            .attribute("v", "1.2.3-" + "a.".repeat(10_000) + "b")
            .attribute("p", numbered("a%d", 5_000).replace(", ", "&"))
            .build();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", device))
        .withMessageMatching(
            "the expression makes (lists and maps of [0-9]+ bytes|texts of [0-9]+ characters),"
                + " more than [0-9]+");
  }

  private static String numbered(String part, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> part.formatted(i))
        .collect(Collectors.joining(", "));
  }

  @Test
  void errorsNameTheBeginningOfLargeValues() throws Exception {
    String ones = doubling("[1]", "%s + %s");
    for (String use : List.of("[?dyn(x40)]", "{?'a': dyn(x40)}", "[?dyn({1: x40})]")) {
      var selector =
          SELECTORS.compileSelector(ones.replace("size(x40) > 0", "size(" + use + ") == 0"));
      assertThatExceptionOfType(SelectorException.class)
          .isThrownBy(() -> selector.matches("drv", DEVICE))
          .withMessageContaining("[1, 1, 1, 1, ")
          .withMessageEndingWith("…")
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(4_300));
    }
  }

  @Test
  void aMacroThatCopiesItsTargetDoesNotDoubleAnExpressionForEver() throws Exception {
    String chain = "optional.of(1)" + ".optMap(a, a)".repeat(20) + ".hasValue()";
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(chain))
        .withMessageContaining("more than 20000 parts after optMap and optFlatMap\n");
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(chain.replace("optMap", "optFlatMap")))
        .withMessageContaining("more than 20000 parts after optMap and optFlatMap\n");
    String many = ("optional.of(1)" + ".optMap(a, a)".repeat(8) + ".hasValue() && ").repeat(60);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(many + "true"))
        .withMessageContaining("more than 20000 parts after optMap and optFlatMap\n");
    String few = "optional.of(1)" + ".optMap(a, a + 1)".repeat(9) + ".orValue(0) == 10";
    assertThat(SELECTORS.compileSelector(few).matches("drv", DEVICE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{]{3}",
        "[]{]{2}",
        "\\\\Q{9999}\\\\E",
        "\\\\x{61}",
        "\\\\pL{10}",
        "\\\\p{Greek}{10}",
        "a{1000}",
        "a{,5}",
        "(a|b{2}){500}",
        "x{"
      })
  void aPatternWithinTheLimitsIsAccepted(String pattern) {
    assertThat(answer("'a'.matches('" + pattern + "') || true")).isEqualTo("true");
  }

  @Test
  void valuesThatShareTheirPartsAreHarmless() {
    assertThat(answer(doubling("[1]", "[%s, %s]"))).isEqualTo("true");
    assertThat(answer(doubling("{'a': 1}", "{'a': dyn(%s), 'b': dyn(%s)}"))).isEqualTo("true");
    assertThat(answer(doubling("[0, 1]", "%s + %s"))).isEqualTo("true");
    String empty = doubling("['']", "%s + %s");
    assertThat(answer(empty.replace("size(x40) > 0", "x40.join() == ''"))).isEqualTo("error");
    String nested = doubling("[1]", "[%s, %s]");
    for (String use : List.of("x40 == x40", "x40.indexOf(x39) == 1", "'%s'.format([x40]) == ''")) {
      assertThat(answer(nested.replace("size(x40) > 0", use))).isEqualTo("error");
    }
    String chained = doubling("[0, 1]", "%s + %s");
    for (String shared : List.of(nested, chained)) {
      for (String use :
          List.of(
              "google.protobuf.ListValue{values: x40} == []",
              "google.protobuf.Value{list_value: x40} == null",
              "google.protobuf.BytesValue{value: dyn(x40)} == b''")) {
        assertThat(answer(shared.replace("size(x40) > 0", use))).isEqualTo("error");
      }
    }
    for (String use :
        List.of(
            "x40 == x40",
            "x40.sum() == 1",
            "x40.exists(i, i > 1)",
            "9 in x40",
            "dyn(x40).sort() == []",
            "dyn(x40).join() == ''")) {
      assertThat(answer(chained.replace("size(x40) > 0", use))).isEqualTo("error");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{1: 1}", "{}", "[]"})
  void typesThatDoubleEachOtherAreRefused(String start) {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(doubling(start, "{%s: %s}")))
        .withMessageEndingWith("the types of the expression are too large");
  }

  @Test
  void aPatternThatBacktracksElsewhereIsHarmless() {
    assertThat(answer("'" + "a".repeat(5_000) + "b'.matches('^(a+)+$')")).isEqualTo("false");
  }

  /** Binds each of 40 variables to a combination of the one before with itself. */
  private static String doubling(String start, String step) {
    StringBuilder expression = new StringBuilder("cel.bind(x0, " + start + ", ");
    for (int i = 1; i <= 40; i++) {
      String before = "x" + (i - 1);
      expression.append("cel.bind(x" + i + ", " + String.format(step, before, before) + ", ");
    }
    return expression + "size(x40) > 0" + ")".repeat(41);
  }

  private static String answer(String expression) {
    try {
      var selector = SELECTORS.compileSelector(expression);
      try {
        return String.valueOf(selector.matches("drv", DEVICE));
      } catch (SelectorException e) {
        return "error";
      }
    } catch (SelectorException e) {
      return "refused";
    }
  }
}
