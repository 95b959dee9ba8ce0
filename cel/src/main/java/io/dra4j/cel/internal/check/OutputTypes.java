package io.dra4j.cel.internal.check;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.dra4j.cel.internal.value.SemVerValue;
import io.dra4j.selector.SelectorException;
import java.util.Set;

/**
 * The types that expressions may result in.
 *
 * <p>Source: {@code validateOutputType} in {@code dynamic-resource-allocation/cel/compile.go}.
 */
public final class OutputTypes {

  private static final Set<CelType> SCALARS =
      Set.of(
          SimpleType.BOOL,
          SimpleType.INT,
          SimpleType.STRING,
          SimpleType.ANY,
          SimpleType.DYN,
          SemVerValue.TYPE);

  private OutputTypes() {}

  /** Checks the result of a selector: a Boolean, or a type of an attribute. */
  public static void checkSelector(CelType type, EnvironmentVersion environment)
      throws SelectorException {
    CelType result = TypeSubstitution.withoutNull(type);
    if (!result.equals(SimpleType.BOOL) && !result.equals(environment.attributeType())) {
      throw new SelectorException(
          "must evaluate to bool or the unknown type, not " + TypeNames.ofResult(type));
    }
  }

  /** Checks the result of a derived attribute. */
  public static void checkAttribute(CelType type, EnvironmentVersion environment)
      throws SelectorException {
    boolean lists = environment.listAttributes();
    CelType result = TypeSubstitution.withoutNull(type);
    if (SCALARS.contains(result)
        || (lists && result instanceof ListType list && SCALARS.contains(list.elemType()))) {
      return;
    }
    throw new SelectorException(
        "must evaluate to a primitive scalar (string, integer, boolean, semver)"
            + (lists ? " or a list of these scalars" : "")
            + ", not "
            + TypeNames.ofResult(type));
  }
}
