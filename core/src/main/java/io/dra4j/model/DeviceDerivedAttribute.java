package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * An attribute for constraints that no driver publishes; a CEL expression computes it.
 *
 * @param name {@code domain/id}; hides an attribute of the driver with the same name
 * @param expression the CEL expression over {@code device}
 */
public record DeviceDerivedAttribute(String name, String expression) {
  /** Rejects null. {@inheritDoc} */
  public DeviceDerivedAttribute {
    Checks.value("DeviceDerivedAttribute.name", name);
    Checks.value("DeviceDerivedAttribute.expression", expression);
  }
}
