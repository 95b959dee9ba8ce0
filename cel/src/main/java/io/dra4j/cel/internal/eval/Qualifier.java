package io.dra4j.cel.internal.eval;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.NullValue;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.value.ConcatenatedList;
import io.dra4j.cel.internal.value.Equality;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.Message;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A step of a path ({@code .b}, {@code ["a"]}) at cost 1, after cel-go's {@code attributes.go}. */
public final class Qualifier {

  private static final EvalError BAD_KEY = new EvalError("invalid qualifier type");

  /** Only null is allowed where a message is declared. */
  private static final EvalError NO_MESSAGE =
      new EvalError("unsupported field selection target: (structpb.NullValue)NULL_VALUE");

  /** The variable itself as a key, which cel-go 0.29 has not converted to a value. */
  static final Node DEVICE_AS_KEY =
      new ValueNodes.Constant(new EvalError("invalid qualifier type: map[string]interface {}"));

  private final @Nullable Object constant;
  private final @Nullable Node computed;
  private final boolean optional;
  private final boolean presenceOnly;
  private final boolean errorOnBadPresence;
  private final @Nullable EvalError missing;

  private Qualifier(
      @Nullable Object constant,
      @Nullable Node computed,
      boolean optional,
      boolean presenceOnly,
      Dialect dialect) {
    this(
        constant,
        computed,
        optional,
        presenceOnly,
        dialect,
        constant == null ? null : new EvalError("no such key: " + Values.goText(constant)));
  }

  private Qualifier(
      @Nullable Object constant,
      @Nullable Node computed,
      boolean optional,
      boolean presenceOnly,
      Dialect dialect,
      @Nullable EvalError missing) {
    this.constant = constant;
    this.computed = computed;
    this.optional = optional;
    this.presenceOnly = presenceOnly;
    this.errorOnBadPresence = dialect.errorOnBadPresence();
    this.missing = missing;
  }

  /** Returns a field or key known from the start. */
  static Qualifier constant(Object key, boolean optional, Dialect dialect) {
    return new Qualifier(key, null, optional, false, dialect);
  }

  /** Returns a field of what is declared as a message. */
  static Qualifier field(String name, Dialect dialect) {
    return new Qualifier(name, null, false, false, dialect, NO_MESSAGE);
  }

  /** Returns a key that the expression computes. */
  static Qualifier computed(Node key, boolean optional, Dialect dialect) {
    Node node = dialect.sparesFailures() ? key : key.asKey();
    return new Qualifier(null, node, optional, false, dialect);
  }

  /** The last step inside {@code has()}. */
  static Qualifier presence(String field, Dialect dialect) {
    return new Qualifier(field, null, false, true, dialect);
  }

  boolean isOptional() {
    return optional;
  }

  boolean isPresence() {
    return presenceOnly;
  }

  /** Returns whether it is a field of what is declared as a message. */
  boolean isField() {
    return missing == NO_MESSAGE;
  }

  @Nullable Object constant() {
    return constant;
  }

  /** Takes the step. Returns an error if there is nothing; whether there is for {@code has()}. */
  Object apply(Object target, Frame frame) {
    Object key = key(frame);
    Object result;
    if (key instanceof EvalError) {
      result = key;
    } else {
      result = find(target, key);
      if (presenceOnly) {
        result = result instanceof EvalError ? result : (Object) (result != Values.ABSENT);
      } else if (result == Values.ABSENT) {
        result = missing(target, key);
      }
    }
    frame.charge(1);
    return result;
  }

  /** Takes the step, or returns {@link Values#ABSENT}, which then costs nothing. */
  Object applyIfPresent(Object target, Frame frame) {
    Object key = key(frame);
    Object result = key instanceof EvalError ? key : find(target, key);
    if (result != Values.ABSENT
        && (frame.sparesFailures() || !(result instanceof EvalError))) { // here an error costs more
      frame.charge(1);
    }
    return result;
  }

  private Object key(Frame frame) {
    if (constant != null) {
      return constant;
    }
    Node node = computed;
    Object key = node == null ? BAD_KEY : node.eval(frame);
    if (!(key instanceof Long)) {
      frame.spendOnCall(key); // compared with another text, or written into an error
    }
    return isKey(key) ? key : new EvalError("invalid qualifier type: " + goType(key, frame));
  }

  private static String goType(Object key, Frame frame) {
    return frame.sparesFailures() ? Values.newerGoType(key) : Values.goType(key);
  }

  /** A field of a message as a key, which cel-go 0.29 has not converted to a value, or an error. */
  static Object fieldAsKey(Object field) {
    String type =
        field instanceof NullValue
            ? "structpb.NullValue"
            : field instanceof List ? "*structpb.ListValue" : "*structpb.Struct";
    return isKey(field) ? field : new EvalError("invalid qualifier type: " + type);
  }

  private static boolean isKey(Object value) {
    return value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof EvalError;
  }

  private Object missing(Object target, Object key) {
    if (target instanceof List) {
      return new EvalError("index out of bounds: " + Values.goText(key));
    } else if (target instanceof Message message && key instanceof String field) {
      return message.get(field);
    }
    return missing != null ? missing : new EvalError("no such key: " + Values.goText(key));
  }

  private Object find(Object target, Object key) {
    if (target instanceof MapValue map) {
      Object value = key instanceof String ? map.get(key) : map.defaultValue();
      return value == null ? Values.ABSENT : value;
    } else if (target instanceof Map<?, ?> map) {
      Object value = Equality.find(map, key);
      return value == null ? Values.ABSENT : value;
    } else if (target instanceof List<?> list) {
      return element(list, key);
    } else if (target instanceof Message message) {
      return message.find(key);
    }
    return errorOnBadPresence && !(target instanceof Optional)
        ? new EvalError("no such key: " + Values.goText(key))
        : Values.ABSENT;
  }

  /** Returns an element of a list, an error, or {@link Values#ABSENT}. */
  public static Object element(List<?> list, Object key) {
    long index;
    if (key instanceof Long number) {
      index = number;
    } else if (key instanceof Double number) {
      if (!(number > -0x1p63 && number < 0x1p63) || Math.rint(number) != number) {
        return new EvalError("unsupported index value " + Values.goText(key) + " in list");
      }
      index = number.longValue();
    } else if (key instanceof UnsignedLong number) {
      if (number.longValue() < 0) {
        return new EvalError("unsupported index value " + Values.goText(key) + " in list");
      }
      index = number.longValue();
    } else {
      return new EvalError("unsupported index type '" + Values.typeName(key) + "' in list");
    }
    return index >= 0 && index < Values.size(list)
        ? ConcatenatedList.element(list, index)
        : Values.ABSENT;
  }
}
