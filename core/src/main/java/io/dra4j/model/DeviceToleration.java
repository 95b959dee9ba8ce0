package io.dra4j.model;

import org.jspecify.annotations.Nullable;

/**
 * Lets a request use devices with matching taints (KEP-5055).
 *
 * @param key the taint key tolerated; empty stands for every key
 * @param operator how the value is compared
 * @param value the taint value tolerated; empty when not given
 * @param effect the effect tolerated; {@link TaintEffect#UNSET} stands for every effect
 * @param tolerationSeconds how long a {@code NoExecute} taint is tolerated, in seconds, or {@code
 *     null} for ever; matters to eviction, not to allocation
 */
public record DeviceToleration(
    String key,
    TolerationOperator operator,
    String value,
    TaintEffect effect,
    @Nullable Long tolerationSeconds) {

  /**
   * Whether this toleration covers the taint (API type documentation of {@code DeviceToleration}).
   *
   * @param taint the taint
   * @return whether effect, key and value are all covered
   */
  public boolean tolerates(DeviceTaint taint) {
    if (!effect.equals(TaintEffect.UNSET) && !effect.equals(taint.effect())) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    if (operator.equals(TolerationOperator.EXISTS)) {
      return true;
    }
    return (operator.value().isEmpty() || operator.equals(TolerationOperator.EQUAL))
        && value.equals(taint.value());
  }
}
