package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request of a user for devices, and its allocation.
 *
 * @param metadata namespace and name
 * @param spec the requested devices
 * @param status its allocation, reservations and devices
 */
public record ResourceClaim(ObjectMeta metadata, ResourceClaimSpec spec, ResourceClaimStatus status)
    implements KubernetesObject {

  /** Rejects null. {@inheritDoc} */
  public ResourceClaim {
    Checks.value("ResourceClaim.metadata", metadata);
    Checks.value("ResourceClaim.spec", spec);
    Checks.value("ResourceClaim.status", status);
  }

  /**
   * {@return a builder of a claim in the default namespace}
   *
   * @param name its name
   */
  public static Builder named(String name) {
    return new Builder(ObjectMeta.named(name));
  }

  /**
   * {@return a builder of a claim}
   *
   * @param namespace its namespace
   * @param name its name
   */
  public static Builder named(String namespace, String name) {
    return new Builder(ObjectMeta.named(namespace, name));
  }

  /** {@return the devices that are allocated to the claim, or {@code null} while it is pending} */
  public @Nullable AllocationResult allocation() {
    return status.allocation();
  }

  /**
   * {@return this claim with an allocation; the rest of its status is unchanged}
   *
   * @param allocation the devices
   */
  public ResourceClaim withAllocation(AllocationResult allocation) {
    return toBuilder().allocation(Checks.value("allocation", allocation)).build();
  }

  /** {@return the name of the claim in messages, {@code namespace/name}} */
  public String displayName() {
    return metadata.namespaceOrDefault() + "/" + metadata.name();
  }

  /** {@return a builder with all fields of this claim} */
  public Builder toBuilder() {
    return new Builder(metadata).spec(spec).status(status);
  }

  /** Collects the requests, constraints and configuration of a claim, and its status. */
  public static final class Builder {

    /** The maximum that the API server accepts (resource/v1, DeviceRequestsMaxSize). */
    private static final int MAX_REQUESTS = 32;

    private final ListField<DeviceRequest> requests = new ListField<>("ResourceClaim.requests");
    private final ListField<DeviceConstraint> constraints =
        new ListField<>("ResourceClaim.constraints");
    private final ListField<DeviceClaimConfiguration> config =
        new ListField<>("ResourceClaim.config");
    private ObjectMeta metadata;
    private ResourceClaimStatus status = ResourceClaimStatus.EMPTY;

    private Builder(ObjectMeta metadata) {
      this.metadata = metadata;
    }

    /**
     * Sets namespace, name and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("ResourceClaim.metadata", metadata);
      return this;
    }

    /**
     * Replaces all requests, constraints and configuration, without a check.
     *
     * @param spec the specification
     * @return this builder
     */
    public Builder spec(ResourceClaimSpec spec) {
      requests.set(Checks.value("ResourceClaim.spec", spec).requests());
      constraints.set(spec.constraints());
      config.set(spec.config());
      return this;
    }

    /**
     * Sets the status of the claim.
     *
     * @param status the status
     * @return this builder
     */
    public Builder status(ResourceClaimStatus status) {
      this.status = Checks.value("ResourceClaim.status", status);
      return this;
    }

    /**
     * Sets the allocated devices, and keeps the rest of the status.
     *
     * @param value the devices, or {@code null} for a pending claim
     * @return this builder
     */
    public Builder allocation(@Nullable AllocationResult value) {
      return status(new ResourceClaimStatus(value, status.reservedFor(), status.devices()));
    }

    /**
     * Adds a request.
     *
     * @param name its name, unique in the claim
     * @param request sets the requested devices
     * @return this builder
     * @throws IllegalArgumentException if the claim already has a request with this name
     */
    public Builder request(String name, Consumer<ExactDeviceRequest.Builder> request) {
      return request(DeviceRequest.exactly(name, request));
    }

    /**
     * Adds a request.
     *
     * @param request the request
     * @return this builder
     * @throws IllegalArgumentException if the claim already has a request with this name
     */
    public Builder request(DeviceRequest request) {
      Checks.value("request", request);
      if (hasRequest(request.name())) {
        throw new IllegalArgumentException(
            "claim %s already has a request %s".formatted(metadata.name(), request.name()));
      }
      requests.add(request);
      return this;
    }

    /**
     * Adds pairs of a GPU and a NIC, each pair behind one PCIe root: requests {@code gpu-0}, {@code
     * nic-0}, {@code gpu-1} and so on, and a {@code matchAttribute} constraint on {@code
     * resource.kubernetes.io/pcieRoot} for each pair.
     *
     * @param count the number of pairs, 1 to 16
     * @param gpu sets the requested first device of each pair
     * @param nic sets the requested second device of each pair
     * @return this builder
     * @throws IllegalArgumentException if {@code count} is below 1, or the claim would have more
     *     than 32 requests
     */
    public Builder pairs(
        int count,
        Consumer<ExactDeviceRequest.Builder> gpu,
        Consumer<ExactDeviceRequest.Builder> nic) {
      return pairs(
          count,
          StandardAttributes.PCIE_ROOT,
          DeviceRequest.exactly("gpu", Checks.value("gpu", gpu)),
          DeviceRequest.exactly("nic", Checks.value("nic", nic)));
    }

    /**
     * Adds pairs of devices that share a value of an attribute: for each pair the two requests,
     * with a number after their names, and a {@code matchAttribute} constraint. Numbering starts at
     * 0, or after the last pair if the claim already has pairs with these names.
     *
     * <pre>{@code
     * claim.pairs(4, "resource.kubernetes.io/numaNode",
     *     DeviceRequest.exactly("accelerator", r -> r.deviceClass("tpu.example.com")),
     *     DeviceRequest.exactly("disk", r -> r.deviceClass("nvme.example.com")))
     * }</pre>
     *
     * @param count the number of pairs, at least 1
     * @param attribute the attribute, {@code domain/id}
     * @param first the request for the first device of each pair; the name {@code accelerator}
     *     gives {@code accelerator-0} and so on
     * @param second the request for the second device of each pair, with another name
     * @return this builder
     * @throws IllegalArgumentException if {@code count} is below 1, the two names are equal, or the
     *     claim would have more than 32 requests, which the API server rejects
     */
    public Builder pairs(int count, String attribute, DeviceRequest first, DeviceRequest second) {
      Checks.value("attribute", attribute);
      Checks.value("first", first);
      Checks.value("second", second);
      int have = requests.get().size();
      if (count < 1 || count > (MAX_REQUESTS - have) / 2) {
        throw new IllegalArgumentException(
            "claim %s: expected 1 to %d pairs, found %d: a claim has at most %d requests, %d are there"
                .formatted(metadata.name(), (MAX_REQUESTS - have) / 2, count, MAX_REQUESTS, have));
      }
      if (first.name().equals(second.name())) {
        throw new IllegalArgumentException(
            "both requests of a pair are named %s".formatted(first.name()));
      }
      int number = 0;
      while (hasRequest(first.name() + "-" + number) || hasRequest(second.name() + "-" + number)) {
        number++;
      }
      for (int i = 0; i < count; i++, number++) {
        DeviceRequest one = first.withName(first.name() + "-" + number);
        DeviceRequest other = second.withName(second.name() + "-" + number);
        request(one).request(other);
        constraint(DeviceConstraint.matchAttribute(attribute, one.name(), other.name()));
      }
      return this;
    }

    private boolean hasRequest(String name) {
      return requests.get().stream().anyMatch(request -> request.name().equals(name));
    }

    /**
     * Adds a constraint.
     *
     * @param constraint the constraint
     * @return this builder
     */
    public Builder constraint(DeviceConstraint constraint) {
      constraints.add(constraint);
      return this;
    }

    /**
     * Adds parameters for a driver.
     *
     * @param configuration the parameters and the requests that they apply to
     * @return this builder
     */
    public Builder config(DeviceClaimConfiguration configuration) {
      config.add(configuration);
      return this;
    }

    /**
     * Adds parameters for a driver, for all requests or only for the named ones.
     *
     * <pre>{@code
     * claim.config("gpu.example.com", "{\"keepAwake\": true}", "gpu")
     * }</pre>
     *
     * @param driver the name of the driver
     * @param json the parameters, a JSON object of at most 10 KiB; checked only when the claim is
     *     written or validated
     * @param requests the requests, or {@code request/alternative}, that they apply to; none for
     *     all
     * @return this builder
     */
    public Builder config(String driver, String json, String... requests) {
      return config(
          new DeviceClaimConfiguration(
              Checks.array("requests", requests), new OpaqueDeviceConfiguration(driver, json)));
    }

    /** {@return a claim with the parts added so far, pending unless an allocation was set} */
    public ResourceClaim build() {
      return new ResourceClaim(
          metadata, new ResourceClaimSpec(requests.get(), constraints.get(), config.get()), status);
    }
  }
}
