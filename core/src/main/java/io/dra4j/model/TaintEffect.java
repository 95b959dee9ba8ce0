package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The effect of a taint: of a device on claims that do not tolerate it (KEP-5055), or of a node on
 * pods. An open enumeration: unknown values are kept.
 *
 * @param value the value as written in the manifest
 */
public record TaintEffect(String value) {

  /** Rejects null. {@inheritDoc} */
  public TaintEffect {
    Checks.value("TaintEffect.value", value);
  }

  /** No effect, only information. For devices only. */
  public static final TaintEffect NONE = new TaintEffect("None");

  /** The device is not allocated to new claims; the node gets no new pods. */
  public static final TaintEffect NO_SCHEDULE = new TaintEffect("NoSchedule");

  /** New pods run on other nodes if possible. For nodes only. */
  public static final TaintEffect PREFER_NO_SCHEDULE = new TaintEffect("PreferNoSchedule");

  /** As {@link #NO_SCHEDULE}, and pods that use the device or run on the node are evicted. */
  public static final TaintEffect NO_EXECUTE = new TaintEffect("NoExecute");

  /** No effect given. In a toleration, it means every effect. */
  public static final TaintEffect UNSET = new TaintEffect("");

  @Override
  public String toString() {
    return value;
  }
}
