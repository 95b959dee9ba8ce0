package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.cel.CelAdmission.Accepted;
import io.dra4j.cel.CelAdmission.OverLimit;
import io.dra4j.cel.CelAdmission.Refused;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server says of selectors, and what is allowed and hardly meant. */
class AdmissionTest {

  private static final String DRIVER = "gpu.example.com";
  private final CelSelectors selectors = CelSelectors.create();

  @Test
  void aSelectorIsAcceptedWithItsCost() {
    assertThat(selectors.admit("device.driver == 'gpu.example.com'")).isEqualTo(new Accepted(4));
  }

  @Test
  void whatCostsTooMuchNamesTheConditionThatCostsMost() {
    String costly = "lists.range(1000).all(x, lists.range(1000).all(y, x < y))";
    CelAdmission said =
        selectors.admit("device.driver == 'a' &&\n  (true || " + costly + ") && true");
    assertThat(said).isInstanceOf(OverLimit.class);
    OverLimit over = (OverLimit) said;
    assertThat(over.limit()).isEqualTo(1_000_000);
    assertThat(over.excess()).isEqualTo(over.maxCost() - 1_000_000).isPositive();
    assertThat(over.costliest().text()).isEqualTo(costly);
    assertThat(over.costliest().line()).isEqualTo(2);
    assertThat(over.costliest().column()).isEqualTo(12);
    assertThat(over.costliest().maxCost()).isGreaterThan(1_000_000);
  }

  @Test
  void aCostAbove64BitsSignedIsOverTheLimit() {
    assertThat(selectors.admit("isIP(string(device.attributes.a.b)) && isIP(dyn(1))"))
        .isInstanceOf(OverLimit.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.nope                         | 1 | 7  | 1  | undefined field 'nope'
          true && nope.x == 1                 | 1 | 9  | 4  | undeclared reference
          1 + "abc" == 2                      | 1 | 3  | 1  | found no matching overload
          "é😀" + -15 == ""                   | 1 | 6  | 1  | found no matching overload
          true && -15                         | 1 | 9  | 3  | expected type 'bool'
          true && "abc"                       | 1 | 9  | 5  | expected type 'bool'
          device.driver.split(1) == []        | 1 | 20 | 1  | found no matching overload
          device.driver ==                    | 1 | 17 | 0  | Syntax error
          device.driver == "a" b              | 1 | 22 | 1  | Syntax error
          [1].all(1, true)                    | 1 | 9  | 1  | argument must be a simple name
          1 + 1                               | 1 | 1  | 5  | must evaluate to bool
          """)
  void aProblemHasAPlaceAndALength(
      String expression, int line, int column, int length, String message) {
    CelAdmission said = selectors.admit(expression);
    assertThat(said).isInstanceOf(Refused.class);
    CelProblem first = ((Refused) said).problems().get(0);
    assertThat(first.message()).contains(message);
    assertThat(List.of(first.line(), first.column(), first.length()))
        .containsExactly(line, column, length);
    assertThat(first.toString()).startsWith(line + ":" + column + ": ");
  }

  @Test
  void eachProblemIsOneInTheOrderOfTheText() {
    CelAdmission said = selectors.admit("device.a &&\n device.b &&\n  !nope");
    assertThat(((Refused) said).problems()).extracting(CelProblem::line).containsExactly(1, 2, 3);
  }

  @Test
  void whatIsTooLongIsRefusedAsAWhole() {
    String expression = "true" + " ".repeat(20_000);
    CelAdmission said = selectors.admit(expression);
    assertThat(((Refused) said).problems())
        .singleElement()
        .isEqualTo(
            new CelProblem(
                "the expression has 20004 bytes, more than 10240", 1, 1, expression.length()));
  }

  @Test
  void whatIsNoTextIsRefusedAsAWhole() {
    assertThat(((Refused) selectors.admit("'" + (char) 0xd800 + "' == ''")).problems())
        .singleElement()
        .extracting(CelProblem::message)
        .isEqualTo("Unpaired surrogate at index 1");
  }

  @Test
  void domainsAndDriversThatNoSliceHasAreSaid() throws Exception {
    assertThat(
            lints(
                "'gpus.example.com' in device.attributes || 'model' in device.capacity ||"
                    + " device.driver in ['gpu.example.com', 'nic.example.com'] &&"
                    + " device.attributes['gpu.example.com'].model == 'A100'"))
        .extracting(CelLint::message)
        .containsExactly(
            "device.attributes[\"gpus.example.com\"] is published by no device; similar:"
                + " device.attributes[\"gpu.example.com\"]",
            "device.capacity[\"model\"] is published by no device",
            "\"nic.example.com\" is the driver of no device; similar: gpu.example.com");
  }

  private static ResourceSlice slice(Device... devices) {
    return ResourceSlice.onNode("slice", DRIVER, "node", List.of(devices));
  }

  private static Device gpu(String name, String model) {
    return Device.named(name).attribute("model", DeviceAttribute.of(model)).build();
  }

  private List<CelLint> lints(String expression) throws SelectorException, BudgetExceededException {
    return selectors.lint(
        expression, List.of(slice(gpu("a", "A100"), gpu("b", "H100"))), Budget.unlimited());
  }

  @Test
  void aSelectorThatTellsDevicesApartHasNoLint() throws Exception {
    assertThat(lints("device.attributes['gpu.example.com'].model == 'A100'")).isEmpty();
  }

  @Test
  void aNameThatNoSliceHasIsSaid() throws Exception {
    assertThat(
            lints(
                "device.attributes['gpu.example.com'].modle == 'A100' ||"
                    + " device.attributes['gpu.example.com'].model == 'A100'"))
        .extracting(CelLint::kind, CelLint::message)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                CelLint.Kind.UNKNOWN_NAME,
                "device.attributes[\"gpu.example.com\"].modle is published by no device; similar:"
                    + " device.attributes[\"gpu.example.com\"].model"));
  }

  @Test
  void whatIsTrueOnAllOrNoneOfTheDevicesIsSaid() throws Exception {
    assertThat(lints("device.driver == 'gpu.example.com'"))
        .extracting(CelLint::kind)
        .containsExactly(CelLint.Kind.ALWAYS_TRUE);
    assertThat(lints("device.driver == 'gpu.example.org'"))
        .contains(
            new CelLint(
                CelLint.Kind.NEVER_TRUE, "it is true on no device: false on 2, an error on 0"));
    assertThat(lints("device.attributes['gpu.example.com'].model > 1"))
        .containsExactly(
            new CelLint(
                CelLint.Kind.NEVER_TRUE, "it is true on no device: false on 0, an error on 2"));
  }

  @Test
  void whatIsNearTheLimitIsSaid() throws Exception {
    String costly = "lists.range(%d).all(x, true)";
    int rounds = 1;
    while (selectors.compileSelector(costly.formatted(rounds)).maxCost() <= 800_000) {
      rounds += 1_000;
    }
    assertThat(selectors.lint(costly.formatted(rounds), List.of(), Budget.unlimited()))
        .extracting(CelLint::kind)
        .containsExactly(CelLint.Kind.NEARLY_OVER_LIMIT);
    assertThat(selectors.lint("true", List.of(), Budget.unlimited())).isEmpty();
  }

  @Test
  void lookingForNamesThatNobodyPublishesEndsWithTheBudget() throws Exception {
    Device[] devices =
        IntStream.range(0, 200).mapToObj(i -> gpu("gpu-" + i, "A100")).toArray(Device[]::new);
    AtomicInteger looks = new AtomicInteger();
    Budget counting = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    CelSelector selector = selectors.compileSelector("device.driver == 'gpu.example.com'");
    for (Device device : devices) {
      CelEvaluation unused = selector.evaluate(DRIVER, device, counting);
    }
    int evaluations = looks.getAndSet(0);

    List<CelLint> unused =
        selectors.lint("device.driver == 'gpu.example.com'", List.of(slice(devices)), counting);
    assertThat(looks.get()).isGreaterThanOrEqualTo(evaluations + devices.length);
  }

  @Test
  void whatDoesNotCompileCannotBeLinted() {
    assertThatThrownBy(() -> lints("device.nope")).isInstanceOf(SelectorException.class);
  }

  @Test
  void answersAreReadByPeople() {
    CelAdmission.Part part = new CelAdmission.Part("device.x\n== 1", 1, 2, -1L);

    assertThat(new Accepted(42)).hasToString("accepted; costs at most 42");
    assertThat(new OverLimit(-1L, 1_000_000, part, Optional.empty()))
        .hasToString(
            "over the limit; may cost 18446744073709551615, allowed is 1000000; the costliest"
                + " condition: line 1, column 2: device.x\\u000a== 1 (at most"
                + " 18446744073709551615)");
    assertThat(new Refused(List.of(new CelProblem("no such thing", 1, 3, 1))))
        .hasToString("refused: 1:3: no such thing");
    assertThat(new CelEvaluation.Answered(true, 4)).hasToString("true, cost 4");
    assertThat(new CelEvaluation.Failed("no such key: x", 3, false))
        .hasToString("error: no such key: x, cost 3");
    assertThat(new CelEvaluation.NotBegun("an attribute without a value"))
        .hasToString("not begun: an attribute without a value");
  }
}
