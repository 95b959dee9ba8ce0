package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.SelectorException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerivedAttributesTest {

  private static final CelSelectors SELECTORS = CelSelectors.create();

  private static final Device DEVICE =
      Device.named("device-0")
          .attribute("d/s", "a.b")
          .attribute("d/v", DeviceAttribute.version("1.2.3+x"))
          .attribute("d/ss", DeviceAttribute.strings("x", "y"))
          .build();

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of("device.attributes['d'].s", DeviceAttribute.of("a.b")),
        Arguments.of("device.attributes['d'].s.split('.')[0]", DeviceAttribute.of("a")),
        Arguments.of("device.attributes['d'].s.split('.')", DeviceAttribute.strings("a", "b")),
        Arguments.of("device.attributes['d'].ss", DeviceAttribute.strings("x", "y")),
        Arguments.of("device.attributes['d'].v", DeviceAttribute.version("1.2.3+x")),
        Arguments.of("semver('v1', true)", DeviceAttribute.version("1.0.0")),
        Arguments.of("[semver('1.0.0')]", new DeviceAttribute.VersionValues(List.of("1.0.0"))),
        Arguments.of("1 + 1", DeviceAttribute.of(2)),
        Arguments.of("[1, 2]", DeviceAttribute.ints(1L, 2L)),
        Arguments.of("device.driver == 'drv'", DeviceAttribute.of(true)),
        Arguments.of("[true]", new DeviceAttribute.BoolValues(List.of(true))),
        Arguments.of("[]", DeviceAttribute.strings()),
        Arguments.of("dyn(optional.of(optional.of('a')))", DeviceAttribute.of("a")),
        Arguments.of("[dyn(optional.of(1)), dyn(2)]", DeviceAttribute.ints(1L, 2L)),
        Arguments.of("dyn(type('a'))", DeviceAttribute.of("string")),
        Arguments.of("[dyn(int), dyn('a')]", DeviceAttribute.strings("int", "a")),
        Arguments.of("google.protobuf.Int64Value{value: 3}", DeviceAttribute.of(3)),
        Arguments.of("[google.protobuf.StringValue{value: 'a'}]", DeviceAttribute.strings("a")),
        Arguments.of("google.protobuf.ListValue{values: ['a']}", DeviceAttribute.strings("a")),
        Arguments.of("google.protobuf.Value{bool_value: true}", DeviceAttribute.of(true)),
        Arguments.of("[1].filter(i, i > 1)", DeviceAttribute.strings()));
  }

  @ParameterizedTest
  @MethodSource("values")
  void anExpressionGivesAnAttribute(String expression, DeviceAttribute value) throws Exception {
    assertThat(SELECTORS.compileAttribute(expression).evaluate("drv", DEVICE)).isEqualTo(value);
  }

  @Test
  void aListThatDoublesAgainAndAgainIsNoAttribute() throws Exception {
    String list = "[1]";
    for (int i = 0; i < 40; i++) {
      list = "cel.bind(l" + i + ", " + list + ", l" + i + " + l" + i + ")";
    }
    var attribute = SELECTORS.compileAttribute(list);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> attribute.evaluate("drv", DEVICE))
        .withMessage("the result is a list of more than 250000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.0",
        "1u",
        "null",
        "{'a': 1}",
        "[1.0]",
        "[[1]]",
        "optional.of(1)",
        "quantity('1')",
        "duration('1s')",
        "google.protobuf.DoubleValue{}",
        "google.protobuf.Struct{}",
        "google.protobuf.Empty{}",
        "device",
        "device.attributes['d']"
      })
  void aTypeThatNoAttributeHasIsRefused(String expression) {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileAttribute(expression))
        .withMessageStartingWith("must evaluate to a primitive scalar");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dyn(1.0)",
        "dyn({'a': 1})",
        "[dyn(1), dyn('a')]",
        "[dyn(1.0)]",
        "dyn(null)",
        "dyn(optional.none())",
        "dyn(optional.of([1]))",
        "[dyn(optional.none())]",
        "google.protobuf.Value{number_value: 1.0}",
        "google.protobuf.Any{type_url: 'google.protobuf.Empty'}",
        "device.attributes['d'].missing"
      })
  void aValueThatNoAttributeHasIsAnError(String expression) throws Exception {
    var attribute = SELECTORS.compileAttribute(expression);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> attribute.evaluate("drv", DEVICE));
  }
}
