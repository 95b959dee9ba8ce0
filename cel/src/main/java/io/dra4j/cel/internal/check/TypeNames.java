package io.dra4j.cel.internal.check;

import dev.cel.common.types.CelType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import java.util.stream.Collectors;

/** Names of types in messages, as {@code checker/format.go} of cel-go writes them. */
public final class TypeNames {

  private TypeNames() {}

  /** Writes a type as expressions name it, for example {@code list(string)}. */
  public static String of(CelType type) {
    if (type instanceof NullableType nullable) {
      return wrapper(of(nullable.targetType()));
    }
    if (isUnboundType(type)) {
      return type.name();
    }
    return switch (type.kind()) {
      case ANY -> "any";
      case DURATION -> "duration";
      case ERROR -> "!error!";
      case NULL_TYPE -> "null";
      case TIMESTAMP -> "timestamp";
      case TYPE_PARAM, STRUCT -> type.name();
      default ->
          type.parameters().isEmpty()
              ? type.name()
              : type.parameters().stream()
                  .map(TypeNames::of)
                  .collect(Collectors.joining(", ", type.name() + "(", ")"));
    };
  }

  /** Names the type of a result. */
  public static String ofResult(CelType type) {
    if (type.equals(SimpleType.NULL_TYPE)) {
      return "null_type";
    } else if (type instanceof NullableType nullable) {
      return wrapper(ofResult(nullable.targetType()));
    }
    return type.parameters().isEmpty() || isUnboundType(type)
        ? type.name()
        : type.parameters().stream()
            .map(TypeNames::ofResult)
            .collect(Collectors.joining(", ", type.name() + "(", ")"));
  }

  /** Returns whether it is what {@code type} itself names, unlike the type of a dynamic value. */
  @SuppressWarnings("ReferenceEquality") // both are equal, and cel-go writes them otherwise
  private static boolean isUnboundType(CelType type) {
    return type == Environment.TYPE;
  }

  private static String wrapper(String type) {
    return "wrapper(" + type + ")";
  }
}
