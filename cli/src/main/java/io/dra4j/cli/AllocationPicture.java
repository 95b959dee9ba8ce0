package io.dra4j.cli;

import io.dra4j.manifest.Manifest;
import io.dra4j.model.DeviceId;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.PlacementScore;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.topology.HostTopology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The answer of {@code allocate} as a picture: each server on which pods got something, with a line
 * between the GPU and the NIC of each pair, as wide as what the pair carries.
 */
final class AllocationPicture {

  private AllocationPicture() {}

  /**
   * Draws.
   *
   * @param manifests the slices of the servers
   * @param pods what became of the pods
   * @return an SVG for each server, by the names of their nodes
   */
  static Map<String, String> of(List<Manifest> manifests, List<PodOutcome> pods) {
    Map<String, List<TopologyPicture.Joint>> joints = new LinkedHashMap<>();
    for (PodOutcome outcome : pods) {
      if (outcome instanceof PodOutcome.Placed pod) {
        List<TopologyPicture.Joint> ofNode =
            joints.computeIfAbsent(pod.node(), any -> new ArrayList<>());
        if (pod.score().orElse(null) instanceof PlacementScore score) {
          score.pairs().forEach(pair -> ofNode.add(joint(pod.pod().name(), pair)));
        }
      }
    }
    Map<String, List<ResourceSlice>> slices = SliceHosts.of(manifests).byNode();
    Map<String, String> pictures = new LinkedHashMap<>();
    joints.forEach(
        (node, lines) -> {
          List<ResourceSlice> ofNode = slices.getOrDefault(node, List.of());
          pictures.put(
              node, TopologyPicture.of(node, HostTopology.ofSlices(ofNode).build(), lines));
        });
    return pictures;
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

  /** A rate for people. */
  static String rate(double gigabytesPerSecond) {
    String text = String.format(Locale.ROOT, "%.1f", gigabytesPerSecond);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
