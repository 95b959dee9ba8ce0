package io.dra4j.runtime;

/** How far a driver is with a claim, or with a claim in a sandbox, as the store keeps it. */
public enum ClaimState {
  /** Begun; a process that finds it after a restart takes it back. */
  STARTING,
  /** Done: prepared, or attached. */
  DONE,
  /** Being taken back; a process that finds it after a restart goes on with it. */
  STOPPING,
  /**
   * Of an attachment: the devices are on the host again, and settings that take longer are being
   * restored.
   */
  SETTLING,
  /**
   * Part of the entry cannot be read: where the devices are is not known. Nothing but {@link
   * ClaimService#forget} ends it.
   */
  DAMAGED;

  /** A state of a newer release is one that is taken back. */
  static ClaimState ofText(String text) {
    for (ClaimState state : values()) {
      if (state.name().equals(text)) {
        return state;
      }
    }
    return STOPPING;
  }
}
