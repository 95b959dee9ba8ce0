package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Taints devices from outside of their driver (KEP-5055).
 *
 * @param metadata the rule's name
 * @param deviceSelector the devices that it is for; {@code null} for none
 * @param taint the taint that they get
 */
public record DeviceTaintRule(
    ObjectMeta metadata, @Nullable DeviceTaintSelector deviceSelector, DeviceTaint taint)
    implements KubernetesObject {
  /** Refuses null but for {@code deviceSelector}. {@inheritDoc} */
  public DeviceTaintRule {
    Checks.value("DeviceTaintRule.metadata", metadata);
    Checks.value("DeviceTaintRule.taint", taint);
  }
}
