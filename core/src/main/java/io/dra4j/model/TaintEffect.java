package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * What a taint does: that of a device to claims that do not tolerate it (KEP-5055), that of a node
 * to pods. An open enumeration: values that this version does not know are kept.
 *
 * @param value the value as written in the manifest
 */
public record TaintEffect(String value) {

  /** Refuses null. {@inheritDoc} */
  public TaintEffect {
    Checks.value("TaintEffect.value", value);
  }

  /** Of devices only: no effect; the taint only informs. */
  public static final TaintEffect NONE = new TaintEffect("None");

  /** The device is not given to new claims, the node not to new pods. */
  public static final TaintEffect NO_SCHEDULE = new TaintEffect("NoSchedule");

  /** Of nodes only: new pods run elsewhere if they can. */
  public static final TaintEffect PREFER_NO_SCHEDULE = new TaintEffect("PreferNoSchedule");

  /** As {@link #NO_SCHEDULE}, and pods that use the device or run on the node are evicted. */
  public static final TaintEffect NO_EXECUTE = new TaintEffect("NoExecute");

  /** No effect given. In a toleration it stands for every effect. */
  public static final TaintEffect UNSET = new TaintEffect("");

  @Override
  public String toString() {
    return value;
  }
}
