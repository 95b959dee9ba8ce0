package io.dra4j.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.topology.PciAddress;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records with many facts: what a builder forgets would be lost on the way from reader to user. */
class BuildersTest {

  private static final Map<Type, Object> VALUES =
      Map.of(
          String.class,
          "x",
          int.class,
          7,
          Integer.class,
          7,
          long.class,
          7L,
          double.class,
          7.0,
          boolean.class,
          true,
          OptionalInt.class,
          OptionalInt.of(7),
          OptionalLong.class,
          OptionalLong.of(7),
          OptionalDouble.class,
          OptionalDouble.of(7),
          PciAddress.class,
          PciAddress.parse("0000:03:00.1"));

  /** A value that is not the one of a new builder. */
  private static Object value(Type type) throws ReflectiveOperationException {
    Object known = VALUES.get(type);
    if (known != null) {
      return known;
    } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return List.of(value(list.getActualTypeArguments()[0]));
    }
    Class<?> record = (Class<?>) type;
    if (record.isEnum()) {
      return record.getEnumConstants()[record.getEnumConstants().length - 1];
    }
    RecordComponent[] components = record.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(components[i].getGenericType());
    }
    Constructor<?> constructor =
        record.getDeclaredConstructor(
            Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    return constructor.newInstance(values);
  }

  @ParameterizedTest
  @ValueSource(classes = {Netdev.class, PciFunction.class, RdmaDevice.class, RdmaPort.class})
  void aBuilderKeepsEverything(Class<?> record) throws ReflectiveOperationException {
    Object full = value(record);
    Object builder = record.getMethod("toBuilder").invoke(full);
    assertThat(builder.getClass().getMethod("build").invoke(builder)).isEqualTo(full);
  }
}
