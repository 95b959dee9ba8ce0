package io.dra4j.spi.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.common.PrintableText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts JSON to records. Reports a problem and returns null for values it cannot convert. */
final class RecordReader {

  private final Map<Class<?>, Function<String, ?>> texts;
  private final List<ConfigurationProblem> problems;

  RecordReader(Map<Class<?>, Function<String, ?>> texts, List<ConfigurationProblem> problems) {
    this.texts = texts;
    this.problems = problems;
  }

  @Nullable Object read(JsonNode node, Type type, String at) {
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        return list(node, of[0], at);
      }
      if (generic.getRawType() == Map.class && of[0] == String.class) {
        return map(node, of[1], at);
      }
    }
    if (!(type instanceof Class<?> raw)) {
      throw new IllegalArgumentException("cannot read " + type + " from JSON");
    }
    Function<String, ?> parse = texts.get(raw);
    if (parse != null) {
      return node.isTextual() ? parsed(node.textValue(), parse, at) : wrong(node, "a string", at);
    }
    if (raw.isRecord()) {
      return node.isObject() ? object(node, raw, at) : wrong(node, "an object", at);
    }
    if (raw.isEnum()) {
      return constant(node, raw, at);
    }
    return JsonNode.class == raw ? node : scalar(node, raw, at);
  }

  private @Nullable Object scalar(JsonNode node, Class<?> type, String at) {
    if (type == String.class) {
      return node.isTextual() ? node.textValue() : wrong(node, "a string", at);
    }
    if (type == boolean.class || type == Boolean.class) {
      return node.isBoolean() ? node.booleanValue() : wrong(node, "true or false", at);
    }
    if (type == double.class || type == Double.class) {
      return node.isNumber() ? node.doubleValue() : wrong(node, "a number", at);
    }
    if (type == int.class || type == Integer.class) {
      return node.isIntegralNumber() && node.canConvertToInt()
          ? node.intValue()
          : wrong(node, "an integer of 32 bits", at);
    }
    if (type == long.class || type == Long.class) {
      return node.isIntegralNumber() && node.canConvertToLong()
          ? node.longValue()
          : wrong(node, "an integer of 64 bits", at);
    }
    throw new IllegalArgumentException("cannot read " + type.getName() + " from JSON");
  }

  private @Nullable Object constant(JsonNode node, Class<?> type, String at) {
    Object[] constants = type.getEnumConstants();
    if (node.isTextual() && constants != null) {
      for (Object constant : constants) {
        if (constant.toString().equals(node.textValue())) {
          return constant;
        }
      }
    }
    return wrong(node, "one of " + Arrays.toString(constants), at);
  }

  private @Nullable Object list(JsonNode node, Type of, String at) {
    if (!node.isArray()) {
      return wrong(node, "a list", at);
    }
    List<Object> values = new ArrayList<>();
    for (JsonNode element : node) {
      Object value = read(element, of, at + "/" + values.size());
      values.add(value == null ? node : value); // a problem is reported; the list is not used
    }
    return Collections.unmodifiableList(values);
  }

  private @Nullable Object map(JsonNode node, Type of, String at) {
    if (!node.isObject()) {
      return wrong(node, "an object", at);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      Object value = read(field.getValue(), of, at + "/" + JsonTree.escaped(field.getKey()));
      if (value != null) {
        values.put(field.getKey(), value);
      }
    }
    return Collections.unmodifiableMap(values);
  }

  private @Nullable Object object(JsonNode node, Class<?> type, String at) {
    int problemsBefore = problems.size();
    RecordComponent[] components = type.getRecordComponents();
    Map<String, RecordComponent> byName = new LinkedHashMap<>();
    for (RecordComponent component : components) {
      byName.put(nameOf(component), component);
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!byName.containsKey(name)) {
        report(
            at + "/" + JsonTree.escaped(name),
            "is not a known field; known are "
                + byName.keySet().stream().sorted().collect(Collectors.joining(", ")));
      }
    }
    List<@Nullable Object> values = new ArrayList<>();
    byName.forEach(
        (name, component) -> values.add(component(node.get(name), component, at + "/" + name)));
    return problems.size() > problemsBefore ? null : made(type, components, values, at);
  }

  private @Nullable Object component(
      @Nullable JsonNode node, RecordComponent component, String at) {
    if (node != null && !node.isNull()) {
      return read(node, component.getGenericType(), at);
    }
    JsonField field = component.getAnnotation(JsonField.class);
    if (component.getType().isPrimitive() || (field != null && field.required())) {
      report(at, "is missing");
      return null;
    }
    if (component.getType() == List.class) {
      return List.of();
    }
    return component.getType() == Map.class ? Map.of() : null;
  }

  private @Nullable Object made(
      Class<?> type, RecordComponent[] components, List<@Nullable Object> values, String at) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException bad) {
        report(at, String.valueOf(bad.getMessage()));
        return null;
      }
      throw new IllegalArgumentException("the constructor of " + type.getName(), e.getCause());
    } catch (InaccessibleObjectException e) {
      throw new IllegalArgumentException(
          "%s is not accessible: its package must be opened to io.dra4j.spi"
              .formatted(type.getName()),
          e);
    } catch (ReflectiveOperationException e) { // a record has its canonical constructor
      throw new IllegalArgumentException(type.getName() + " cannot be created", e);
    }
  }

  private @Nullable Object parsed(String text, Function<String, ?> parse, String at) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      report(at, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static String nameOf(RecordComponent component) {
    JsonField field = component.getAnnotation(JsonField.class);
    return field == null || field.value().isEmpty() ? component.getName() : field.value();
  }

  private @Nullable Object wrong(JsonNode node, String wanted, String at) {
    report(at, "is %s; expected %s".formatted(PrintableText.start(node.toString(), 60), wanted));
    return null;
  }

  private void report(String at, String problem) {
    problems.add(new ConfigurationProblem(at, problem));
  }
}
