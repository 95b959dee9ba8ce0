package io.dra4j.topology;

/**
 * What another tool recorded about a host. Where an overlay knows a device or a path, it wins over
 * what the host itself says, and a later overlay over an earlier one: hypervisors show a guest
 * another PCI tree than the real one, and the vendors of such machines publish the real one.
 *
 * <p>That is so where they contradict each other. An overlay that leaves open what the host or an
 * earlier overlay knows ({@link PathType#HOST_BRIDGE_OR_NUMA_NODE}) takes nothing from them.
 */
public sealed interface TopologyOverlay permits TreeOverlay, MatrixOverlay {

  /**
   * Where it was read, for messages.
   *
   * @return for example the name of a file
   */
  String origin();

  /**
   * What kind of record it is.
   *
   * @return the kind
   */
  TopologySource source();

  /**
   * Counts which of the recorded devices a host has.
   *
   * @param host the host, without this record
   * @return how many of the NICs, GPUs and accelerators of the record are on the host: by their PCI
   *     addresses, those of a matrix by their names and their order
   */
  OverlayMatch match(HostTopology host);
}
