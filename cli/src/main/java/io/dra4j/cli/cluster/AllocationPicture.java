package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.input.SliceHosts;
import io.dra4j.cli.topology.TopologyPicture;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.PlacementScore;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.topology.HostTopology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The answer of {@code allocate} as pictures: each server on which pods were placed, and some
 * servers that refused pods. A picture shows the outcome of each device, and a line between the GPU
 * and the NIC of each pair, as wide as its bandwidth.
 */
final class AllocationPicture {

  private AllocationPicture() {}

  /**
   * Draws the pictures.
   *
   * @param inventory the devices of the servers
   * @param outcome the outcome of the pods and claims
   * @param allocator determines which devices can be allocated
   * @return an SVG for each server, by node name
   */
  static Map<String, String> of(
      DeviceInventory inventory, ClusterOutcome outcome, Allocator allocator) {
    Map<String, List<TopologyPicture.Joint>> joints = new LinkedHashMap<>();
    PicturedNodes.of(outcome.pods()).forEach(node -> joints.put(node, new ArrayList<>()));
    for (PodOutcome one : outcome.pods()) {
      if (one instanceof PodOutcome.Placed pod
          && pod.score().orElse(null) instanceof PlacementScore score) {
        List<TopologyPicture.Joint> ofNode = Objects.requireNonNull(joints.get(pod.node()));
        score.pairs().forEach(pair -> ofNode.add(joint(pod.pod().name(), pair)));
      }
    }
    Map<String, DeviceWords> words = DeviceWords.after(allocator, inventory, outcome);
    Set<DeviceId> taken = taken(outcome);
    Map<String, List<ResourceSlice>> slices = SliceHosts.ofSlices(inventory.publishedSlices());
    Map<String, String> pictures = new LinkedHashMap<>();
    joints.forEach(
        (node, lines) -> {
          List<ResourceSlice> ofNode = slices.getOrDefault(node, List.of());
          DeviceWords ofDevices = Objects.requireNonNull(words.get(node));
          pictures.put(
              node,
              TopologyPicture.of(
                  node, HostTopology.ofSlices(ofNode).build(), lines, taken, ofDevices::phrase));
        });
    return pictures;
  }

  /** Returns the devices that claims hold, including earlier claims. */
  private static Set<DeviceId> taken(ClusterOutcome outcome) {
    Set<DeviceId> taken = new HashSet<>();
    for (ResourceClaim claim : outcome.claims().values()) {
      if (claim.allocation() != null) {
        claim.allocation().results().forEach(result -> taken.add(result.deviceId()));
      }
    }
    return taken;
  }

  private static TopologyPicture.Joint joint(String pod, PlacementScore.Pair pair) {
    return new TopologyPicture.Joint(
        pair.gpu(),
        pair.nic(),
        pair.gigabytesPerSecond(),
        "%s: %s to %s, %s, %s GB/s"
            .formatted(
                pod,
                name(pair.gpu()),
                name(pair.nic()),
                pair.path(),
                rate(pair.gigabytesPerSecond())));
  }

  private static String name(DeviceId id) {
    return id.device();
  }

  /** Formats a rate for the output. */
  static String rate(double gigabytesPerSecond) {
    String text = String.format(Locale.ROOT, "%.1f", gigabytesPerSecond);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
