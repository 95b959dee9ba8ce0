package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.Immutable;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.RuntimeTypes;
import io.dra4j.cel.internal.value.Timestamps;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The implementation of one overload of a function. It reports an error by the exceptions of
 * cel-java.
 *
 * <p>As in cel-go, Java classes represent types at run time: a list of integers is a list.
 */
@Immutable
@SuppressWarnings("Immutable") // classes are immutable
public final class Implementation {

  /** A function that takes long for its cost, and reports its work to the meter. */
  @Immutable
  @FunctionalInterface
  public interface Lengthy {
    /** Calls the function with arguments that it accepts. */
    Object apply(Object[] args, EvaluationMeter work) throws CelEvaluationException;
  }

  private final String id;
  private final ImmutableList<Class<?>> types;
  private final Lengthy body;
  private final CelFunctionOverload.@Nullable Unary<Object> unary;
  private final CelFunctionOverload.@Nullable Binary<Object, Object> binary;
  private final ImmutableList<CelType> declared; // empty if classes say enough
  private final int arity;
  private final Class<?> firstType;
  private final Class<?> secondType;

  private Implementation(
      String id,
      ImmutableList<Class<?>> types,
      Lengthy body,
      CelFunctionOverload.@Nullable Unary<Object> unary,
      CelFunctionOverload.@Nullable Binary<Object, Object> binary,
      ImmutableList<CelType> declared) {
    this.id = id;
    this.types = types;
    this.body = body;
    this.unary = unary;
    this.binary = binary;
    this.declared = declared;
    this.arity = types.size();
    Class<?> first = arity > 0 ? types.get(0) : Object.class;
    this.firstType = first == Instant.class ? Temporal.class : first;
    this.secondType = arity > 1 ? types.get(1) : Object.class;
  }

  @SuppressWarnings("unchecked") // accepts() comes first
  static <T> Implementation of(String id, Class<T> type, CelFunctionOverload.Unary<T> body) {
    CelFunctionOverload.Unary<Object> any = (CelFunctionOverload.Unary<Object>) body;
    CelFunctionOverload.Unary<Object> unary =
        type == Instant.class
            ? timestamp -> any.apply(Timestamps.instant((Temporal) timestamp))
            : any;
    return new Implementation(
        id,
        ImmutableList.of(type),
        (args, work) -> unary.apply(args[0]),
        unary,
        null,
        ImmutableList.of());
  }

  @SuppressWarnings("unchecked") // accepts() comes first
  static <T, U> Implementation of(
      String id, Class<T> type1, Class<U> type2, CelFunctionOverload.Binary<T, U> body) {
    CelFunctionOverload.Binary<Object, Object> any =
        (CelFunctionOverload.Binary<Object, Object>) body;
    CelFunctionOverload.Binary<Object, Object> binary =
        type1 == Instant.class
            ? (timestamp, b) -> any.apply(Timestamps.instant((Temporal) timestamp), b)
            : any;
    return new Implementation(
        id,
        ImmutableList.of(type1, type2),
        (args, work) -> binary.apply(args[0], args[1]),
        null,
        binary,
        ImmutableList.of());
  }

  static Implementation of(String id, ImmutableList<Class<?>> types, CelFunctionOverload body) {
    return new Implementation(
        id, types, (args, work) -> body.apply(args), null, null, ImmutableList.of());
  }

  /** Returns an implementation that takes long for its cost. */
  static Implementation lengthy(String id, ImmutableList<Class<?>> types, Lengthy body) {
    return new Implementation(id, types, body, null, null, ImmutableList.of());
  }

  /** Returns this implementation with the element types of its declaration. */
  Implementation declared(List<CelType> parameters) {
    return parameters.stream().anyMatch(RuntimeTypes::hasElements)
        ? new Implementation(id, types, body, unary, binary, ImmutableList.copyOf(parameters))
        : this;
  }

  /** Returns the identifier of the overload. */
  public String id() {
    return id;
  }

  /** Returns the classes of its arguments. */
  public ImmutableList<Class<?>> types() {
    return types;
  }

  /** Returns whether this overload accepts one argument. */
  public boolean accepts(Object arg) {
    return arity == 1
        && isOf(firstType, arg)
        && (declared.isEmpty() || RuntimeTypes.accepts(declared.get(0), arg));
  }

  /** Returns whether this overload accepts two arguments. */
  public boolean accepts(Object arg1, Object arg2) {
    return arity == 2
        && isOf(firstType, arg1)
        && isOf(secondType, arg2)
        && (declared.isEmpty()
            || (RuntimeTypes.accepts(declared.get(0), arg1)
                && RuntimeTypes.accepts(declared.get(1), arg2)));
  }

  /** Returns whether an argument has a type, by class first, which is faster than superclasses. */
  private static boolean isOf(Class<?> type, Object arg) {
    return arg.getClass() == type || type.isInstance(arg);
  }

  /** Returns whether this overload accepts these arguments. */
  public boolean accepts(Object[] args) {
    if (types.size() != args.length) {
      return false;
    }
    for (int i = 0; i < args.length; i++) {
      if (!types.get(i).isInstance(args[i])
          || (!declared.isEmpty() && !RuntimeTypes.accepts(declared.get(i), args[i]))) {
        return false;
      }
    }
    return true;
  }

  /** Calls this overload with one argument; it must accept it. */
  public Object apply(Object arg, EvaluationMeter work) throws CelEvaluationException {
    return unary != null ? unary.apply(arg) : apply(new Object[] {arg}, work);
  }

  /** Calls this overload with two arguments; it must accept them. */
  public Object apply(Object arg1, Object arg2, EvaluationMeter work)
      throws CelEvaluationException {
    return binary != null ? binary.apply(arg1, arg2) : apply(new Object[] {arg1, arg2}, work);
  }

  /** Calls this overload with arguments; it must accept them. */
  public Object apply(Object[] args, EvaluationMeter work) throws CelEvaluationException {
    return body.apply(args, work);
  }
}
