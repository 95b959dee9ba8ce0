package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.validator.CelAstValidator;
import dev.cel.validator.validators.LiteralValidator;

/**
 * Refuses conversions of literals that must fail, such as {@code int("x")}, which cel-go carries
 * out when it makes a program.
 */
final class LiteralConversion extends LiteralValidator {

  static final ImmutableList<CelAstValidator> ALL =
      ImmutableList.of(
          new LiteralConversion("int", Long.class, SimpleType.INT),
          new LiteralConversion("uint", UnsignedLong.class, SimpleType.UINT),
          new LiteralConversion("double", Double.class, SimpleType.DOUBLE),
          new LiteralConversion("bool", Boolean.class, SimpleType.BOOL));

  private LiteralConversion(String function, Class<?> javaType, CelType type) {
    super(function, javaType, type);
  }
}
