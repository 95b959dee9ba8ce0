package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorExplanationTest {

  private static final String DRIVER = "gpu.nvidia.com";

  private static final Device GPU =
      Device.named("gpu-0")
          .attribute("type", "gpu")
          .attribute("productName", "NVIDIA H100 80GB HBM3")
          .attribute("index", 3)
          .attribute("mig", false)
          .attribute("driverVersion", new DeviceAttribute.VersionValue("550.54.14"))
          .attribute("resource.kubernetes.io/pcieRoot", "pci0000:8c")
          .capacity("memory", "81559Mi")
          .build();

  private static final CelSelectors SELECTORS = CelSelectors.create();

  private static SelectorExplanation explain(String expression) throws Exception {
    return SELECTORS.explain(expression, DRIVER, GPU, Budget.unlimited());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # A wrong domain, and one in the plural
          device.attributes["nvidia.com"].productName == "x"       | error: this device has no attributes in the domain "nvidia.com": write device.attributes["gpu.nvidia.com"].productName
          device.attributes["gpus.nvidia.com"].productName == "x"  | error: this device has no attributes in the domain "gpus.nvidia.com": write device.attributes["gpu.nvidia.com"].productName
          device.attributes["gpus.nvidia.com"].kind == "x"         | error: this device has no attributes in the domain "gpus.nvidia.com": did you mean device.attributes["gpu.nvidia.com"].kind
          # Capacity and attribute
          device.attributes["gpu.nvidia.com"].memory == "80Gi"     | error: "memory" is a capacity, not an attribute, of this device: write device.capacity["gpu.nvidia.com"].memory
          has(device.attributes["gpu.nvidia.com"].memory)          | false: "memory" is a capacity, not an attribute, of this device: write device.capacity["gpu.nvidia.com"].memory
          device.capacity["gpu.nvidia.com"].type == "gpu"          | refused: "type" is an attribute, not a capacity, of this device: write device.attributes["gpu.nvidia.com"].type
          # Unqualified names
          productName == "x"                                       | refused: productName is an attribute of this device and must be qualified: write device.attributes["gpu.nvidia.com"].productName
          device.attributes["productName"] == "x"                  | refused: "productName" is in the place of the domain: write device.attributes["gpu.nvidia.com"].productName
          device.attributes.productName == "x"                     | refused: "productName" is in the place of the domain: write device.attributes["gpu.nvidia.com"].productName
          device.attributes["gpu.nvidia.com/type"] == "gpu"        | refused: "gpu.nvidia.com/type" has the domain and the name in one key: write device.attributes["gpu.nvidia.com"].type
          device.attributes["gpu.nvidia.com"].pcieRoot == "x"      | error: this device has no attribute "pcieRoot" in the domain "gpu.nvidia.com": write device.attributes["resource.kubernetes.io"].pcieRoot
          attributes["gpu.nvidia.com"].type == "gpu"               | refused: attributes is a part of the device: write device.attributes
          # Versions and other types
          device.attributes["gpu.nvidia.com"].driverVersion == "550.54.14"          | error: device.attributes["gpu.nvidia.com"].driverVersion is a version, semver("550.54.14"), not a string: compare it with semver("550.54.14")
          device.attributes["gpu.nvidia.com"].driverVersion >= "550.54"             | error: device.attributes["gpu.nvidia.com"].driverVersion is a version, semver("550.54.14"), not a string: write device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("550.54.0")) >= 0
          "550.54.0" < device.attributes["gpu.nvidia.com"].driverVersion            | error: device.attributes["gpu.nvidia.com"].driverVersion is a version, semver("550.54.14"), not a string: write device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("550.54.0")) > 0
          device.capacity["gpu.nvidia.com"].memory != 40                            | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40")) != 0
          device.attributes["gpu.nvidia.com"].driverVersion.startsWith("550")       | error: device.attributes["gpu.nvidia.com"].driverVersion is a version, semver("550.54.14"), not a string: startsWith is a function of strings; compare versions with compareTo, isLessThan, isGreaterThan, major(), minor() or patch()
          device.attributes["gpu.nvidia.com"].index == "3"                          | false: device.attributes["gpu.nvidia.com"].index is a number, 3, and is compared with a text, "3": they are never equal
          device.attributes["gpu.nvidia.com"].mig in ["true"]                       | false: device.attributes["gpu.nvidia.com"].mig is a Boolean, false, and is compared with a text, "true": they are never equal
          device.capacity["gpu.nvidia.com"].memory >= "40Gi"                        | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0
          device.capacity["gpu.nvidia.com"].memory.isLessThan("40Gi")               | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): write device.capacity["gpu.nvidia.com"].memory.isLessThan(quantity("40Gi"))
          device.capacity["gpu.nvidia.com"].memory.isGreaterThan("40Gi")            | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): write device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("40Gi"))
          device.capacity["gpu.nvidia.com"].memory.compareTo("40Gi") >= 0           | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0
          device.capacity["gpu.nvidia.com"].memory.compareTo("40Gi") < 1            | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): write device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) < 1
          device.capacity["gpu.nvidia.com"].memory.startsWith("40")                 | refused: device.capacity["gpu.nvidia.com"].memory is a quantity, quantity("81559Mi"): startsWith is a function of strings; compare quantities with compareTo, isLessThan or isGreaterThan
          device.attributes["gpu.nvidia.com"].driverVersion.isLessThan("560.0.0")   | refused: device.attributes["gpu.nvidia.com"].driverVersion is a version, semver("550.54.14"), not a string: write device.attributes["gpu.nvidia.com"].driverVersion.isLessThan(semver("560.0.0"))
          # Slips of the pen
          device.attributes["gpu.nvidia.com"].productname == "x"   | error: this device has no attribute "productname" in the domain "gpu.nvidia.com": did you mean device.attributes["gpu.nvidia.com"].productName
          "Type" in device.attributes["gpu.nvidia.com"]            | false: this device has no attribute "Type" in the domain "gpu.nvidia.com": did you mean device.attributes["gpu.nvidia.com"].type
          # No mistake: what decides, with what it reads
          device.attributes["gpu.nvidia.com"].index > 5            | false: device.attributes["gpu.nvidia.com"].index > 5, where device.attributes["gpu.nvidia.com"].index is 3
          device.driver == "gpu.nvidia.com"                        | true: device.driver == "gpu.nvidia.com", where device.driver is "gpu.nvidia.com"
          device.driver == "gpus.nvidia.com"                       | false: device.driver == "gpus.nvidia.com", where device.driver is "gpu.nvidia.com"
          device.driver.startsWith("nic")                          | false: device.driver.startsWith("nic"), where device.driver is "gpu.nvidia.com"
          # Names that are no variables, fields or keys
          device.productName == "x"                                | refused: productName is an attribute of this device and must be qualified: write device.attributes["gpu.nvidia.com"].productName
          device.memory.compareTo(quantity("1Gi")) > 0             | refused: memory is a capacity of this device and must be qualified: write device.capacity["gpu.nvidia.com"].memory
          "productName" in device.attributes                       | false: "productName" is in the place of the domain: write device.attributes["gpu.nvidia.com"].productName
          "gpus.nvidia.com" in device.attributes                   | false: this device has no attributes in the domain "gpus.nvidia.com": did you mean device.attributes["gpu.nvidia.com"]
          "memory" in device.capacity                              | false: "memory" is in the place of the domain: write device.capacity["gpu.nvidia.com"].memory
          device.Driver == "gpu.nvidia.com"                        | refused: a device has no field Driver: write device.driver
          device.attribute["gpu.nvidia.com"].type == "gpu"         | refused: a device has no field attribute: write device.attributes
          device.capacities["gpu.nvidia.com"].memory.sign() > 0    | refused: a device has no field capacities: write device.capacity
          device.attributes[gpu.nvidia.com].type == "gpu"          | refused: a domain must be a string in quotes: write "gpu.nvidia.com"
          device.capacity[gpu.nvidia.com].memory.sign() > 0        | refused: a domain must be a string in quotes: write "gpu.nvidia.com"
          # Amounts that are no texts
          device.capacity["gpu.nvidia.com"].memory > 40Gi          | refused: CEL writes quantity("40Gi") for 40Gi
          device.capacity["gpu.nvidia.com"].memory.isGreaterThan(40GB) | refused: CEL writes quantity("40G") for 40GB: write device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("40G"))
          40.5Gi < device.capacity["gpu.nvidia.com"].memory        | refused: CEL writes quantity("40.5Gi") for 40.5Gi
          # Operators and functions of other languages
          device.attributes["gpu.nvidia.com"].type not in ["mig"]  | refused: CEL writes !(... in ...) for not in: write !(device.attributes["gpu.nvidia.com"].type in ["mig"])
          (device.driver NOT IN ["a", "b"]) && true                | refused: CEL writes !(... in ...) for not in, in for IN: write (!(device.driver in ["a", "b"])) && true
          true and device.driver not in ["a"] and true             | refused: CEL writes && for and, !(... in ...) for not in: write true && !(device.driver in ["a"]) && true
          device.attributes["gpu.nvidia.com"].type is "gpu"        | refused: CEL writes == for is: write device.attributes["gpu.nvidia.com"].type == "gpu"
          device.driver =~ 'gpu[.].*'                              | refused: CEL writes matches() for =~: write device.driver.matches('gpu[.].*')
          device.driver.startswith("gpu")                          | refused: CEL writes startsWith for startswith: write device.driver.startsWith("gpu")
          device.driver.hasSuffix(".com")                          | refused: CEL writes endsWith for hasSuffix: write device.driver.endsWith(".com")
          device.driver.toLower() == "gpu.nvidia.com"              | refused: CEL writes lowerAscii for toLower: write device.driver.lowerAscii() == "gpu.nvidia.com"
          len(device.driver) > 3                                   | refused: CEL writes size for len: write size(device.driver) > 3
          device.driver.length() > 3                               | refused: CEL writes size for length: write device.driver.size() > 3
          device.driver == "gpu.nvidia.com" # a note               | refused: CEL writes // for #: write device.driver == "gpu.nvidia.com" // a note
          device.driver.contains("not in =~ # x") = true           | refused: CEL writes == for =: write device.driver.contains("not in =~ # x") == true
          # A mistake that makes it true is told after what decides
          !("gpus.nvidia.com" in device.attributes)                | true: !("gpus.nvidia.com" in device.attributes)
          """)
  void theFirstLineNamesTheMistake(String expression, String summary) throws Exception {
    assertThat(explain(expression).summary()).isEqualTo(summary);
  }

  @Test
  void whatIsTrueByMistakeSaysSo() throws Exception {
    assertThat(explain("!has(device.attributes['gpus.nvidia.com'].mig)").lines())
        .contains(
            "also: this device has no attributes in the domain \"gpus.nvidia.com\": write"
                + " device.attributes[\"gpu.nvidia.com\"].mig");
    assertThat(explain("!has(device.attributes['gpu.nvidia.com'].virtual)").hints()).isEmpty();
    assertThat(explain("true || device.attributes['gpus.nvidia.com'].mig").hints()).isEmpty();
  }

  @Test
  void theFirstLineIsBounded() throws Exception {
    assertThat(explain("device.driver == '" + "x".repeat(10_000) + "'").summary())
        .hasSize(1_000)
        .endsWith("…");
  }

  /**
   * A search by a regular expression that takes stack for each character would end with an error.
   */
  @ParameterizedTest
  @ValueSource(strings = {"'", "\"", "r'", "b\"", "\"\"\"", "`"})
  void aLongTextIsNoObstacleToHints(String begin) throws Exception {
    String text = begin + "x\\n".repeat(3_000) + begin.replaceAll("[rb]", "");
    assertThat(explain("device.driver and device.driver != " + text).summary())
        .startsWith("refused: ");
  }

  @Test
  void conditionsAreAnsweredOneByOne() throws Exception {
    SelectorExplanation said =
        explain(
            "device.driver == 'gpu.nvidia.com' && (device.attributes['gpu.nvidia.com'].index > 5"
                + " || device.attributes['gpu.nvidia.com'].type == 'mig, (no gpu)')");
    assertThat(said.lines())
        .containsExactly(
            "false: device.attributes['gpu.nvidia.com'].index > 5, where"
                + " device.attributes[\"gpu.nvidia.com\"].index is 3",
            "  * false   device.driver == 'gpu.nvidia.com' &&"
                + " (device.attributes['gpu.nvidia.com'].index > 5"
                + " || device.attributes['gpu.nvidia.com'].type == 'mig, (no gpu)')",
            "      true    device.driver == 'gpu.nvidia.com'",
            "                device.driver = \"gpu.nvidia.com\"",
            "    * false   device.attributes['gpu.nvidia.com'].index > 5"
                + " || device.attributes['gpu.nvidia.com'].type == 'mig, (no gpu)'",
            "      * false   device.attributes['gpu.nvidia.com'].index > 5",
            "                  device.attributes[\"gpu.nvidia.com\"].index = 3",
            "      * false   device.attributes['gpu.nvidia.com'].type == 'mig, (no gpu)'",
            "                  device.attributes[\"gpu.nvidia.com\"].type = \"gpu\"");
  }

  @Test
  void bindingsAreLookedThrough() throws Exception {
    Clause clause =
        explain(
                "cel.bind(a, device.attributes['gpu.nvidia.com'], // the GPU's\n"
                    + "  a.type == 'gpu' && a.index >= 8 && a.gone == 1)")
            .expression();
    assertThat(clause.verdict()).isEqualTo(Verdict.FALSE);
    assertThat(clause.parts())
        .extracting(Clause::text, Clause::verdict, Clause::decides)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a.type == 'gpu'", Verdict.TRUE, false),
            org.assertj.core.groups.Tuple.tuple("a.index >= 8", Verdict.FALSE, true),
            org.assertj.core.groups.Tuple.tuple("a.gone == 1", Verdict.ERROR, false));
    assertThat(clause.parts().get(1).readings())
        .containsExactly(
            new SelectorExplanation.Reading("device.attributes[\"gpu.nvidia.com\"].index", "3"));
  }

  @Test
  void aFalseConditionDecidesBeforeAnErrorAndATrueOneToo() throws Exception {
    String error = "device.attributes['gpu.nvidia.com'].gone == 1";
    assertThat(explain(error + " && false").expression().parts())
        .extracting(Clause::decides)
        .containsExactly(false, true);
    assertThat(explain(error + " || true").expression().verdict()).isEqualTo(Verdict.TRUE);
    assertThat(explain(error + " || false").expression().parts())
        .extracting(Clause::decides)
        .containsExactly(true, false);
  }

  @Test
  void ofADeviceThatMatchesOnlyWhatDecidesIsHintedAt() throws Exception {
    SelectorExplanation said =
        explain(
            "!has(device.attributes['gpu.nvidia.com'].memory)"
                + " || device.attributes['x'].y == 'z'");
    assertThat(said.expression().verdict()).isEqualTo(Verdict.TRUE);
    assertThat(said.hints()).singleElement().asString().startsWith("\"memory\" is a capacity");
  }

  @Test
  void whatCostsTooMuchAsAWholeIsSaidOfTheWhole() throws Exception {
    String loops = "lists.range(700).all(x, lists.range(700).all(y, x + y >= 0))";
    Clause clause = explain(loops + " && " + loops).expression();
    assertThat(clause.verdict()).isEqualTo(Verdict.ERROR);
    assertThat(clause.error()).contains("cost limit");
    assertThat(clause.text()).contains("&&");
  }

  @Test
  void theAnswerIsThatOfTheSelectorHoweverItIsWritten() throws Exception {
    List<String> conditions =
        List.of(
            "true",
            "(false)",
            "device.attributes['a'].b == 1",
            "device.driver != ''",
            "((device.attributes['gpu.nvidia.com'].index) == 3)",
            "r'\\d && (' != '''a && ('b'''.trim()",
            "cel.bind(x, 3, x == 3 && (x > 4 || x < 4))",
            "[1, 2].exists(i, i == 2 && i > 1)",
            "(true ? true && false : false || true)");
    for (String a : conditions) {
      for (String b : conditions) {
        for (String join :
            List.of(
                "%s && %s", "%s || %s", "(%s) && (%s || false)", "(%s || %s) && true && true")) {
          String expression = join.formatted(a, b);
          CelEvaluation answer = SELECTORS.compileSelector(expression).evaluate(DRIVER, GPU);
          Clause said = explain(expression).expression();
          assertThat(said.verdict())
              .as(expression)
              .isEqualTo(
                  answer.failed()
                      ? Verdict.ERROR
                      : answer.matches() ? Verdict.TRUE : Verdict.FALSE);
          assertThat(said.parts()).as(expression).isNotEmpty();
          assertThat(leaves(said).map(Clause::text)).as(expression).allMatch(expression::contains);
        }
      }
    }
  }

  private static Stream<Clause> leaves(Clause clause) {
    return clause.parts().isEmpty()
        ? Stream.of(clause)
        : clause.parts().stream().flatMap(SelectorExplanationTest::leaves);
  }
}
