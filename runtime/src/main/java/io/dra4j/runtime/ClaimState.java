package io.dra4j.runtime;

/** How far a driver is with a claim, or with a claim in a sandbox, as the store keeps it. */
public enum ClaimState {
  /** Begun; a process that finds it after a restart takes it back. */
  STARTING,
  /** Done: prepared, or attached. */
  DONE,
  /** Being taken back; a process that finds it after a restart goes on with it. */
  STOPPING
}
