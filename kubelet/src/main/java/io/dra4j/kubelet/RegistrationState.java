package io.dra4j.kubelet;

/** How far a kubelet plugin is with its registration. */
public enum RegistrationState {
  /** The kubelet has not answered yet. */
  WAITING,
  /** The kubelet uses the plugin. */
  REGISTERED,
  /** The kubelet refused the plugin; its reason is logged. */
  REFUSED
}
