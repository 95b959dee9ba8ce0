package io.dra4j.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What devices a request, or one alternative of it, asks for.
 *
 * @param deviceClassName the class that the devices must belong to
 * @param selectors further conditions, all of which must hold
 * @param allocationMode an exact count, or all
 * @param count how many devices in mode {@code ExactCount}; 0 in mode {@code All}
 * @param adminAccess whether devices in use may be taken too; {@code null} when not given, always
 *     so in a subrequest
 * @param tolerations taints that do not matter
 * @param capacity how much of a shareable device is needed, or {@code null}
 * @param derivedAttributes attributes for constraints, computed by CEL
 */
public record ExactDeviceRequest(
    String deviceClassName,
    List<DeviceSelector> selectors,
    AllocationMode allocationMode,
    long count,
    @Nullable Boolean adminAccess,
    List<DeviceToleration> tolerations,
    @Nullable CapacityRequirements capacity,
    List<DeviceDerivedAttribute> derivedAttributes) {

  /** Copies the lists. {@inheritDoc} */
  public ExactDeviceRequest {
    selectors = List.copyOf(selectors);
    tolerations = List.copyOf(tolerations);
    derivedAttributes = List.copyOf(derivedAttributes);
  }

  /**
   * Starts a request for one device of a class.
   *
   * @param deviceClassName the class
   * @return a builder
   */
  public static Builder ofClass(String deviceClassName) {
    return new Builder().deviceClass(deviceClassName);
  }

  /** Collects what a request asks for: one device, unless more are asked for. */
  public static final class Builder {

    private final List<DeviceSelector> selectors = new ArrayList<>();
    private final List<DeviceToleration> tolerations = new ArrayList<>();
    private final Map<String, Quantity> capacity = new LinkedHashMap<>();
    private final List<DeviceDerivedAttribute> derivedAttributes = new ArrayList<>();
    private String deviceClassName = "";
    private AllocationMode allocationMode = AllocationMode.EXACT_COUNT;
    private long count = 1;
    private @Nullable Boolean adminAccess;

    Builder() {}

    /**
     * Sets the device class.
     *
     * @param name the class name
     * @return this builder
     */
    public Builder deviceClass(String name) {
      this.deviceClassName = name;
      return this;
    }

    /**
     * Adds a condition.
     *
     * @param expression a CEL expression over {@code device}
     * @return this builder
     */
    public Builder selector(String expression) {
      selectors.add(DeviceSelector.cel(expression));
      return this;
    }

    /**
     * Asks for this many devices.
     *
     * @param devices how many
     * @return this builder
     */
    public Builder count(long devices) {
      this.allocationMode = AllocationMode.EXACT_COUNT;
      this.count = devices;
      return this;
    }

    /**
     * Asks for all devices that match.
     *
     * @return this builder
     */
    public Builder all() {
      this.allocationMode = AllocationMode.ALL;
      this.count = 0;
      return this;
    }

    /**
     * Asks for access to devices whether or not they are in use (KEP-5018).
     *
     * @return this builder
     */
    public Builder adminAccess() {
      this.adminAccess = true;
      return this;
    }

    /**
     * Adds a toleration.
     *
     * @param toleration the taints that do not matter
     * @return this builder
     */
    public Builder toleration(DeviceToleration toleration) {
      tolerations.add(toleration);
      return this;
    }

    /**
     * Asks for an amount of a device's capacity.
     *
     * @param name the capacity's qualified name
     * @param amount for example {@code 10Gi}
     * @return this builder
     * @throws IllegalArgumentException if {@code amount} is not a quantity
     */
    public Builder capacity(String name, String amount) {
      capacity.put(name, Quantity.parse(amount));
      return this;
    }

    /**
     * Adds an attribute for constraints.
     *
     * @param name {@code domain/id}
     * @param expression the CEL expression that computes it
     * @return this builder
     */
    public Builder derivedAttribute(String name, String expression) {
      derivedAttributes.add(new DeviceDerivedAttribute(name, expression));
      return this;
    }

    /**
     * Makes the request.
     *
     * @return the request with the fields set so far
     */
    public ExactDeviceRequest build() {
      return new ExactDeviceRequest(
          deviceClassName,
          selectors,
          allocationMode,
          count,
          adminAccess,
          tolerations,
          capacity.isEmpty() ? null : new CapacityRequirements(capacity),
          derivedAttributes);
    }
  }
}
