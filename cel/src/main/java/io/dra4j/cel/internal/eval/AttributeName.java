package io.dra4j.cel.internal.eval;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of an attribute, a capacity or a domain of these that a program reads.
 *
 * @param kind which of the first two
 * @param domain its domain
 * @param id its name there, or null for the domain itself
 * @param number the place of its value in every {@link DeviceView}, or {@link #UNNUMBERED}
 */
public record AttributeName(Kind kind, String domain, @Nullable String id, int number) {

  /** {@code device.driver}, which is read like an attribute. */
  static final AttributeName DRIVER = new AttributeName(Kind.ATTRIBUTE, "", "driver", 0);

  /** No place; the value is looked up each time. */
  static final int UNNUMBERED = Integer.MAX_VALUE;

  /** The two maps of a device. */
  public enum Kind {
    ATTRIBUTE("attributes"),
    CAPACITY("capacity");

    private final String field;

    Kind(String field) {
      this.field = field;
    }

    String field() {
      return field;
    }
  }

  // By hand: what records have is put together at the first use, which takes milliseconds.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AttributeName name
        && number == name.number
        && kind == name.kind
        && domain.equals(name.domain)
        && Objects.equals(id, name.id);
  }

  @Override
  public int hashCode() {
    return (domain.hashCode() * 31 + Objects.hashCode(id)) * 31 + kind.hashCode() + number;
  }
}
