package io.dra4j.sysfs;

import io.dra4j.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The list form of the attribute {@code resource.kubernetes.io/numaNode} ({@code
 * k8s.io/dynamic-resource-allocation/deviceattribute}): the node of the device, then the nearest
 * other nodes of the same socket.
 */
public final class NearNumaNodes {

  private NearNumaNodes() {}

  /**
   * {@return the node of the device, then the nearest other nodes of the same socket}
   *
   * @param id the node of the device
   * @param nodes the nodes of the host by number
   */
  public static List<Long> of(int id, List<NumaNode> nodes) {
    List<Long> near = new ArrayList<>(List.of((long) id));
    int self = indexOf(id, nodes);
    if (self < 0 || nodes.get(self).distances().size() < nodes.size()) {
      return near; // without distances no node is known to be near
    }
    List<Integer> distances = nodes.get(self).distances();
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < nodes.size(); i++) {
      if (i != self) {
        least = Math.min(least, distances.get(i));
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      if (i != self && distances.get(i) == least && sameSocket(nodes.get(self), nodes.get(i))) {
        near.add((long) nodes.get(i).id());
      }
    }
    return near;
  }

  private static boolean sameSocket(NumaNode a, NumaNode b) {
    OptionalInt socket = a.socket();
    return socket.isEmpty() || b.socket().isEmpty() || socket.equals(b.socket());
  }

  private static int indexOf(int id, List<NumaNode> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }
}
