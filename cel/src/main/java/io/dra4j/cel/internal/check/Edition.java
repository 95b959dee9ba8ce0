package io.dra4j.cel.internal.check;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;

/**
 * What one environment of Kubernetes has of all that there is.
 *
 * @param stored whether it is that of stored expressions, which has everything
 * @param multipleAllocations whether devices have {@code allowMultipleAllocations}
 * @param listAttributes whether attributes may be lists, and {@code includes} is there
 */
public record Edition(boolean stored, boolean multipleAllocations, boolean listAttributes) {

  /** The edition of stored expressions. */
  public static final Edition STORED = new Edition(true, true, true);

  /**
   * Returns the type of attributes. Loops can run over the dynamic type, but not over any.
   *
   * @return the type of values of attributes of devices
   */
  public CelType attributeType() {
    return listAttributes ? SimpleType.DYN : SimpleType.ANY;
  }
}
