package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CelSelectorsTest {

  private static final CelSelectors SELECTORS = CelSelectors.create();

  /** The device of the table. */
  private static Device.Builder device() {
    return Device.named("device-0")
        .attribute("d/s", "abc")
        .attribute("d/i", 3)
        .attribute("d/b", true)
        .attribute("d/v", DeviceAttribute.version("1.2.3-rc.1+b"))
        .attribute("d/ss", DeviceAttribute.strings("x", "y"))
        .attribute("d/ii", DeviceAttribute.ints(3L, 1L, 2L))
        .attribute("d/bb", new DeviceAttribute.BoolValues(List.of(true, false)))
        .attribute("d/vv", new DeviceAttribute.VersionValues(List.of("1.0.0", "2.0.0")))
        .attribute("own", "o")
        .attribute("d/in", 1)
        .attribute("other/z", 0)
        .capacity("mem", "80Gi")
        .capacity("d/n", "1500m")
        .capacity("d/big", "1E");
  }

  /** Outcomes as the module k8s.io/dynamic-resource-allocation v0.37.2 has them. */
  static Stream<Arguments> expressions() throws Exception {
    try (InputStream table = CelSelectorsTest.class.getResourceAsStream("expressions.txt")) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(line -> Arguments.of(line.split(" ", 2)[0], line.split(" ", 2)[1].strip()))
              .toList()
              .stream();
    }
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("expressions")
  void anExpressionHasTheOutcomeOfKubernetes(String outcome, String expression) {
    assertThat(outcome(expression, device().build())).isEqualTo(outcome);
  }

  private static String outcome(String expression, Device device) {
    CompiledSelector selector;
    try {
      selector = SELECTORS.compileSelector(expression);
    } catch (SelectorException e) {
      return "refused";
    }
    try {
      return String.valueOf(selector.matches("drv", device));
    } catch (SelectorException e) {
      return "error";
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true",
        "device.driver == 'drv'",
        "device.attributes['d'].s == 'abc'",
      })
  void everyExpressionFailsOnADeviceWithABrokenAttribute(String expression) throws Exception {
    CompiledSelector selector = SELECTORS.compileSelector(expression);

    Device noValue = device().attribute("d/none", new DeviceAttribute.NoValue()).build();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", noValue))
        .withMessage("attribute d/none: unsupported attribute value");

    Device noVersion = device().attribute("d/w", DeviceAttribute.version("1.2")).build();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", noVersion))
        .withMessageStartingWith("attribute d/w: parse semantic version: ");

    Device noVersions =
        device().attribute("d/w", new DeviceAttribute.VersionValues(List.of("x"))).build();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", noVersions))
        .withMessageStartingWith("attribute d/w: parse semantic version: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "device.capacity['d'].n in {device.capacity['d'].n: 1} | true",
        "device.capacity['d'].n in {device.capacity['drv'].mem: 1} | false",
        "device.capacity['d'] in {device.capacity['d']: 1} | false",
        "device.attributes['d'].ii in {device.attributes['d'].ii: 1} | false",
      })
  void theAnswerDoesNotDependOnHowOftenADeviceWasRead(String expression, boolean answer)
      throws Exception {
    CompiledSelector selector = SELECTORS.compileSelector(expression);
    Device device = device().build();
    for (int i = 0; i < 20; i++) {
      assertThat(selector.matches("drv", device)).isEqualTo(answer);
    }
  }

  @Test
  void aMissingAttributeIsNamed() throws Exception {
    CompiledSelector selector = SELECTORS.compileSelector("device.attributes['d'].zz == 'x'");

    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selector.matches("drv", device().build()))
        .withMessageContaining("no such key: zz");
  }

  @Test
  void aCompileErrorNamesThePlace() {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector("device.name == 'x'"))
        .withMessageContaining("compilation failed: ERROR: <input>:1:7: undefined field 'name'");
  }

  @Test
  void aResultThatIsNoTruthValueNamesItsType() {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector("[1]"))
        .withMessage("must evaluate to bool or the unknown type, not list(int)");
  }

  @Test
  void anUnqualifiedNameBelongsToTheDriver() throws Exception {
    Device device = device().build();
    CompiledSelector selector = SELECTORS.compileSelector("'own' in device.attributes['drv']");

    assertThat(selector.matches("drv", device)).isTrue();
    assertThat(selector.matches("another", device)).isFalse();
    assertThat(selector.matches("drv", device)).isTrue();
  }

  @Test
  void sharingIsVisible() throws Exception {
    CompiledSelector selector = SELECTORS.compileSelector("device.allowMultipleAllocations");

    assertThat(selector.matches("drv", device().build())).isFalse();
    assertThat(selector.matches("drv", device().allowMultipleAllocations().build())).isTrue();
  }

  @Test
  void anExpressionIsCompiledOnce() throws Exception {
    assertThat(SELECTORS.compileSelector("1 < 2")).isSameAs(SELECTORS.compileSelector("1 < 2"));
  }

  @Test
  @SuppressWarnings("NullAway") // what callers without checks may give
  void nullIsNamed() throws SelectorException {
    CelSelectors selectors = CelSelectors.create();
    CelSelector selector = selectors.compileSelector("true");
    Device device = Device.named("d").build();
    Map<String, ThrowingCallable> doors =
        Map.of(
            "expression", () -> selectors.admit(null),
            "driver", () -> selector.matches(null, device),
            "device", () -> selector.evaluate("d", null),
            "budget", () -> selectors.explain("nope", "d", device, null),
            "slices", () -> selectors.lint("true", null, Budget.unlimited()),
            "version", () -> CelEnvironment.stored(null),
            "limit", () -> CelSelectors.builder().timeLimit(null));
    doors.forEach(
        (name, door) ->
            assertThatThrownBy(door).isInstanceOf(NullPointerException.class).hasMessage(name));
  }
}
