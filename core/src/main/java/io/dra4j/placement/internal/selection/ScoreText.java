package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.selection.Pairing.Flow;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.topology.PathType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes the bandwidth of a set in a sentence.
 *
 * @param preferred the preferred maximum distance of pairs; null for any distance
 * @param mayPairBetter whether other pairs of the set may have more bandwidth
 */
record ScoreText(ServerModel kind, @Nullable PathType preferred, boolean mayPairBetter) {

  /** Returns the sentence. */
  String explain(
      List<Integer> gpus,
      List<Integer> nics,
      List<Flow> flows,
      double carried,
      double bound,
      double ring) {
    if (gpus.isEmpty() || nics.isEmpty()) {
      return explainRing(gpus, nics, ring);
    }
    if (flows.isEmpty()) {
      return "too many devices to look for pairs";
    }
    StringBuilder text = new StringBuilder();
    Map<PathType, Integer> counts = new EnumMap<>(PathType.class);
    flows.forEach(flow -> counts.merge(flow.type, 1, Integer::sum));
    counts.forEach(
        (type, count) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(count)
                .append(count == 1 ? " pair " : " pairs ")
                .append(
                    kind.hasTooManyPairs()
                        ? "at an unexamined distance, since the node has too many devices"
                        : (count > 1 && isInOnePlace(type) ? "each " : "") + words(type)));
    text.append(": ")
        .append(text(carried))
        .append(" of at most ")
        .append(text(bound))
        .append(" GB/s");
    addShared(text, flows);
    if (mayPairBetter) {
      text.append("; other pairs of these devices may carry more");
    }
    if (preferred != null) {
      addPrice(text, preferred, flows, bound);
    }
    if (kind.assumedLinks) {
      text.append(" (link and NIC rates not published; assumed by the profile)");
    }
    return text.toString();
  }

  private String explainRing(List<Integer> gpus, List<Integer> nics, double ring) {
    if (ring > 0) {
      return "a ring over %d GPUs carries at most %s GB/s by NVLink"
          .formatted(gpus.size(), text(ring));
    }
    return nics.isEmpty() && kind.nvLinks.ring(gpus.stream().mapToInt(i -> i).toArray()) > 0
        ? "%d GPUs that NVLink does not connect to one ring".formatted(gpus.size())
        : "no GPU and NIC together, so that there is no bandwidth to predict";
  }

  /** Adds the number of pairs that are slower than alone. */
  private void addShared(StringBuilder text, List<Flow> flows) {
    long shared =
        flows.stream()
            .filter(
                flow -> Scorer.rounded(flow.rate) < Scorer.rounded(kind.rate(flow.gpu, flow.nic)))
            .count();
    if (shared > 0) {
      text.append("; ").append(shared).append(shared == 1 ? " pair shares" : " pairs share");
      text.append(" links");
    }
  }

  /**
   * Adds the bandwidth that is lost because pairs are far apart, without regard to shared links.
   */
  private void addPrice(StringBuilder text, PathType within, List<Flow> flows, double bound) {
    if (flows.stream().allMatch(flow -> flow.type == PathType.UNKNOWN)) {
      text.append("; whether that is within ")
          .append(within)
          .append(", as preferred, is not known");
      return;
    }
    long near = flows.stream().filter(flow -> Scorer.isWithin(flow.type, within)).count();
    text.append("; ")
        .append(near)
        .append(" of ")
        .append(flows.size())
        .append(" within ")
        .append(within);
    if (near < flows.size()) {
      double alone = flows.stream().mapToDouble(flow -> kind.rate(flow.gpu, flow.nic)).sum();
      text.append(", as preferred, and the rest costs ")
          .append(text(Math.max(0, bound - alone)))
          .append(" GB/s");
    }
  }

  private static boolean isInOnePlace(PathType type) {
    return switch (type) {
      case SELF, SAME_CARD, SWITCH, HOST_BRIDGE, HOST_BRIDGE_OR_NUMA_NODE, NUMA_NODE -> true;
      case MULTI_SWITCH, UNKNOWN, SYSTEM -> false;
    };
  }

  private static String words(PathType type) {
    return switch (type) {
      case SELF, SAME_CARD -> "on one card";
      case SWITCH -> "on one PCIe switch";
      case MULTI_SWITCH -> "across PCIe switches";
      case HOST_BRIDGE -> "on one PCIe root";
      case HOST_BRIDGE_OR_NUMA_NODE, NUMA_NODE -> "in one NUMA node";
      case UNKNOWN -> "at an unpublished distance";
      case SYSTEM -> "across NUMA nodes";
    };
  }

  private static String text(double number) {
    long tenths = Math.round(number * 10);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
  }
}
