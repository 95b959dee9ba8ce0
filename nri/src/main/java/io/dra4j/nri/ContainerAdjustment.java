package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The additions to a container before it is created.
 *
 * @param env environment variables by name
 * @param mounts mounts
 * @param devices device nodes; the runtime also allows them in the cgroup of the container
 * @param cdiDevices fully qualified names of CDI devices, such as {@code vendor.com/class=name}
 * @param annotations annotations of the container
 */
public record ContainerAdjustment(
    Map<String, String> env,
    List<ContainerMount> mounts,
    List<LinuxDevice> devices,
    List<String> cdiDevices,
    Map<String, String> annotations) {

  /** The adjustment that changes nothing. */
  public static final ContainerAdjustment NONE = builder().build();

  /** {@inheritDoc} */
  public ContainerAdjustment {
    env = copy(requireNonNull(env, "env"));
    mounts = List.copyOf(requireNonNull(mounts, "mounts"));
    devices = List.copyOf(requireNonNull(devices, "devices"));
    cdiDevices = List.copyOf(requireNonNull(cdiDevices, "cdiDevices"));
    annotations = copy(requireNonNull(annotations, "annotations"));
  }

  private static Map<String, String> copy(Map<String, String> map) {
    map.forEach(
        (name, value) -> {
          requireNonNull(name, "name");
          requireNonNull(value, name);
        });
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** {@return a builder of an adjustment that changes nothing yet} */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the additions to a container. */
  public static final class Builder {
    private final Map<String, String> env = new LinkedHashMap<>();
    private final List<ContainerMount> mounts = new ArrayList<>();
    private final List<LinuxDevice> devices = new ArrayList<>();
    private final List<String> cdiDevices = new ArrayList<>();
    private final Map<String, String> annotations = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Sets an environment variable.
     *
     * @param name the name of the variable
     * @param value the value
     * @return this builder
     */
    public Builder env(String name, String value) {
      env.put(requireNonNull(name, "name"), requireNonNull(value, "value"));
      return this;
    }

    /**
     * Adds a mount.
     *
     * @param mount the mount
     * @return this builder
     */
    public Builder mount(ContainerMount mount) {
      mounts.add(requireNonNull(mount, "mount"));
      return this;
    }

    /**
     * Adds a device node.
     *
     * @param device the device node
     * @return this builder
     */
    public Builder device(LinuxDevice device) {
      devices.add(requireNonNull(device, "device"));
      return this;
    }

    /**
     * Adds a CDI device, which the runtime looks up in its CDI directories.
     *
     * @param name the fully qualified name of the device
     * @return this builder
     */
    public Builder cdiDevice(String name) {
      cdiDevices.add(requireNonNull(name, "name"));
      return this;
    }

    /**
     * Sets an annotation of the container.
     *
     * @param key the key of the annotation
     * @param value the value
     * @return this builder
     */
    public Builder annotation(String key, String value) {
      annotations.put(requireNonNull(key, "key"), requireNonNull(value, "value"));
      return this;
    }

    /** {@return the adjustment} */
    public ContainerAdjustment build() {
      return new ContainerAdjustment(env, mounts, devices, cdiDevices, annotations);
    }
  }
}
