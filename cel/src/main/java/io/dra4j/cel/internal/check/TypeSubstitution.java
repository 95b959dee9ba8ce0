package io.dra4j.cel.internal.check;

import com.google.common.collect.ImmutableList;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.dra4j.cel.internal.text.TimeCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The present values of type variables, and their unification, by the rules of {@code
 * checker/types.go} of cel-go.
 *
 * <p>Types can double with each literal, as in {@code {a: a}}. Unlike cel-go, which then never
 * returns, this counts its work and stops.
 */
final class TypeSubstitution {

  /** Steps for all types of an expression together; the largest useful ones take some thousands. */
  private static final int MAX_STEPS = 2_000_000;

  /** Parts of one type. */
  private static final int MAX_SIZE = 2_000;

  private final TimeCheck time;
  private final boolean comparesTypesOfTypes;
  private final List<Change> changes = new ArrayList<>();
  private int variables;
  private int steps;

  /**
   * Begins without variables.
   *
   * @param time checked from time to time
   * @param comparesTypesOfTypes whether {@code type(list(int))} is another type than {@code
   *     type(int)} where one of them has a variable, and where one is more general, as since cel-go
   *     0.30
   */
  TypeSubstitution(TimeCheck time, boolean comparesTypesOfTypes) {
    this.time = time;
    this.comparesTypesOfTypes = comparesTypesOfTypes;
  }

  /** Thrown if types become too large. */
  static final class TooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLargeException() {
      super("the types of the expression are too large", null, false, false);
    }
  }

  /** Stands for a type, or for nothing yet. Variables are the same if they are the same object. */
  @SuppressWarnings("Immutable") // used in the check of one expression only
  private static final class Variable extends CelType {

    private final int number;
    private @Nullable CelType type;

    Variable(int number) {
      this.number = number;
    }

    @Override
    public CelKind kind() {
      return CelKind.TYPE_PARAM;
    }

    @Override
    public String name() {
      return "_var" + number;
    }
  }

  private record Change(Variable variable, @Nullable CelType before) {}

  /** Makes a type variable that nothing refers to yet. */
  CelType newVariable() {
    return new Variable(variables++);
  }

  /** Replaces type parameters by new variables, the same ones in all calls with the same map. */
  CelType instantiate(CelType type, Map<CelType, CelType> parameters) {
    if (type.kind() == CelKind.TYPE_PARAM) {
      return parameters.computeIfAbsent(type, parameter -> newVariable());
    }
    return withParameters(type, t -> instantiate(t, parameters));
  }

  /** Unifies two types if possible; otherwise changes nothing. */
  boolean assign(CelType type1, CelType type2) {
    int before = changes.size();
    return keepIf(isAssignable(type1, type2), before);
  }

  /** Unifies all or nothing. */
  boolean assign(List<CelType> types1, List<CelType> types2) {
    int before = changes.size();
    return keepIf(isAssignable(types1, types2), before);
  }

  /** Replaces the variables that have a type. */
  CelType resolve(CelType type) {
    return substitute(type, false);
  }

  /** Replaces all variables; a variable without a type becomes the dynamic type. */
  CelType finish(CelType type) {
    return substitute(type, true);
  }

  /** Checks the size of a type, including the types of its variables. */
  void checkSize(CelType type) {
    if (!type.parameters().isEmpty() || type.kind() == CelKind.TYPE_PARAM) {
      size(type, 0);
    }
  }

  private int size(CelType type, int before) {
    step();
    if (before >= MAX_SIZE) {
      throw new TooLargeException();
    }
    int size = before + 1;
    if (type instanceof Variable variable && variable.type != null) {
      return size(variable.type, size);
    }
    for (CelType parameter : type.parameters()) {
      size = size(parameter, size);
    }
    return size;
  }

  private void step() {
    if (++steps > MAX_STEPS) {
      throw new TooLargeException();
    } else if (steps % TimeCheck.STEPS_PER_LOOK == 0) {
      time.look();
    }
  }

  private CelType substitute(CelType type, boolean unboundIsDyn) {
    step();
    if (type instanceof Variable variable) {
      if (variable.type != null) {
        return substitute(variable.type, unboundIsDyn);
      }
      return unboundIsDyn ? SimpleType.DYN : type;
    }
    return withParameters(type, t -> substitute(t, unboundIsDyn));
  }

  private boolean keepIf(boolean success, int before) {
    while (!success && changes.size() > before) {
      Change change = changes.remove(changes.size() - 1);
      change.variable().type = change.before();
    }
    return success;
  }

  private boolean isAssignable(List<CelType> types1, List<CelType> types2) {
    if (types1.size() != types2.size()) {
      return false;
    }
    for (int i = 0; i < types1.size(); i++) {
      if (!isAssignable(types1.get(i), types2.get(i))) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // the same type, with the same variables in it
  private boolean isAssignable(CelType type1, CelType type2) {
    step();
    if (type1 == type2) {
      return true;
    }
    if (type2 instanceof Variable variable) {
      Boolean valid = tryVariable(type1, variable);
      if (valid != null) {
        return valid;
      }
    }
    if (type1 instanceof Variable variable) {
      Boolean valid = tryVariable(type2, variable);
      return valid != null && valid;
    }
    CelKind kind1 = type1.kind();
    CelKind kind2 = type2.kind();
    if (isDynOrError(type1) || isDynOrError(type2)) {
      return true;
    }
    if (kind1 == CelKind.NULL_TYPE) {
      return isNullable(type2);
    }
    if (kind2 == CelKind.NULL_TYPE) {
      return isNullable(type1);
    }
    return switch (kind1) {
      case TYPE ->
          kind2 == CelKind.TYPE
              && (!comparesTypesOfTypes
                  || !(hasVariable(type1) || hasVariable(type2))
                  || isAssignable(type1.parameters(), type2.parameters()));
      case OPAQUE, LIST, MAP ->
          kind1 == kind2
              && type1.name().equals(type2.name())
              && isAssignable(type1.parameters(), type2.parameters());
      default -> unwrapped(type1).equals(unwrapped(type2));
    };
  }

  /** Gives a variable a type; returns whether it did, or null if it is unbound and in the type. */
  private @Nullable Boolean tryVariable(CelType type, Variable variable) {
    if (type.equals(variable)) {
      return true;
    }
    CelType bound = variable.type;
    if (bound != null) {
      if (isSame(type, bound)) {
        return true;
      }
      if (!isAssignable(type, bound)) {
        return false;
      }
      CelType general = mostGeneral(type, bound);
      if (!occurs(variable, general)) {
        bind(variable, general);
      }
      return true;
    }
    if (occurs(variable, type)) {
      return null;
    }
    bind(variable, type);
    return true;
  }

  private boolean hasVariable(CelType type) {
    step();
    return type.kind() == CelKind.TYPE_PARAM
        || type.parameters().stream().anyMatch(this::hasVariable);
  }

  private void bind(Variable variable, CelType type) {
    changes.add(new Change(variable, variable.type));
    variable.type = type;
  }

  private boolean occurs(Variable variable, CelType type) {
    step();
    if (type instanceof Variable other) {
      return variable.equals(other) || (other.type != null && occurs(variable, other.type));
    }
    for (CelType parameter : type.parameters()) {
      if (occurs(variable, parameter)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether two types are equal, variables only if they are the same. */
  @SuppressWarnings("ReferenceEquality")
  boolean isSame(CelType type1, CelType type2) {
    step();
    if (type1 == type2) {
      return true;
    }
    List<CelType> parameters1 = type1.parameters();
    if (parameters1.isEmpty()) {
      return unwrapped(type1).equals(unwrapped(type2));
    }
    List<CelType> parameters2 = type2.parameters();
    if (type1.kind() != type2.kind()
        || !type1.name().equals(type2.name())
        || parameters1.size() != parameters2.size()) {
      return false;
    }
    for (int i = 0; i < parameters1.size(); i++) {
      if (!isSame(parameters1.get(i), parameters2.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the more general one of two types that unify. */
  CelType mostGeneral(CelType type1, CelType type2) {
    return isEqualOrLessSpecific(type1, type2) ? type1 : type2;
  }

  private boolean isEqualOrLessSpecific(CelType type1, CelType type2) {
    step();
    if (isDyn(type1) || type1.kind() == CelKind.TYPE_PARAM) {
      return true;
    }
    if (isDyn(type2) || type2.kind() == CelKind.TYPE_PARAM || type1.kind() != type2.kind()) {
      return false;
    }
    return switch (type1.kind()) {
      case TYPE ->
          !comparesTypesOfTypes
              || isEqualOrLessSpecific(type1.parameters().get(0), type2.parameters().get(0));
      case OPAQUE, LIST, MAP -> {
        List<CelType> parameters1 = type1.parameters();
        List<CelType> parameters2 = type2.parameters();
        boolean result =
            type1.name().equals(type2.name()) && parameters1.size() == parameters2.size();
        for (int i = 0; result && i < parameters1.size(); i++) {
          result = isEqualOrLessSpecific(parameters1.get(i), parameters2.get(i));
        }
        yield result;
      }
      default -> unwrapped(type1).equals(unwrapped(type2));
    };
  }

  static boolean isDyn(CelType type) {
    return type.kind() == CelKind.DYN || type.kind() == CelKind.ANY;
  }

  static boolean isDynOrError(CelType type) {
    return isDyn(type) || type.kind() == CelKind.ERROR;
  }

  private static boolean isNullable(CelType type) {
    return switch (type.kind()) {
      case NULL_TYPE, OPAQUE, STRUCT, ANY, DURATION, TIMESTAMP -> true;
      default -> type instanceof NullableType;
    };
  }

  /** Returns the type of the values other than null. Parameters keep their null. */
  private static CelType unwrapped(CelType type) {
    return type instanceof NullableType nullable ? nullable.targetType() : type;
  }

  /** Returns the type of the values other than null, also for its parameters. */
  static CelType withoutNull(CelType type) {
    return withParameters(unwrapped(type), TypeSubstitution::withoutNull);
  }

  /** Changes the parameters of a type. The result is the type itself if they remain the same. */
  @SuppressWarnings("ReferenceEquality")
  private static CelType withParameters(CelType type, UnaryOperator<CelType> change) {
    List<CelType> before = type.parameters();
    if (before.isEmpty()) {
      return type;
    }
    CelType[] parameters = null;
    for (int i = 0; i < before.size(); i++) {
      CelType parameter = before.get(i);
      CelType changed = change.apply(parameter);
      if (changed != parameter) {
        parameters = parameters == null ? before.toArray(new CelType[0]) : parameters;
        parameters[i] = changed;
      }
    }
    if (parameters == null) {
      return type;
    }
    return type instanceof OptionalType
        ? OptionalType.create(parameters[0])
        : type.withParameters(ImmutableList.copyOf(parameters));
  }
}
