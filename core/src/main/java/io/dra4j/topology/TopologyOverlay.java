package io.dra4j.topology;

/**
 * The topology of a host as another tool recorded it. The devices and paths of an overlay take
 * precedence over those of the host itself, and a later overlay over an earlier one. Reason:
 * hypervisors show a guest another PCI tree than the real one, and the vendors of such machines
 * publish the real one.
 *
 * <p>The precedence applies to contradictions. An ambiguous path of an overlay ({@link
 * PathType#HOST_BRIDGE_OR_NUMA_NODE}) does not replace a precise path of the host or an earlier
 * overlay.
 */
public sealed interface TopologyOverlay permits TreeOverlay, MatrixOverlay {

  /** {@return the place where it was read, for messages, for example the name of a file} */
  String origin();

  /** {@return the kind of the record} */
  TopologySource source();

  /**
   * {@return the number of NICs, GPUs and accelerators of the record that a host has, matched by
   * their PCI addresses, or for a matrix by names and order}
   *
   * @param host the host, without this record
   */
  OverlayMatch match(HostTopology host);
}
