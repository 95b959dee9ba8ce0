package io.dra4j.netlink.fuzz;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that an object tells when each of its methods without parameters is called. */
final class Facts {

  private static final ClassValue<List<Method>> METHODS =
      new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
          return Arrays.stream(type.getMethods())
              .filter(method -> method.getParameterCount() == 0)
              .filter(method -> !Modifier.isStatic(method.getModifiers()))
              .filter(method -> method.getReturnType() != void.class)
              .filter(method -> !method.getReturnType().isAssignableFrom(type)) // itself
              .filter(method -> method.getDeclaringClass() != Object.class)
              .filter(method -> !method.getName().equals("hashCode"))
              .filter(method -> Modifier.isPublic(method.getDeclaringClass().getModifiers()))
              .sorted(Comparator.comparing(Method::getName))
              .toList();
        }
      };

  private Facts() {}

  /** As text. */
  static String of(Object object) {
    StringBuilder text = new StringBuilder();
    append(object, text);
    return text.toString();
  }

  private static void append(@Nullable Object object, StringBuilder text) {
    if (object instanceof byte[] bytes) {
      text.append(Arrays.toString(bytes));
    } else if (object instanceof Iterable<?> all) {
      text.append('[');
      for (Object one : all) {
        append(one, text);
        text.append(", ");
      }
      text.append(']');
    } else if (object instanceof Map<?, ?> map) {
      append(new TreeMap<>(map).entrySet(), text);
    } else if (object instanceof Map.Entry<?, ?> entry) {
      append(entry.getKey(), text);
      text.append('=');
      append(entry.getValue(), text);
    } else if (object instanceof Optional<?> optional) {
      append(optional.isPresent() ? optional.get() : "-", text);
    } else if (object == null
        || object instanceof Enum
        || !object.getClass().getName().startsWith("io.dra4j.")) {
      text.append(object);
    } else {
      text.append(object.getClass().getSimpleName()).append('{');
      for (Method method : METHODS.get(object.getClass())) {
        text.append(method.getName()).append('=');
        append(call(method, object), text);
        text.append("; ");
      }
      text.append('}');
    }
  }

  private static @Nullable Object call(Method method, Object object) {
    try {
      return method.invoke(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException bug) {
        throw bug; // told apart from others by where it was thrown
      }
      throw new AssertionError(method + " throws " + e.getCause(), e.getCause());
    }
  }
}
