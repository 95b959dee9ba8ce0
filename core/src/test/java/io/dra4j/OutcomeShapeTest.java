package io.dra4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.inventory.HoldOutcome;
import io.dra4j.placement.gang.GangOutcome;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome;
import io.dra4j.scheduling.reservation.ReservationOutcome;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes have one shape: a record for each kind, and a fold over all of them. */
class OutcomeShapeTest {

  private static final Map<Class<?>, Object> EMPTY = new HashMap<>();

  static {
    EMPTY.put(String.class, "");
    EMPTY.put(List.class, List.of());
    EMPTY.put(Optional.class, Optional.empty());
    EMPTY.put(double.class, 0.0);
    EMPTY.put(boolean.class, false);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        AllocationOutcome.class,
        DefragmentationOutcome.class,
        GangOutcome.class,
        HoldOutcome.class,
        PodOutcome.class,
        ReservationOutcome.class
      })
  void eachKindReachesItsFunction(Class<?> outcome) throws Exception {
    Method fold =
        Arrays.stream(outcome.getMethods())
            .filter(method -> method.getName().equals("fold"))
            .findFirst()
            .orElseThrow();
    List<Class<?>> kinds =
        Arrays.stream(fold.getGenericParameterTypes())
            .<Class<?>>map(type -> (Class<?>) argument((ParameterizedType) type))
            .toList();
    Object[] functions =
        kinds.stream().map(kind -> (Function<Object, Object>) given -> kind).toArray();

    assertThat(kinds).containsExactlyInAnyOrder(outcome.getPermittedSubclasses());
    for (Class<?> kind : kinds) {
      assertThat(fold.invoke(example(kind), functions)).isEqualTo(kind);
    }
  }

  private static java.lang.reflect.Type argument(ParameterizedType function) {
    return function.getActualTypeArguments()[0];
  }

  /** A record with nothing in it: only its type counts. */
  private static Object example(Class<?> kind) throws Exception {
    RecordComponent[] components = kind.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Constructor<?> canonical = kind.getDeclaredConstructor(types);
    @Nullable Object[] values = Arrays.stream(types).map(EMPTY::get).toArray();
    return canonical.newInstance(values);
  }
}
