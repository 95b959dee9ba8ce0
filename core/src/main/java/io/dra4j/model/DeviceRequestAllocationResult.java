package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One device, or share of a device, that is allocated to a claim.
 *
 * @param request the name of its request, or {@code name/subrequest}
 * @param driver the device's driver
 * @param pool the device's pool
 * @param device the device's name
 * @param adminAccess {@code true} for admin access; otherwise {@code null}
 * @param tolerations the request's tolerations
 * @param bindingConditions conditions that pods wait for, from the device
 * @param bindingFailureConditions conditions that make the allocation fail, from the device
 * @param shareId identifies the share of a shareable device; otherwise {@code null}
 * @param consumedCapacity the amounts that a share consumes, by qualified name; empty if the device
 *     is not shareable or has no capacity
 * @param skipNodeOperations kubelet calls that the driver does not need, from the slice
 */
public record DeviceRequestAllocationResult(
    String request,
    String driver,
    String pool,
    String device,
    @Nullable Boolean adminAccess,
    List<DeviceToleration> tolerations,
    List<String> bindingConditions,
    List<String> bindingFailureConditions,
    @Nullable String shareId,
    Map<String, Quantity> consumedCapacity,
    List<String> skipNodeOperations) {

  /** Copies the collections, keeping their order. {@inheritDoc} */
  public DeviceRequestAllocationResult {
    Checks.value("DeviceRequestAllocationResult.request", request);
    Checks.value("DeviceRequestAllocationResult.driver", driver);
    Checks.value("DeviceRequestAllocationResult.pool", pool);
    Checks.value("DeviceRequestAllocationResult.device", device);
    tolerations = Checks.list("DeviceRequestAllocationResult.tolerations", tolerations);
    bindingConditions =
        Checks.list("DeviceRequestAllocationResult.bindingConditions", bindingConditions);
    bindingFailureConditions =
        Checks.list(
            "DeviceRequestAllocationResult.bindingFailureConditions", bindingFailureConditions);
    consumedCapacity =
        Checks.map("DeviceRequestAllocationResult.consumedCapacity", consumedCapacity);
    skipNodeOperations =
        Checks.list("DeviceRequestAllocationResult.skipNodeOperations", skipNodeOperations);
  }

  /** {@return the identity of the device: driver, pool and device name} */
  public DeviceId deviceId() {
    return new DeviceId(driver, pool, device);
  }

  /** {@code gpus: gpu.example.com/node-1/gpu-0}, then all other fields that are set. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(request).append(": ").append(deviceId());
    OptionalFields extras = new OptionalFields();
    extras.add("admin access", adminAccess);
    extras.add("share", shareId);
    extras.add("consumes", consumedCapacity);
    extras.add("tolerates", tolerations);
    extras.add("waits for", bindingConditions);
    extras.add("gives up on", bindingFailureConditions);
    extras.add("skips", skipNodeOperations);
    return PrintableText.of(text.append(extras).toString());
  }

  /**
   * {@return a builder of a result}
   *
   * @param request the name of the request, or {@code request/alternative}
   * @param device the device for the request
   */
  public static Builder of(String request, DeviceId device) {
    Builder builder = new Builder();
    builder.request = Checks.value("DeviceRequestAllocationResult.request", request);
    builder.driver = Checks.value("device", device).driver();
    builder.pool = device.pool();
    builder.device = device.device();
    return builder;
  }

  /** {@return a builder with all fields of this result} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.request = request;
    builder.driver = driver;
    builder.pool = pool;
    builder.device = device;
    builder.adminAccess = adminAccess;
    builder.tolerations = tolerations;
    builder.bindingConditions = bindingConditions;
    builder.bindingFailureConditions = bindingFailureConditions;
    builder.shareId = shareId;
    builder.consumedCapacity = consumedCapacity;
    builder.skipNodeOperations = skipNodeOperations;
    return builder;
  }

  /** Collects the fields of a result; what is not set stays empty. */
  public static final class Builder {

    private String request = "";
    private String driver = "";
    private String pool = "";
    private String device = "";
    private @Nullable Boolean adminAccess;
    private List<DeviceToleration> tolerations = List.of();
    private List<String> bindingConditions = List.of();
    private List<String> bindingFailureConditions = List.of();
    private @Nullable String shareId;
    private Map<String, Quantity> consumedCapacity = ImmutableMap.of();
    private List<String> skipNodeOperations = List.of();

    private Builder() {}

    /**
     * Sets the request that got the device.
     *
     * @param request the name of the request, or {@code request/alternative}
     * @return this builder
     */
    public Builder request(String request) {
      this.request = Checks.value("DeviceRequestAllocationResult.request", request);
      return this;
    }

    /**
     * Sets the driver of the device.
     *
     * @param driver the name of the driver
     * @return this builder
     */
    public Builder driver(String driver) {
      this.driver = Checks.value("DeviceRequestAllocationResult.driver", driver);
      return this;
    }

    /**
     * Sets the pool of the device.
     *
     * @param pool the name of the pool
     * @return this builder
     */
    public Builder pool(String pool) {
      this.pool = Checks.value("DeviceRequestAllocationResult.pool", pool);
      return this;
    }

    /**
     * Sets the device.
     *
     * @param device its name in the pool
     * @return this builder
     */
    public Builder device(String device) {
      this.device = Checks.value("DeviceRequestAllocationResult.device", device);
      return this;
    }

    /**
     * Sets whether the device was allocated with admin access, whether or not it is in use
     * (KEP-5018).
     *
     * @param adminAccess true for admin access, or {@code null} when not given
     * @return this builder
     */
    public Builder adminAccess(@Nullable Boolean adminAccess) {
      this.adminAccess = adminAccess;
      return this;
    }

    /**
     * Replaces the tolerations of the request.
     *
     * @param values the tolerations at the time of the allocation
     * @return this builder
     */
    public Builder tolerations(List<DeviceToleration> values) {
      this.tolerations = Checks.list("DeviceRequestAllocationResult.tolerations", values);
      return this;
    }

    /**
     * Replaces the conditions that pods wait for (KEP-5007).
     *
     * @param values conditions that must all become true
     * @return this builder
     */
    public Builder bindingConditions(List<String> values) {
      this.bindingConditions =
          Checks.list("DeviceRequestAllocationResult.bindingConditions", values);
      return this;
    }

    /**
     * Replaces the conditions that make the allocation fail (KEP-5007).
     *
     * @param values conditions that each make the allocation fail
     * @return this builder
     */
    public Builder bindingFailureConditions(List<String> values) {
      this.bindingFailureConditions =
          Checks.list("DeviceRequestAllocationResult.bindingFailureConditions", values);
      return this;
    }

    /**
     * Sets the identity of the allocated share of the device (KEP-5075).
     *
     * @param shareId a UUID, or {@code null} for a whole device
     * @return this builder
     */
    public Builder shareId(@Nullable String shareId) {
      this.shareId = shareId;
      return this;
    }

    /**
     * Replaces the amounts that the share consumes (KEP-5075).
     *
     * @param values amounts by the name of the capacity
     * @return this builder
     */
    public Builder consumedCapacity(Map<String, Quantity> values) {
      this.consumedCapacity = Checks.map("DeviceRequestAllocationResult.consumedCapacity", values);
      return this;
    }

    /**
     * Replaces the kubelet calls that the driver does not need (KEP-5945).
     *
     * @param values {@code NodePrepareResources}, {@code NodeUnprepareResources} or {@code *}
     * @return this builder
     */
    public Builder skipNodeOperations(List<String> values) {
      this.skipNodeOperations =
          Checks.list("DeviceRequestAllocationResult.skipNodeOperations", values);
      return this;
    }

    /** {@return a result with the fields set so far} */
    public DeviceRequestAllocationResult build() {
      return new DeviceRequestAllocationResult(
          request,
          driver,
          pool,
          device,
          adminAccess,
          tolerations,
          bindingConditions,
          bindingFailureConditions,
          shareId,
          consumedCapacity,
          skipNodeOperations);
    }
  }
}
