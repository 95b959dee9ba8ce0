package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * An attribute that constraints may use although no driver publishes it: CEL computes it.
 *
 * @param name {@code domain/id}; hides an attribute of the driver with the same name
 * @param expression the CEL expression over {@code device}
 */
public record DeviceDerivedAttribute(String name, String expression) {
  /** Refuses null. {@inheritDoc} */
  public DeviceDerivedAttribute {
    Checks.value("DeviceDerivedAttribute.name", name);
    Checks.value("DeviceDerivedAttribute.expression", expression);
  }
}
