package io.dra4j.inventory.internal;

import io.dra4j.model.QualifiedName;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The attributes of devices that are relevant for some claims: attributes that selectors read and
 * constraints compare. Nodes whose devices agree in them are equivalent for these claims; taints,
 * capacities, counters and other fields always count.
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
   * {@return the traits of claims that read some attributes}
   *
   * @param attributes the attributes, as {@code domain/id}
   */
  public static RelevantAttributes of(Collection<String> attributes) {
    Objects.requireNonNull(attributes, "attributes");
    return new RelevantAttributes(
        attributes.stream().distinct().sorted().map(QualifiedName::of).toList(), false);
  }

  /** {@return the traits of claims that may read any attribute} */
  public static RelevantAttributes everything() {
    return ALL;
  }

  /** Whether both contain the same attributes. */
  boolean areThoseOf(RelevantAttributes other) {
    return this == other || (everything == other.everything && attributes.equals(other.attributes));
  }
}
