package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.common.types.TypeType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What type variables stand for so far, and the unification that finds it out, by the rules of
 * {@code checker/types.go} of cel-go.
 */
final class TypeSubstitution {

  private record Change(CelType variable, @Nullable CelType before) {}

  private final Map<CelType, CelType> types = new HashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private int variables;

  /** Makes a type variable that nothing refers to yet. */
  CelType newVariable() {
    return TypeParamType.create("_var" + variables++);
  }

  /** Replaces type parameters by new variables, the same ones in all calls with the same map. */
  CelType instantiate(CelType type, Map<CelType, CelType> parameters) {
    if (type.kind() == CelKind.TYPE_PARAM) {
      return parameters.computeIfAbsent(type, parameter -> newVariable());
    }
    return isGeneric(type) ? withParameters(type, t -> instantiate(t, parameters)) : type;
  }

  /** Unifies if that is possible, and otherwise leaves everything as it is. */
  boolean assign(CelType type1, CelType type2) {
    int before = changes.size();
    return keepIf(isAssignable(type1, type2), before);
  }

  /** Unifies all or nothing. */
  boolean assign(List<CelType> types1, List<CelType> types2) {
    int before = changes.size();
    return keepIf(isAssignable(types1, types2), before);
  }

  /** Replaces the variables that stand for something. */
  CelType resolve(CelType type) {
    return substitute(type, false);
  }

  /** Replaces all variables, those that stand for nothing by the dynamic type. */
  CelType finish(CelType type) {
    return substitute(type, true);
  }

  private CelType substitute(CelType type, boolean unboundIsDyn) {
    if (!isGeneric(type)) {
      return type;
    }
    CelType found = types.get(type);
    if (found != null) {
      return substitute(found, unboundIsDyn);
    }
    if (type.kind() == CelKind.TYPE_PARAM) {
      return unboundIsDyn ? SimpleType.DYN : type;
    }
    return withParameters(type, t -> substitute(t, unboundIsDyn));
  }

  private boolean keepIf(boolean success, int before) {
    while (!success && changes.size() > before) {
      Change change = changes.pop();
      if (change.before() == null) {
        types.remove(change.variable());
      } else {
        types.put(change.variable(), change.before());
      }
    }
    return success;
  }

  private void put(CelType variable, CelType type) {
    changes.push(new Change(variable, types.put(variable, type)));
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

  private boolean isAssignable(CelType type1, CelType type2) {
    CelKind kind1 = type1.kind();
    CelKind kind2 = type2.kind();
    if (kind2 == CelKind.TYPE_PARAM) {
      Boolean valid = tryVariable(type1, type2);
      if (valid != null) {
        return valid;
      }
    }
    if (kind1 == CelKind.TYPE_PARAM) {
      Boolean valid = tryVariable(type2, type1);
      return valid != null && valid;
    }
    if (isDynOrError(type1) || isDynOrError(type2)) {
      return true;
    }
    if (kind1 == CelKind.NULL_TYPE) {
      return isNullable(kind2);
    }
    if (kind2 == CelKind.NULL_TYPE) {
      return isNullable(kind1);
    }
    return switch (kind1) {
      case TYPE -> kind2 == CelKind.TYPE;
      case OPAQUE, LIST, MAP ->
          kind1 == kind2
              && type1.name().equals(type2.name())
              && isAssignable(type1.parameters(), type2.parameters());
      default -> type1.equals(type2);
    };
  }

  /**
   * Lets a variable stand for a type.
   *
   * @return whether it does, or null if the variable is unbound and occurs in the type
   */
  private @Nullable Boolean tryVariable(CelType type, CelType variable) {
    if (type.equals(variable)) {
      return true;
    }
    CelType bound = types.get(variable);
    if (bound != null) {
      if (type.equals(bound)) {
        return true;
      }
      if (!isAssignable(type, bound)) {
        return false;
      }
      CelType general = isEqualOrLessSpecific(type, bound) ? type : bound;
      if (!occurs(variable, general)) {
        put(variable, general);
      }
      return true;
    }
    if (occurs(variable, type)) {
      return null;
    }
    put(variable, type);
    return true;
  }

  private boolean occurs(CelType variable, CelType type) {
    if (variable.equals(type)) {
      return true;
    }
    if (type.kind() == CelKind.TYPE_PARAM) {
      CelType bound = types.get(type);
      return bound != null && occurs(variable, bound);
    }
    if (isGeneric(type)) {
      for (CelType parameter : type.parameters()) {
        if (occurs(variable, parameter)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the more general one of two types that unify. */
  static CelType mostGeneral(CelType type1, CelType type2) {
    return isEqualOrLessSpecific(type1, type2) ? type1 : type2;
  }

  private static boolean isEqualOrLessSpecific(CelType type1, CelType type2) {
    if (isDyn(type1) || type1.kind() == CelKind.TYPE_PARAM) {
      return true;
    }
    if (isDyn(type2) || type2.kind() == CelKind.TYPE_PARAM || type1.kind() != type2.kind()) {
      return false;
    }
    return switch (type1.kind()) {
      case TYPE -> true;
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
      default -> type1.equals(type2);
    };
  }

  static boolean isDyn(CelType type) {
    return type.kind() == CelKind.DYN || type.kind() == CelKind.ANY;
  }

  static boolean isDynOrError(CelType type) {
    return isDyn(type) || type.kind() == CelKind.ERROR;
  }

  private static boolean isNullable(CelKind kind) {
    return switch (kind) {
      case NULL_TYPE, OPAQUE, STRUCT, ANY, DURATION, TIMESTAMP -> true;
      default -> false;
    };
  }

  /** Returns whether there is a type parameter in a type. */
  static boolean isGeneric(CelType type) {
    return switch (type.kind()) {
      case TYPE_PARAM -> true;
      case TYPE -> isGeneric(((TypeType) type).type());
      case OPAQUE, LIST, MAP -> {
        for (CelType parameter : type.parameters()) {
          if (isGeneric(parameter)) {
            yield true;
          }
        }
        yield false;
      }
      default -> false;
    };
  }

  private static CelType withParameters(CelType type, UnaryOperator<CelType> change) {
    ImmutableList<CelType> parameters =
        type.parameters().stream().map(change).collect(ImmutableList.toImmutableList());
    return type instanceof OptionalType
        ? OptionalType.create(parameters.get(0))
        : type.withParameters(parameters);
  }
}
