package io.dra4j.topology;

import java.util.List;

/**
 * What one overlay adds to one topology while {@link HostTopologyBuilder} puts it together: devices
 * first, then corrections of them, then a layer of paths and the links beside it. For the builder
 * only; what an overlay says is on the overlay itself.
 */
abstract sealed class OverlayContribution permits TreeContribution, MatrixContribution {

  OverlayContribution() {}

  /** Starts what an overlay adds to one topology. */
  static OverlayContribution of(TopologyOverlay overlay) {
    return overlay instanceof TreeOverlay tree
        ? new TreeContribution(tree)
        : new MatrixContribution((MatrixOverlay) overlay);
  }

  /** Adds devices, bridges, NUMA nodes and processors. */
  abstract void addTo(TopologyParts parts);

  /** Returns the devices as the overlay knows them better; as many, in the same order. */
  List<TopologyDevice> correct(List<TopologyDevice> sorted, List<String> warnings) {
    return sorted;
  }

  /** Makes the layer of paths, by the places of devices in the list. */
  abstract PathLayer layer(List<TopologyDevice> sorted, TopologyParts parts);

  /** Returns the links between devices, by their ids. */
  abstract List<DirectLink> links();
}
