package io.dra4j.runtime;

/** The state of a claim of a driver, or of an attachment to a sandbox, as stored. */
public enum ClaimState {
  /** Preparing or attaching has started; after a restart, the next process undoes it. */
  STARTING,
  /** The claim is prepared or attached. */
  DONE,
  /** The claim is being undone; after a restart, the next process continues. */
  STOPPING,
  /** For an attachment: the devices are on the host again; slower settings are being restored. */
  SETTLING,
  /**
   * The claim is quarantined: part of its record in the store is damaged, so it is unknown where
   * its devices are. Only {@link ClaimService#forget} ends this state.
   */
  DAMAGED;

  /** Returns the state of a name. An unknown state of a newer release is undone. */
  static ClaimState ofText(String text) {
    for (ClaimState state : values()) {
      if (state.name().equals(text)) {
        return state;
      }
    }
    return STOPPING;
  }
}
