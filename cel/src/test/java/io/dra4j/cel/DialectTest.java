package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cel.GeneralProgram.Outcome;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.Environment;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.cel.internal.library.SpecificationDialect;
import io.dra4j.selector.SelectorException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the environments of Kubernetes and the specification of CEL differ. */
class DialectTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'%d'.format([1.5])                     ; error         ; 1.5",
        "'%s'.format([[1.0 / 0.0, 'a', 2.5]])   ; [\"+Inf\", \"a\", 2.500000] ; [Infinity, a, 2.5]",
        "'%s'.format([{'b': 1, 'a': b'x'}])     ; {\"a\":b\"x\", \"b\":1} ; {a: x, b: 1}",
        "'%.1f'.format([dyn(12345)])            ; error         ; 12345.0",
        "'%.2f'.format([12345.678])             ; 12,345.68     ; 12345.68",
        "'%.2e'.format([12345.678])             ; 1.234568×10⁰⁴ ; 1.23e+04",
        "'%s'.format([duration('90m')])         ; 5400s         ; 5400s",
        "'%s'.format([optional.none()])         ; error         ; error",
        "'%x'.format([-255])                    ; -ff           ; -ff",
        "'abc'.indexOf('c', 9)                  ; -1            ; error",
        "'abc'.lastIndexOf('', 9)               ; 3             ; error",
        "{1: 'a', 1u: 'b'}.size()               ; 2             ; error",
        "{2.5: 'a'}.size()                      ; 1             ; error",
        "optional.of(dyn(5)).?a.hasValue()           ; false         ; error",
        "has(dyn(5).a)                          ; false         ; error",
        "has(dyn(optional.none()).a)            ; false         ; false",
        "dyn({1: 2})[dyn(b'')] == 1 || true     ; error         ; true",
        "duration('2.5s').getMilliseconds()     ; 2500          ; 500",
      })
  void environmentsDifferInTheirDialect(
      String expression, String kubernetes, String specification) {
    assertThat(result(expression, Dialect.KUBERNETES)).isEqualTo(kubernetes);
    assertThat(result(expression, SpecificationDialect.DIALECT)).isEqualTo(specification);
  }

  private static String result(String expression, Dialect dialect) {
    Environment environment = new Environment("", Map.of(), Functions.all(), dialect);
    try {
      CheckedExpression checked = new ExpressionChecker(environment, false).check(expression);
      Outcome outcome = GeneralProgram.plan(checked, dialect).evaluate(Map.of());
      return outcome.value() == null ? "error" : outcome.value().toString();
    } catch (SelectorException e) {
      return "error";
    }
  }
}
