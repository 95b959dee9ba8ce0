package io.dra4j.cel.internal.value;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.text.Url;
import org.jspecify.annotations.Nullable;

/** A {@link Url} inside CEL, where its type is {@code kubernetes.URL}. */
@SuppressWarnings("Immutable") // Url is immutable, but not annotated
public final class UrlValue extends OpaqueValue {

  static final OpaqueType TYPE = OpaqueType.create("kubernetes.URL");

  private final Url url;

  /** Creates the value of an address. */
  public UrlValue(Url url) {
    this.url = url;
  }

  /** Returns the address. */
  public Url url() {
    return url;
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
    return other instanceof UrlValue value && url.toString().equals(value.url.toString());
  }

  @Override
  public int hashCode() {
    return url.toString().hashCode();
  }

  @Override
  public String toString() {
    return url.toString();
  }
}
