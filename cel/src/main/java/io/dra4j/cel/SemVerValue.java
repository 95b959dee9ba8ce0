package io.dra4j.cel;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.model.SemVer;
import org.jspecify.annotations.Nullable;

/** A {@link SemVer} inside CEL, where its type is {@code kubernetes.Semver}. */
@SuppressWarnings("Immutable") // SemVer is immutable, but not annotated
final class SemVerValue extends OpaqueValue {

  static final OpaqueType TYPE = OpaqueType.create("kubernetes.Semver");

  private final SemVer version;

  SemVerValue(SemVer version) {
    this.version = version;
  }

  SemVer version() {
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
