package io.dra4j.cel.internal.value;

import com.google.common.collect.ImmutableList;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A format that texts can be held against, inside CEL {@code kubernetes.NamedFormat}. */
@SuppressWarnings("Immutable") // the checks keep nothing
public final class FormatValue extends OpaqueValue {

  static final OpaqueType TYPE = OpaqueType.create("kubernetes.NamedFormat");

  private final String name;
  private final int regexSize;
  private final Function<String, ImmutableList<String>> check;

  /**
   * Creates a format.
   *
   * @param name its name
   * @param regexSize the length of the regular expression that represents it in costs
   * @param check returns the problems of a string
   */
  public FormatValue(String name, int regexSize, Function<String, ImmutableList<String>> check) {
    this.name = name;
    this.regexSize = regexSize;
    this.check = check;
  }

  /** Returns the length of the regular expression that costs use for the format. */
  public int regexSize() {
    return regexSize;
  }

  /** Returns the problems of a string; none if it has the format. */
  public ImmutableList<String> validate(String text) {
    return check.apply(text);
  }

  @Override
  public OpaqueType celType() {
    return TYPE;
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FormatValue format && name.equals(format.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
