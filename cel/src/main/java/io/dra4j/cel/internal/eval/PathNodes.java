package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.MapKeys;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Nodes that read variables and what is in them. */
final class PathNodes {

  private PathNodes() {}

  /** A value followed by any steps. */
  static final class Path extends Node {

    private final Node base;
    private final Qualifier[] steps;
    private final int cost;
    private final boolean isFieldAsKey;

    /** Creates a path, whose cost is without the base and the steps. */
    Path(Node base, List<Qualifier> steps, int cost) {
      this(base, steps.toArray(new Qualifier[0]), cost, false);
    }

    private Path(Node base, Qualifier[] steps, int cost, boolean isFieldAsKey) {
      this.base = base;
      this.steps = steps;
      this.cost = cost;
      this.isFieldAsKey = isFieldAsKey;
    }

    @Override
    Node asKey() {
      if (base instanceof ValueNodes.WholeDevice && steps.length == 0) {
        return Qualifier.DEVICE_AS_KEY;
      }
      return new Path(base, steps, cost, steps.length > 0 && steps[steps.length - 1].isField());
    }

    @Override
    Object eval(Frame frame) {
      Object value = base.eval(frame);
      boolean optional = false;
      if (value instanceof Optional<?> wrapped && steps.length > 0) {
        optional = true;
        value = wrapped.isPresent() ? wrapped.get() : Values.ABSENT;
      }
      value = walk(value, optional, frame);
      frame.charge(cost);
      if (value == Values.ABSENT) {
        return Optional.empty();
      }
      return (optional || isOptional()) && !(value instanceof EvalError)
          ? Optional.of(MapKeys.bound(value))
          : value;
    }

    @Override
    Object find(Frame frame) {
      Object value = base.eval(frame);
      boolean optional = isOptional();
      boolean wasOptional = false;
      if (value instanceof Optional<?> wrapped) {
        optional = true;
        wasOptional = true;
        value = wrapped.isPresent() ? wrapped.get() : Values.ABSENT;
      }
      if (!optional) {
        return findPlain(value, frame);
      }
      value = walk(value, wasOptional, frame);
      frame.charge(cost);
      return value;
    }

    /** The value itself must be an optional. */
    private Object findPlain(Object start, Frame frame) {
      Object value = walk(start, false, frame);
      frame.charge(cost);
      if (value instanceof Optional<?> wrapped) {
        return wrapped.isPresent() ? wrapped.get() : Values.ABSENT;
      }
      return value instanceof EvalError ? value : NO_OPTIONAL;
    }

    private static final EvalError NO_OPTIONAL = new EvalError("no such overload");

    private boolean isOptional() {
      for (Qualifier step : steps) {
        if (step.isOptional()) {
          return true;
        }
      }
      return false;
    }

    private Object walk(Object start, boolean startOptional, Frame frame) {
      Object value = start;
      boolean optional = startOptional;
      for (Qualifier step : steps) {
        if (value == Values.ABSENT || value instanceof EvalError) {
          return value;
        }
        optional |= step.isOptional();
        value = optional ? step.applyIfPresent(value, frame) : step.apply(value, frame);
      }
      return isFieldAsKey && !optional ? Qualifier.fieldAsKey(value) : value;
    }
  }

  /** A path inside {@code has()}; only its steps have a cost. */
  static final class Has extends LogicNodes.Test {

    private final Node path;
    private final int cost;

    /** Creates a test, whose cost without the path is 0 or −1. */
    Has(Node path, int cost) {
      this.path = path;
      this.cost = cost;
    }

    @Override
    int test(Frame frame) {
      Object result = path.eval(frame);
      if (cost < 0) {
        frame.refund(-cost);
      }
      if (result instanceof Optional<?> optional) {
        return optional.isPresent() ? TRUE : FALSE;
      }
      return truth(result, frame);
    }
  }

  /** {@code device.allowMultipleAllocations}. */
  static final class AllowMultipleAllocations extends LogicNodes.Test {

    private final int cost;

    AllowMultipleAllocations(int cost) {
      this.cost = cost;
    }

    @Override
    int test(Frame frame) {
      frame.charge(cost);
      return frame.device().allowMultipleAllocations() ? TRUE : FALSE;
    }
  }

  /** {@code device.attributes} or {@code device.capacity}. */
  static final class Domains extends Node {

    private final AttributeName.Kind kind;
    private final int cost;

    Domains(AttributeName.Kind kind, int cost) {
      this.kind = kind;
      this.cost = cost;
    }

    /** {@code in} with this. */
    HasAttribute has(String domain, AttributeNames names) {
      return new HasAttribute(names.name(kind, domain, null), cost + 1);
    }

    @Override
    Object eval(Frame frame) {
      frame.charge(cost);
      return frame.device().domains(kind, frame);
    }
  }

  /** {@code device.attributes["domain"]}; a domain that the device lacks is an empty map. */
  static final class Domain extends Node {

    private final AttributeName.Kind kind;
    private final String domain;
    private final int cost;

    Domain(AttributeName.Kind kind, String domain, int cost) {
      this.kind = kind;
      this.domain = domain;
      this.cost = cost;
    }

    @Override
    Object eval(Frame frame) {
      frame.charge(cost);
      return frame.device().domains(kind, frame).select(domain);
    }
  }

  /** {@code device.attributes["domain"].id}, or {@code device.driver}. */
  static final class Attribute extends Node {

    private final AttributeName name;
    private final int cost;
    private final EvalError missing;

    Attribute(AttributeName name, int cost) {
      this.name = name;
      this.cost = cost;
      this.missing = new EvalError("no such key: " + name.id());
    }

    AttributeName name() {
      return name;
    }

    @Override
    Object eval(Frame frame) {
      frame.charge(cost);
      Object value = frame.device().value(name);
      return value == null ? missing : value;
    }
  }

  /** {@code has(device.attributes["domain"].id)}, or {@code "domain" in device.attributes}. */
  static final class HasAttribute extends LogicNodes.Test {

    private final AttributeName name;
    private final int cost;

    HasAttribute(AttributeName name, int cost) {
      this.name = name;
      this.cost = cost;
    }

    @Override
    int test(Frame frame) {
      frame.charge(cost);
      Object value = frame.device().value(name);
      if (value instanceof EvalError error) {
        return frame.fail(error);
      }
      return value != null ? TRUE : FALSE;
    }
  }

  /** {@code device.attributes["domain"].?id}. */
  static final class OptionalAttribute extends Node {

    private final AttributeName name;
    private final int cost;

    /** Creates a path with the cost if there is a value, which is 1 more than without one. */
    OptionalAttribute(AttributeName name, int cost) {
      this.name = name;
      this.cost = cost;
    }

    @Override
    Object eval(Frame frame) {
      Object value = find(frame);
      if (value instanceof EvalError) {
        return value;
      }
      return value == Values.ABSENT ? Optional.empty() : Optional.of(MapKeys.bound(value));
    }

    @Override
    Object find(Frame frame) {
      @Nullable Object value = frame.device().value(name);
      frame.charge(value == null ? cost - 1 : cost);
      return value == null ? Values.ABSENT : value;
    }
  }
}
