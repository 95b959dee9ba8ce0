package io.dra4j.model;

import io.dra4j.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * A rule that taints devices independently of their drivers (KEP-5055).
 *
 * @param metadata the rule's name
 * @param deviceSelector the devices that it selects; {@code null} for none
 * @param taint the taint that they get
 */
public record DeviceTaintRule(
    ObjectMeta metadata, @Nullable DeviceTaintSelector deviceSelector, DeviceTaint taint)
    implements KubernetesObject {
  /** Rejects null except for {@code deviceSelector}. {@inheritDoc} */
  public DeviceTaintRule {
    Checks.value("DeviceTaintRule.metadata", metadata);
    Checks.value("DeviceTaintRule.taint", taint);
  }
}
