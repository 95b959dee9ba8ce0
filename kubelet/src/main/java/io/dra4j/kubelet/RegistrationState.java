package io.dra4j.kubelet;

/** The states of the registration of a kubelet plugin. */
public enum RegistrationState {
  /** The kubelet has not answered yet. */
  WAITING,
  /** The kubelet uses the plugin. */
  REGISTERED,
  /** The kubelet refused the plugin; its reason is logged. */
  REFUSED
}
