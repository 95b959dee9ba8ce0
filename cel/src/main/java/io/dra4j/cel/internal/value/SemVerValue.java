package io.dra4j.cel.internal.value;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.model.SemVer;
import org.jspecify.annotations.Nullable;

/** A {@link SemVer} inside CEL, where its type is {@code kubernetes.Semver}. */
@SuppressWarnings("Immutable") // SemVer is immutable, but not annotated
public final class SemVerValue extends OpaqueValue {

  /** The type in CEL. */
  public static final OpaqueType TYPE = OpaqueType.create("kubernetes.Semver");

  private final SemVer version;

  /** Creates the value of a version. */
  public SemVerValue(SemVer version) {
    this.version = version;
  }

  /** Returns the version. */
  public SemVer version() {
    return version;
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
    return other instanceof SemVerValue value && version.equals(value.version);
  }

  @Override
  public int hashCode() {
    return version.hashCode();
  }

  @Override
  public String toString() {
    return version.toString();
  }
}
