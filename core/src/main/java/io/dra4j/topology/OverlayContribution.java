package io.dra4j.topology;

import java.util.List;

/**
 * The contribution of one overlay to one topology during its construction by {@link
 * HostTopologyBuilder}: first devices, then corrections, then a layer of paths and the links
 * outside the tree. For the builder only.
 */
abstract sealed class OverlayContribution permits TreeContribution, MatrixContribution {

  OverlayContribution() {}

  /** Starts the contribution of an overlay to one topology. */
  static OverlayContribution of(TopologyOverlay overlay) {
    return overlay instanceof TreeOverlay tree
        ? new TreeContribution(tree)
        : new MatrixContribution((MatrixOverlay) overlay);
  }

  /** Adds devices, bridges, NUMA nodes and processors. */
  abstract void addTo(TopologyParts parts);

  /** Returns the devices with the corrections of the overlay, in the same number and order. */
  List<TopologyDevice> correct(List<TopologyDevice> sorted, List<String> warnings) {
    return sorted;
  }

  /** Creates the layer of paths, by the positions of devices in the list. */
  abstract PathLayer layer(List<TopologyDevice> sorted, TopologyParts parts);

  /** Returns the links between devices, by their ids. */
  abstract List<DirectLink> links();
}
