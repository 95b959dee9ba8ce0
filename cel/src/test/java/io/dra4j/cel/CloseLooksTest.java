package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cel.internal.library.Functions;
import io.dra4j.cel.internal.value.QuantityValue;
import io.dra4j.cel.internal.value.SemVerValue;
import io.dra4j.model.Device;
import io.dra4j.model.Quantity;
import io.dra4j.model.SemVer;
import io.dra4j.selector.SelectorException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which functions of the environment tell values apart that are equal: who remembers answers of
 * selectors has to remember them for values as they are written, not as they compare.
 */
class CloseLooksTest {

  private static final CelSelectors SELECTORS = CelSelectors.create();
  private static final Device DEVICE = Device.named("d").build();

  /** Numbers, each in ways of writing that are equal. */
  private static final List<List<String>> QUANTITIES =
      List.of(
          List.of("1", "1.0", "1000m", "1e0", "1000000000n", "+1"),
          List.of("80Gi", "85899345920", "85899345920.0", "83886080Ki", "0.078125Ti"),
          List.of("100Ti", "109951162777600", "109951162777600000m"),
          List.of("1500m", "1.5", "1500000u"),
          List.of("0", "0.0", "0Ki", "0e400"));

  private static final List<List<String>> VERSIONS =
      List.of(List.of("1.2.3", "1.2.3+a", "1.2.3+b"), List.of("1.2.3-rc.1", "1.2.3-rc.1+x.y"));

  /**
   * What is asked of a value {@code v}, by the overload that it calls; each gives true or false.
   */
  private static final Map<String, List<String>> QUESTIONS =
      Map.ofEntries(
          Map.entry("quantity_add", sums("v.add(quantity('1'))")),
          Map.entry("quantity_add_int", sums("v.add(1)")),
          Map.entry("quantity_sub", sums("v.sub(quantity('1'))")),
          Map.entry("quantity_sub_int", sums("v.sub(1)")),
          Map.entry("quantity_get_float", List.of("v.asApproximateFloat() <= 0.0")),
          Map.entry("quantity_get_int", List.of("v.asInteger() == 1")),
          Map.entry("quantity_is_integer", List.of("v.isInteger()")),
          Map.entry("quantity_sign", List.of("sign(v) == 1")),
          Map.entry("quantity_compare_to", List.of("v.compareTo(quantity('1')) == 0")),
          Map.entry("quantity_is_greater_than", List.of("v.isGreaterThan(quantity('1'))")),
          Map.entry("quantity_is_less_than", List.of("v.isLessThan(quantity('1'))")),
          Map.entry("semver_compare_to", List.of("v.compareTo(semver('1.2.3')) == 0")),
          Map.entry("semver_is_greater_than", List.of("v.isGreaterThan(semver('1.2.3-rc.0'))")),
          Map.entry("semver_is_less_than", List.of("v.isLessThan(semver('1.2.3+b'))")),
          Map.entry("semver_major", List.of("v.major() == 1")),
          Map.entry("semver_minor", List.of("v.minor() == 2")),
          Map.entry("semver_patch", List.of("v.patch() == 3")));

  private static List<String> sums(String sum) {
    return List.of(sum + " == quantity('2')", "sign(" + sum + ") == 1", sum + ".isInteger()");
  }

  @Test
  void everyFunctionOfQuantitiesAndVersionsIsAsked() {
    List<String> takingThem =
        Functions.all().values().stream()
            .flatMap(function -> function.overloads().stream())
            .filter(
                overload ->
                    overload.parameters().contains(QuantityValue.TYPE)
                        || overload.parameters().contains(SemVerValue.TYPE))
            .map(Functions.Overload::id)
            .toList();
    assertThat(QUESTIONS.keySet()).containsExactlyInAnyOrderElementsOf(takingThem);
  }

  @Test
  void thatANumberIsHeldAsAnIntegerIsAllThatFunctionsSeeBeyondEquality() {
    Map<String, TreeSet<String>> seen = new TreeMap<>();
    QUESTIONS.forEach(
        (overload, questions) -> {
          String type = overload.startsWith("semver") ? "semver" : "quantity";
          for (List<String> equal : type.equals("semver") ? VERSIONS : QUANTITIES) {
            for (String question : questions) {
              long answers =
                  equal.stream().map(text -> ask(question, type, text)).distinct().count();
              if (answers > 1) {
                seen.computeIfAbsent(overload, any -> new TreeSet<>()).add(question);
              }
            }
          }
        });
    assertThat(seen.keySet())
        .containsExactly(
            "quantity_add",
            "quantity_add_int",
            "quantity_get_float",
            "quantity_get_int",
            "quantity_is_integer",
            "quantity_sub",
            "quantity_sub_int");
    assertThat(seen.get("quantity_add")).containsExactly("v.add(quantity('1')).isInteger()");
  }

  /** Functions of any type, macros and operators, of which v is an argument. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "v == quantity('1')",
        "v != quantity('1.0')",
        "v in [quantity('1'), quantity('80Gi')]",
        "[v, quantity('1')].exists_one(x, x == v)",
        "[v].exists(x, x == quantity('1000m'))",
        "type(v) == type(quantity('1'))",
        "dyn(v) == quantity('1')",
        "optional.of(v) == optional.of(quantity('1'))",
        "{'a': v} == {'a': quantity('1')}",
        "cel.bind(x, v, x == quantity('1'))",
        "[v].indexOf(quantity('1')) == 0",
      })
  void functionsOfAnyTypeSeeEqualQuantitiesAlike(String question) {
    for (List<String> equal : QUANTITIES) {
      assertThat(equal.stream().map(text -> ask(question, "quantity", text)).distinct())
          .as(equal.toString())
          .hasSize(1);
    }
  }

  private static String ask(String question, String type, String text) {
    String value = type + "('" + text + "')";
    try {
      CelEvaluation answer =
          SELECTORS.compileSelector(question.replaceAll("\\bv\\b", value)).evaluate("drv", DEVICE);
      return answer.failed() ? "error" : String.valueOf(answer.matches());
    } catch (SelectorException e) {
      throw new AssertionError(question, e);
    }
  }

  @Test
  void theWaysOfWritingAreEqualAndAsWrittenTheyAreNot() {
    for (List<String> equal : QUANTITIES) {
      List<Quantity> values = equal.stream().map(Quantity::parse).toList();
      assertThat(values.stream().distinct()).hasSize(1);
      assertThat(values.stream().map(Quantity.Written::new).collect(Collectors.toSet()))
          .hasSizeGreaterThan(1);
    }
    for (List<String> equal : VERSIONS) {
      Stream<SemVer> values = equal.stream().map(SemVer::parse);
      assertThat(values.distinct()).hasSize(1);
    }
  }
}
