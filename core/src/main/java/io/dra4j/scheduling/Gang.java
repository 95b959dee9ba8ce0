package io.dra4j.scheduling;

import java.util.List;

/**
 * Pods that are placed together: those of a stateful set or a job, or of a PodGroup that is a gang.
 *
 * @param name how messages name the gang: its kind, {@code namespace/name}
 * @param pods its pods, in their order
 * @param minCount so many of them have to be placed at a time for any to be, 1 or more; where there
 *     are fewer, none is
 * @param topologyKeys node labels in whose value all nodes of the gang have to agree
 */
public record Gang(String name, List<PodToPlace> pods, int minCount, List<String> topologyKeys) {

  /** Copies the lists. {@inheritDoc} */
  public Gang {
    pods = List.copyOf(pods);
    topologyKeys = List.copyOf(topologyKeys);
  }
}
