package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeviceAttributeTest {

  static Stream<Arguments> attributes() {
    return Stream.of(
        Arguments.of(DeviceAttribute.of(7), 1, List.of()),
        Arguments.of(DeviceAttribute.of(true), 1, List.of()),
        Arguments.of(DeviceAttribute.of("a"), 1, List.of("a")),
        Arguments.of(DeviceAttribute.version("1.2.3"), 1, List.of("1.2.3")),
        Arguments.of(DeviceAttribute.ints(1L, 2L, 3L), 3, List.of()),
        Arguments.of(new DeviceAttribute.BoolValues(List.of(true, false)), 2, List.of()),
        Arguments.of(DeviceAttribute.strings("a", "b"), 2, List.of("a", "b")),
        Arguments.of(
            new DeviceAttribute.VersionValues(List.of("1.0.0", "2.0.0", "x")),
            3,
            List.of("1.0.0", "2.0.0", "x")),
        Arguments.of(DeviceAttribute.strings(), 0, List.of()),
        Arguments.of(new DeviceAttribute.NoValue(), 1, List.of()));
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void tellsWhatTheApiServerLimits(DeviceAttribute attribute, int values, List<String> texts) {
    assertThat(attribute.valueCount()).isEqualTo(values);
    assertThat(attribute.texts()).isEqualTo(texts);
  }
}
