package io.dra4j.inventory.internal;

import io.dra4j.model.QualifiedName;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * What some claims look at on devices, so that nodes whose devices are equal in it are the same to
 * them. Taints, capacities, counters and the like always count; of attributes only those that
 * selectors read and constraints compare.
 */
public final class RelevantAttributes {

  private static final RelevantAttributes ALL = new RelevantAttributes(List.of(), true);

  final List<QualifiedName> attributes;
  final boolean everything;

  private RelevantAttributes(List<QualifiedName> attributes, boolean everything) {
    this.attributes = attributes;
    this.everything = everything;
  }

  /**
   * Makes the traits of claims that look at some attributes.
   *
   * @param attributes the attributes, as {@code domain/id}
   * @return the traits
   */
  public static RelevantAttributes of(Collection<String> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    return new RelevantAttributes(
        attributes.stream().distinct().sorted().map(QualifiedName::of).toList(), false);
  }

  /**
   * Makes the traits of claims for which it is unknown what they read.
   *
   * @return the traits
   */
  public static RelevantAttributes everything() {
    return ALL;
  }

  /** Whether both look at the same. */
  boolean areThoseOf(RelevantAttributes other) {
    return this == other || (everything == other.everything && attributes.equals(other.attributes));
  }
}
