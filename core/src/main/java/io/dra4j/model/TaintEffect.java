package io.dra4j.model;

/**
 * What a device taint does to claims that do not tolerate it (KEP-5055). An open enumeration:
 * values that this version does not know are kept.
 *
 * @param value the value as written in the manifest
 */
public record TaintEffect(String value) {

  /** No effect; the taint only informs. */
  public static final TaintEffect NONE = new TaintEffect("None");

  /** The device is not given to new claims. */
  public static final TaintEffect NO_SCHEDULE = new TaintEffect("NoSchedule");

  /** As {@link #NO_SCHEDULE}, and pods that use the device are evicted. */
  public static final TaintEffect NO_EXECUTE = new TaintEffect("NoExecute");

  /** No effect given. In a toleration it stands for every effect. */
  public static final TaintEffect UNSET = new TaintEffect("");

  @Override
  public String toString() {
    return value;
  }
}
