package io.dra4j.cel.internal.eval;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The name of an attribute, a capacity or a domain of these that a program reads. Immutable. */
public final class AttributeName {

  /** No place; the value is looked up unless it was read a short time ago. */
  static final int UNNUMBERED = Integer.MAX_VALUE;

  /** {@code device.driver}, which is read like an attribute. */
  static final AttributeName DRIVER = new AttributeName(Kind.ATTRIBUTE, "", "driver", 0);

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

  private final Kind kind;
  private final String domain;
  private final @Nullable String id;
  private final int number;
  private final int hash;
  private final @Nullable String qualified; // as devices write it with its domain
  private final @Nullable String unqualified; // and without, if the domain is their driver's

  /**
   * Creates a name.
   *
   * @param kind whether of an attribute or a capacity
   * @param domain its domain
   * @param id its name there, or null for the domain itself
   * @param number the place of its value in every {@link DeviceView}, or {@link #UNNUMBERED}
   */
  public AttributeName(Kind kind, String domain, @Nullable String id, int number) {
    this.kind = kind;
    this.domain = domain;
    this.id = id;
    this.number = number;
    this.hash = domain.hashCode() * 31 + Objects.hashCode(id);
    // What stands before the first slash is the domain, so that there are names that nothing has.
    this.qualified = id == null || domain.indexOf('/') >= 0 ? null : domain + '/' + id;
    this.unqualified = id == null || id.indexOf('/') >= 0 ? null : id;
  }

  Kind kind() {
    return kind;
  }

  String domain() {
    return domain;
  }

  @Nullable String id() {
    return id;
  }

  int number() {
    return number;
  }

  /** Returns the name of an attribute or a capacity with its domain. */
  String withDomain() {
    return qualified == null ? domain + '/' + id : qualified;
  }

  /** Looks the name up as a device writes it with its domain. */
  <V> @Nullable V qualifiedIn(Map<String, V> values) {
    return qualified == null ? null : values.get(qualified);
  }

  /** Looks the name up as a device of this driver writes it without a domain. */
  <V> @Nullable V unqualifiedIn(String driver, Map<String, V> values) {
    return unqualified != null && domain.equals(driver) ? values.get(unqualified) : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof AttributeName name
            && hash == name.hash
            && number == name.number
            && kind == name.kind
            && domain.equals(name.domain)
            && Objects.equals(id, name.id));
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
