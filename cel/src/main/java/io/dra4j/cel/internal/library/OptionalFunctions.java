package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.value.Accumulators;
import io.dra4j.cel.internal.value.ConcatenatedList;
import io.dra4j.cel.internal.value.Equality;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.GoValues;
import io.dra4j.cel.internal.value.Limits;
import io.dra4j.cel.internal.value.MapKeys;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.Message;
import io.dra4j.cel.internal.value.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions on optional values, and what the macros over maps call, after cel-go. */
final class OptionalFunctions {

  private static final Class<Optional> OPTIONAL = Optional.class;

  /** The zero of the type Time of Go. */
  private static final Instant ZERO_TIME = Instant.parse("0001-01-01T00:00:00Z");

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      cel.@mapInsert
        @mapInsert_map_key_value (map(K,V), K, V) map(K,V)
        @mapInsert_map_map (map(K,V), map(K,V)) map(K,V)
      first
        list_first list(V).() optional_type(V)
      hasValue
        optional_hasValue optional_type(V).() bool
      last
        list_last list(V).() optional_type(V)
      optional.none
        optional_none () optional_type(V)
      optional.of
        optional_of (V) optional_type(V)
      optional.ofNonZeroValue
        optional_ofNonZeroValue (V) optional_type(V)
      optional.unwrap
        optional_unwrap (list(optional_type(V))) list(V)
      unwrapOpt
        optional_unwrapOpt list(optional_type(V)).() list(V)
      value
        optional_value optional_type(V).() V
      """;

  private OptionalFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    addOptionals(library);
    addInsertions(library, dialect.sparesFailures());
  }

  private static void addOptionals(FunctionLibrary.Builder library) {
    library
        .add(
            "optional_of",
            FunctionCost.ONE,
            Object.class,
            value -> Optional.of(MapKeys.bound(value)))
        .add(
            "optional_ofNonZeroValue",
            FunctionCost.ONE,
            Object.class,
            value -> isZero(value) ? Optional.empty() : Optional.of(MapKeys.bound(value)))
        .add("optional_none", FunctionCost.ONE, ImmutableList.of(), args -> Optional.empty())
        .add("optional_value", FunctionCost.ONE, OPTIONAL, OptionalFunctions::value)
        .add("optional_hasValue", FunctionCost.ONE, OPTIONAL, optional -> optional.isPresent())
        .add("list_first", FunctionCost.ONE, List.class, list -> element(list, 0))
        .add(
            "list_last", FunctionCost.ONE, List.class, list -> element(list, Values.size(list) - 1))
        .addLengthy(
            "optional_unwrap",
            FunctionCost.ONE,
            ImmutableList.of(List.class),
            (args, work) -> unwrap((List<?>) args[0], work))
        .addLengthy(
            "optional_unwrapOpt",
            FunctionCost.ONE,
            ImmutableList.of(List.class),
            (args, work) -> unwrap((List<?>) args[0], work));
  }

  private static void addInsertions(FunctionLibrary.Builder library, boolean newer) {
    library
        .addLengthy(
            "@mapInsert_map_key_value",
            FunctionCost.ONE,
            ImmutableList.of(Map.class, Object.class, Object.class),
            (args, work) -> insert((Map<?, ?>) args[0], args[1], args[2], work))
        .addLengthy(
            "@mapInsert_map_map",
            FunctionCost.ONE,
            ImmutableList.of(Map.class, Map.class),
            (args, work) -> {
              if (newer && beginsWithNan((Map<?, ?>) args[1])) {
                throw new CelInvalidArgumentException("no such overload: cel.@mapInsert(map, map)");
              }
              return insertAll((Map<?, ?>) args[0], (Map<?, ?>) args[1], work);
            });
  }

  private static Object value(Optional<?> optional) {
    if (optional.isEmpty()) {
      throw new CelInvalidArgumentException("optional.none() dereference");
    }
    return optional.get();
  }

  private static Optional<Object> element(List<?> list, long index) {
    return list.isEmpty() ? Optional.empty() : Optional.of(ConcatenatedList.element(list, index));
  }

  private static List<Object> unwrap(List<?> list, EvaluationMeter work) {
    Limits.checkSize(Values.size(list));
    work.spend(list.size());
    work.takes(MemoryCost.ofList(list.size()));
    ImmutableList.Builder<Object> values = ImmutableList.builder();
    for (Object element : list) {
      if (!(element instanceof Optional<?> optional)) {
        throw new CelInvalidArgumentException(
            "value " + GoValues.text(element) + " is not optional");
      }
      optional.ifPresent(values::add);
    }
    return values.build();
  }

  private static boolean isZero(Object value) {
    return value instanceof NullValue
        || value.equals(0L)
        || value.equals(UnsignedLong.ZERO)
        || (value instanceof Double number && number == 0)
        || value.equals(false)
        || value.equals("")
        || value.equals(Duration.ZERO)
        || value.equals(ZERO_TIME)
        || (value instanceof CelByteString bytes && bytes.isEmpty())
        || (value instanceof List<?> list && list.isEmpty())
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof Message message && message.isZero());
  }

  /** Of such a map cel-go cannot get the value by whose type it chooses the overload. */
  private static boolean beginsWithNan(Map<?, ?> map) {
    return !map.isEmpty()
        && map.keySet().iterator().next() instanceof Double key
        && Double.isNaN(key);
  }

  private static Map<?, ?> insertAll(Map<?, ?> target, Map<?, ?> entries, EvaluationMeter work) {
    Map<?, ?> result = target;
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      result = insert(result, entry.getKey(), entry.getValue(), work);
    }
    return result;
  }

  private static Map<?, ?> insert(Map<?, ?> map, Object key, Object value, EvaluationMeter work) {
    work.spendOn(key);
    work.takes(MemoryCost.ENTRY);
    if (Equality.hasKey(map, key)) {
      throw new CelInvalidArgumentException(
          "insert failed: key " + GoValues.text(key) + " already exists");
    }
    if (map instanceof Accumulators.GrowingMap growing) {
      growing.insert(key, value);
      return growing;
    }
    work.spend(map.size());
    work.takes(MemoryCost.ofMap(map.size()));
    MapKeys.AnyMap copy = new MapKeys.AnyMap();
    copy.putAll(map);
    copy.put(key, value);
    return copy;
  }
}
