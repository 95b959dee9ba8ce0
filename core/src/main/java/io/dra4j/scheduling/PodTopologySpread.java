package io.dra4j.scheduling;

import io.dra4j.model.LabelSelector;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.model.TopologySpreadConstraint;
import io.dra4j.scheduling.RunningPods.RunningPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes in whose domain there would be too many matching pods: kube-scheduler's plugin
 * {@code PodTopologySpread}, for constraints with {@code DoNotSchedule}.
 */
final class PodTopologySpread implements PodFilter {

  /** A constraint, with the number of pods in each domain and the least of these numbers. */
  private record Counted(
      TopologySpreadConstraint constraint, boolean isSelf, Map<String, Integer> pods, int fewest) {}

  private final List<Counted> constraints = new ArrayList<>();

  private PodTopologySpread(
      RunningPod pod, List<TopologySpreadConstraint> required, RunningPods running) {
    PodSpec spec = pod.spec();
    PodNodeFilters affinity =
        new PodNodeFilters(
            new PodNodeFilters.Key(
                "",
                spec.nodeSelector(),
                PodNodeFilters.TOLERATES_ALL,
                spec.requiredNodeAffinity()));
    PodNodeFilters taints =
        new PodNodeFilters(new PodNodeFilters.Key("", Map.of(), spec.tolerations(), null));
    List<Node> nodes =
        running.nodes().stream()
            .filter(
                node ->
                    required.stream()
                        .allMatch(one -> node.metadata().labels().containsKey(one.topologyKey())))
            .toList();
    for (TopologySpreadConstraint constraint : required) {
      LabelSelector selector = selector(constraint, pod);
      Map<String, Integer> counts = new HashMap<>();
      for (Node node : nodes) {
        boolean isIn =
            (constraint.ignoresNodeAffinity() || affinity.allows(node))
                && (!constraint.honorsTaints() || taints.allows(node));
        if (isIn) {
          int number =
              selector == null || selector.isEmpty()
                  ? 0
                  : running.countStaying(node.name(), pod.namespace(), selector);
          String value = node.metadata().labels().getOrDefault(constraint.topologyKey(), "");
          counts.merge(value, number, Integer::sum);
        }
      }
      boolean isSelf = selector != null && selector.matches(pod.labels());
      constraints.add(
          new Counted(constraint, isSelf, counts, fewest(counts, constraint.minDomains())));
    }
  }

  private static @Nullable LabelSelector selector(
      TopologySpreadConstraint constraint, RunningPod pod) {
    LabelSelector given = constraint.labelSelector();
    return given == null
        ? null
        : InterPodAffinity.withKeys(given, constraint.matchLabelKeys(), List.of(), pod);
  }

  /** The least number of pods in a domain; 0 if there are fewer domains than required. */
  private static int fewest(Map<String, Integer> counts, @Nullable Integer minDomains) {
    return minDomains != null && counts.size() < minDomains
        ? 0
        : counts.values().stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE);
  }

  /** The filter for a pod; {@code null} if the pod has no constraint with {@code DoNotSchedule}. */
  static @Nullable PodFilter of(RunningPod pod, RunningPods running) {
    List<TopologySpreadConstraint> required =
        pod.spec().topologySpread().stream().filter(TopologySpreadConstraint::required).toList();
    return required.isEmpty() ? null : new PodTopologySpread(pod, required, running);
  }

  @Override
  public @Nullable NodeMismatch mismatch(Node node) {
    for (Counted counted : constraints) {
      String key = counted.constraint().topologyKey();
      String value = node.metadata().labels().get(key);
      if (value == null) {
        return new NodeMismatch.Uneven(key, true);
      }
      long pods = counted.pods().getOrDefault(value, 0) + (counted.isSelf() ? 1L : 0L);
      if (pods - counted.fewest() > counted.constraint().maxSkew()) {
        return new NodeMismatch.Uneven(key, false);
      }
    }
    return null;
  }
}
