package io.dra4j.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks for, and what came of it.
 *
 * @param metadata namespace and name
 * @param spec what is asked for
 * @param status what came of it
 */
public record ResourceClaim(ObjectMeta metadata, ResourceClaimSpec spec, ResourceClaimStatus status)
    implements KubernetesObject {

  /**
   * Starts a claim in the default namespace.
   *
   * @param name its name
   * @return a builder
   */
  public static Builder named(String name) {
    return new Builder(ObjectMeta.named(name));
  }

  /**
   * Starts a claim.
   *
   * @param namespace its namespace
   * @param name its name
   * @return a builder
   */
  public static Builder named(String namespace, String name) {
    return new Builder(ObjectMeta.named(namespace, name));
  }

  /**
   * The devices that the claim holds.
   *
   * @return the allocation, or {@code null} while the claim is pending
   */
  public @Nullable AllocationResult allocation() {
    return status.allocation();
  }

  /**
   * The same claim with an allocation.
   *
   * @param allocation the devices it got
   * @return the claim, its status otherwise unchanged
   */
  public ResourceClaim withAllocation(AllocationResult allocation) {
    return new ResourceClaim(
        metadata,
        spec,
        new ResourceClaimStatus(allocation, status.reservedFor(), status.devices()));
  }

  /**
   * How messages name the claim.
   *
   * @return {@code namespace/name}
   */
  public String displayName() {
    return metadata.namespaceOrDefault() + "/" + metadata.name();
  }

  /** Collects the requests, constraints and configuration of a claim. */
  public static final class Builder {

    /** Two requests a pair, and a claim has at most 32 requests. */
    private static final int MAX_PAIRS = 16;

    private final ObjectMeta metadata;
    private final List<DeviceRequest> requests = new ArrayList<>();
    private final List<DeviceConstraint> constraints = new ArrayList<>();
    private final List<DeviceClaimConfiguration> config = new ArrayList<>();

    private Builder(ObjectMeta metadata) {
      this.metadata = metadata;
    }

    /**
     * Adds a request.
     *
     * @param name its name
     * @param request says what devices it asks for
     * @return this builder
     */
    public Builder request(String name, Consumer<ExactDeviceRequest.Builder> request) {
      return request(DeviceRequest.exactly(name, build(request)));
    }

    /**
     * Adds a request.
     *
     * @param request the request
     * @return this builder
     */
    public Builder request(DeviceRequest request) {
      requests.add(request);
      return this;
    }

    /**
     * Adds {@code count} pairs of devices, each pair behind one PCIe root: requests {@code gpu-0},
     * {@code nic-0}, {@code gpu-1} and so on, and a {@code matchAttribute} constraint on {@code
     * resource.kubernetes.io/pcieRoot} for each pair.
     *
     * @param count how many pairs, 1 to 16
     * @param gpu says what the first device of each pair is
     * @param nic says what the second device of each pair is
     * @return this builder
     * @throws IllegalArgumentException if {@code count} is not between 1 and 16
     */
    public Builder pairs(
        int count,
        Consumer<ExactDeviceRequest.Builder> gpu,
        Consumer<ExactDeviceRequest.Builder> nic) {
      if (count < 1 || count > MAX_PAIRS) {
        throw new IllegalArgumentException(
            "a claim can hold 1 to " + MAX_PAIRS + " pairs, not " + count);
      }
      for (int i = 0; i < count; i++) {
        request("gpu-" + i, gpu);
        request("nic-" + i, nic);
        constraint(
            DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "gpu-" + i, "nic-" + i));
      }
      return this;
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
     * @param configuration the parameters and the requests that they are for
     * @return this builder
     */
    public Builder config(DeviceClaimConfiguration configuration) {
      config.add(configuration);
      return this;
    }

    /**
     * Makes the claim.
     *
     * @return a pending claim with the parts added so far
     */
    public ResourceClaim build() {
      return new ResourceClaim(
          metadata,
          new ResourceClaimSpec(requests, constraints, config),
          ResourceClaimStatus.EMPTY);
    }

    private static ExactDeviceRequest build(Consumer<ExactDeviceRequest.Builder> request) {
      ExactDeviceRequest.Builder builder = new ExactDeviceRequest.Builder();
      request.accept(builder);
      return builder.build();
    }
  }
}
