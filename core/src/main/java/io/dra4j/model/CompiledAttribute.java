package io.dra4j.model;

/** The expression of a derived attribute, ready to be evaluated. Immutable and thread-safe. */
@FunctionalInterface
public interface CompiledAttribute {

  /**
   * The value of the attribute for a device. Gives the same answer each time.
   *
   * @param driver the driver of the device, the domain of its unqualified names
   * @param device the device
   * @return the value
   * @throws SelectorException if the expression cannot be evaluated on this device
   */
  DeviceAttribute evaluate(String driver, Device device) throws SelectorException;
}
