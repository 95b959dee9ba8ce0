package io.dra4j.cel.internal.eval;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.dra4j.cel.internal.message.WellKnownMessage;
import io.dra4j.cel.internal.value.Accumulators;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.GoValues;
import io.dra4j.cel.internal.value.MapKeys;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.ValueList;
import io.dra4j.cel.internal.value.Values;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Nodes that make values: constants, variables, lists and maps. */
final class ValueNodes {

  private ValueNodes() {}

  /** A literal, or what was computed from literals when the program was made. Costs nothing. */
  static final class Constant extends Node {

    private final Object value;
    private final int truth;

    Constant(Object value) {
      this.value = value;
      this.truth = value instanceof Boolean bool ? (bool ? TRUE : FALSE) : ERROR;
    }

    Object value() {
      return value;
    }

    @Override
    Object eval(Frame frame) {
      return value;
    }

    @Override
    int test(Frame frame) {
      return truth == ERROR ? truth(value, frame) : truth;
    }
  }

  /** The variable of a loop. */
  static final class Local extends Node {

    private final int slot;
    private final int cost;

    Local(int slot) {
      this(slot, 0);
    }

    private Local(int slot, int cost) {
      this.slot = slot;
      this.cost = cost;
    }

    /** Returns the same as a whole expression, which costs 1. */
    Local withCost() {
      return new Local(slot, 1);
    }

    @Override
    Object eval(Frame frame) {
      frame.charge(cost);
      Object value = frame.local(slot);
      return value == null ? new EvalError("no such attribute") : frame.read(value);
    }
  }

  /** The intermediate result of a loop, or a bound variable. Computed at the first read. */
  static final class Accumulator extends Node {

    private final int slot;
    private final Node initial;
    private final boolean grows;
    private final int cost;

    /** A variable; if it {@code grows}, its empty initial list or map is changed, not copied. */
    Accumulator(int slot, Node initial, boolean grows) {
      this(slot, initial, grows, 0);
    }

    private Accumulator(int slot, Node initial, boolean grows, int cost) {
      this.slot = slot;
      this.grows = grows;
      this.initial = initial;
      this.cost = cost;
    }

    /** Returns the same as a whole expression, which costs 1. */
    Accumulator withCost() {
      return new Accumulator(slot, initial, grows, 1);
    }

    int place() {
      return slot;
    }

    @Override
    Object eval(Frame frame) {
      Object value = frame.local(slot);
      if (value == null) {
        value = frame.first(initial, slot);
        Object growable = grows ? Accumulators.growable(value, frame) : MapKeys.bound(value);
        boolean isGrowing = growable != value && Accumulators.isGrowing(growable);
        frame.setLocal(slot + 1, isGrowing ? growable : null);
        frame.setLocal(slot, growable);
        value = growable;
      }
      frame.charge(cost);
      return frame.read(value);
    }
  }

  /** A variable of the surroundings. */
  static final class Variable extends Node {

    private final String name;

    Variable(String name) {
      this.name = name;
    }

    @Override
    Object eval(Frame frame) {
      Object value = frame.variable(name);
      return value == null ? new EvalError("no such attribute(s): " + name) : value;
    }
  }

  /** The variable {@code device} as a whole. */
  static final class WholeDevice extends Node {

    @Override
    Object eval(Frame frame) {
      return frame.device().all(frame);
    }
  }

  /** A list literal. */
  static final class ListLiteral extends Node {

    private static final int COST = 10;

    private final Node[] elements;
    private final boolean[] optional;

    ListLiteral(Node[] elements, boolean[] optional) {
      this.elements = elements;
      this.optional = optional;
    }

    @Override
    Object eval(Frame frame) {
      Object result = list(frame);
      if (frame.endsWith(result)) {
        return result;
      }
      frame.charge((long) COST);
      return result;
    }

    private Object list(Frame frame) {
      Object[] values = new Object[elements.length];
      int size = 0;
      for (int i = 0; i < elements.length; i++) {
        Object value = elements[i].eval(frame);
        if (optional[i]) {
          value = unwrapped(value, () -> "list element", frame);
        }
        if (value instanceof EvalError) {
          return value;
        } else if (value != Values.ABSENT) {
          values[size++] = MapKeys.bound(value);
        }
      }
      frame.takes(MemoryCost.ofList(size));
      // Always a new list, since keys that are lists are equal only to themselves.
      return ValueList.of(size == values.length ? values : Arrays.copyOf(values, size));
    }
  }

  /** What an optional has, {@link Values#ABSENT} or an error for what is none. */
  private static Object unwrapped(Object value, Supplier<String> place, Frame frame) {
    if (value instanceof Optional<?> optional) {
      return optional.isPresent() ? optional.get() : Values.ABSENT;
    } else if (value instanceof EvalError) {
      return value;
    }
    frame.spend(GoValues.UNITS);
    return new EvalError(
        "cannot initialize optional "
            + place.get()
            + " from non-optional value "
            + GoValues.text(value));
  }

  /** A message literal. */
  static final class MessageLiteral extends Node {

    private static final int COST = 40;

    private final String name;
    private final @Nullable WellKnownMessage type;
    private final String[] fields;
    private final Node[] values;
    private final boolean[] optional;

    /** Creates a message; {@code type} is null if only the checker knows the type. */
    MessageLiteral(
        String name,
        @Nullable WellKnownMessage type,
        String[] fields,
        Node[] values,
        boolean[] optional) {
      this.name = name;
      this.type = type;
      this.fields = fields;
      this.values = values;
      this.optional = optional;
    }

    @Override
    Object eval(Frame frame) {
      Map<String, Object> set = new HashMap<>();
      EvalError failed = fill(set, frame);
      if (failed != null && frame.sparesFailures()) {
        return failed;
      }
      Object result = failed == null ? message(set, frame) : failed;
      frame.charge((long) COST);
      return result;
    }

    /** Computes the fields, or returns why one of them failed. */
    private @Nullable EvalError fill(Map<String, Object> set, Frame frame) {
      for (int i = 0; i < values.length; i++) {
        Object value = values[i].eval(frame);
        if (optional[i]) {
          String field = fields[i];
          value = unwrapped(value, () -> "entry '" + field + "'", frame);
        }
        if (value instanceof EvalError error) {
          return error;
        } else if (value == Values.ABSENT) {
          set.remove(fields[i]);
        } else {
          set.put(fields[i], value);
        }
      }
      return null;
    }

    private Object message(Map<String, Object> set, Frame frame) {
      if (type == null) {
        return new EvalError("unknown type '" + name + "'");
      }
      try {
        return type.make(set, frame);
      } catch (CelInvalidArgumentException e) {
        frame.spend(GoValues.UNITS);
        return new EvalError(String.valueOf(e.getMessage()));
      }
    }
  }

  /** A map literal. */
  static final class MapLiteral extends Node {

    private static final int COST = 30;

    private final Node[] keys;
    private final Node[] values;
    private final boolean[] optional;
    private final boolean strict;

    /** Creates a map; if {@code strict}, it fails on keys that the specification does not allow. */
    MapLiteral(Node[] keys, Node[] values, boolean[] optional, boolean strict) {
      this.keys = keys;
      this.values = values;
      this.optional = optional;
      this.strict = strict;
    }

    @Override
    Object eval(Frame frame) {
      Object result = map(frame);
      if (frame.endsWith(result)) {
        return result;
      }
      frame.charge((long) COST);
      return result;
    }

    private Object map(Frame frame) {
      MapKeys.AnyMap map = new MapKeys.AnyMap();
      for (int i = 0; i < keys.length; i++) {
        Object any = keys[i].eval(frame);
        Object key = strict ? MapKeys.strict(map, any) : any;
        if (key instanceof EvalError) {
          return key;
        }
        Object value = values[i].eval(frame);
        if (optional[i]) {
          value = unwrapped(value, () -> "entry '" + GoValues.text(key) + "'", frame);
        }
        if (value instanceof EvalError) {
          return value;
        }
        if (value == Values.ABSENT) {
          map.remove(key);
        } else {
          map.put(key, MapKeys.bound(value));
        }
      }
      frame.takes(MemoryCost.ofMap(map.size()));
      return map;
    }
  }

  /** A call of a function with constants, done when the program was made; only its cost is left. */
  static final class Computed extends Node {

    private final Object value;
    private final long cost;
    private final boolean asKey;

    /** A node that may be a key of a map if {@code asKey}: each new value is another key then. */
    Computed(Object value, long cost, boolean asKey) {
      this.value = value;
      this.cost = cost;
      this.asKey = asKey;
    }

    @Override
    Object eval(Frame frame) {
      frame.charge(cost);
      return asKey ? MapKeys.copy(value) : value;
    }
  }

  /** {@code a.or(b)} and {@code a.orValue(b)} of optionals. Costs nothing itself. */
  static final class OrElse extends Node {

    private final Node first;
    private final Node second;
    private final boolean unwrap;

    OrElse(Node first, Node second, boolean unwrap) {
      this.first = first;
      this.second = second;
      this.unwrap = unwrap;
    }

    @Override
    Object eval(Frame frame) {
      Object found = first.find(frame);
      if (found instanceof EvalError) {
        return found;
      } else if (found == Values.ABSENT) {
        return second.eval(frame);
      }
      return unwrap ? found : Optional.of(found);
    }

    @Override
    Object find(Frame frame) {
      if (unwrap) {
        return super.find(frame);
      }
      Object found = first.find(frame);
      return found == Values.ABSENT ? second.find(frame) : found;
    }
  }

  static @Nullable Object constant(Node node) {
    return node instanceof Constant constant ? constant.value() : null;
  }
}
