package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of an allocation: the devices of a claim ({@code status.allocation}).
 *
 * @param results the devices, in the order in which they were chosen
 * @param config parameters for the drivers, parameters of classes first
 * @param nodeSelector the nodes on which the devices can be used, or {@code null} for every node
 * @param allocationTimestamp the time at which the allocation was written, RFC 3339, or {@code
 *     null}
 */
public record AllocationResult(
    List<DeviceRequestAllocationResult> results,
    List<DeviceAllocationConfiguration> config,
    @Nullable NodeSelector nodeSelector,
    @Nullable String allocationTimestamp) {

  /** Copies the lists. {@inheritDoc} */
  public AllocationResult {
    results = Checks.list("AllocationResult.results", results);
    config = Checks.list("AllocationResult.config", config);
  }

  /** The devices with their requests, then all other fields that are set. */
  @Override
  public String toString() {
    OptionalFields extras = new OptionalFields();
    extras.add("config", config);
    extras.add("where", nodeSelector);
    extras.add("at", allocationTimestamp);
    String devices = results.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return PrintableText.of((results.isEmpty() ? "no devices" : devices) + extras);
  }

  /** {@return a builder of an allocation, without devices so far} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder with all fields of this allocation} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.results.set(results);
    builder.config.set(config);
    builder.nodeSelector = nodeSelector;
    builder.allocationTimestamp = allocationTimestamp;
    return builder;
  }

  /** Collects the fields of an allocation; what is not set stays empty. */
  public static final class Builder {

    private final ListField<DeviceRequestAllocationResult> results =
        new ListField<>("AllocationResult.results");
    private final ListField<DeviceAllocationConfiguration> config =
        new ListField<>("AllocationResult.config");
    private @Nullable NodeSelector nodeSelector;
    private @Nullable String allocationTimestamp;

    private Builder() {}

    /**
     * Adds a device to the allocation.
     *
     * @param result the device and its request
     * @return this builder
     */
    public Builder result(DeviceRequestAllocationResult result) {
      results.add(result);
      return this;
    }

    /**
     * Replaces the devices of the allocation.
     *
     * @param values in the order of choice
     * @return this builder
     */
    public Builder results(List<DeviceRequestAllocationResult> values) {
      results.set(values);
      return this;
    }

    /**
     * Replaces the parameters for the drivers of the devices.
     *
     * @param values parameters of classes first
     * @return this builder
     */
    public Builder config(List<DeviceAllocationConfiguration> values) {
      config.set(values);
      return this;
    }

    /**
     * Sets the nodes on which the devices can be used.
     *
     * @param nodeSelector the nodes, or {@code null} for all
     * @return this builder
     */
    public Builder nodeSelector(@Nullable NodeSelector nodeSelector) {
      this.nodeSelector = nodeSelector;
      return this;
    }

    /**
     * Sets the time at which the devices were allocated.
     *
     * @param allocationTimestamp RFC 3339, or {@code null} if that is not known
     * @return this builder
     */
    public Builder allocationTimestamp(@Nullable String allocationTimestamp) {
      this.allocationTimestamp = allocationTimestamp;
      return this;
    }

    /** {@return an allocation with the fields set so far} */
    public AllocationResult build() {
      return new AllocationResult(results.get(), config.get(), nodeSelector, allocationTimestamp);
    }
  }
}
