package io.dra4j.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named kind of device that administrators offer.
 *
 * @param metadata the name that requests refer to
 * @param selectors must all match a device of the class
 * @param config parameters for drivers
 * @param extendedResourceName the extended resource that pods may ask for instead, or {@code null}
 */
public record DeviceClass(
    ObjectMeta metadata,
    List<DeviceSelector> selectors,
    List<DeviceClassConfiguration> config,
    @Nullable String extendedResourceName)
    implements KubernetesObject {

  /** Copies the lists. {@inheritDoc} */
  public DeviceClass {
    selectors = List.copyOf(selectors);
    config = List.copyOf(config);
  }

  /**
   * A class with selectors and no configuration.
   *
   * @param name the class name
   * @param expressions CEL expressions that must all match
   * @return the class
   */
  public static DeviceClass named(String name, String... expressions) {
    List<DeviceSelector> selectors =
        List.of(expressions).stream().map(DeviceSelector::cel).toList();
    return new DeviceClass(ObjectMeta.named(name), selectors, List.of(), null);
  }
}
