package io.dra4j.scheduling;

import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.scheduling.RunningPods.RunningPod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a pod on nodes because of the pods that are there, or the state of its claims. Created
 * for one pod; later changes of other pods have no effect. Each filter has the name of a plugin of
 * kube-scheduler ({@code pkg/scheduler/framework/plugins}).
 */
sealed interface PodFilter
    permits DynamicResources, InterPodAffinity, NodePorts, NodeResourcesFit, PodTopologySpread {

  /**
   * The reason why the filter refuses the pod on the node; {@code null} if it does not refuse it.
   */
  @Nullable NodeMismatch mismatch(Node node);

  /** Whether a node's answer stays the same until it gets a pod, for pods of one specification. */
  default boolean looksAtNodeAlone() {
    return false;
  }

  /**
   * The filters that can refuse a pod, in the order of kube-scheduler.
   *
   * @param pod the pod
   * @param running the pods that are on nodes
   */
  static List<PodFilter> of(RunningPod pod, RunningPods running) {
    List<PodFilter> filters = new ArrayList<>();
    PodSpec spec = pod.spec();
    if (!spec.nodeName().isEmpty()) {
      return filters; // no scheduler handles it
    }
    add(filters, NodePorts.of(spec, running));
    filters.add(new NodeResourcesFit(spec, running));
    add(filters, PodTopologySpread.of(pod, running));
    add(filters, InterPodAffinity.of(pod, running));
    return filters;
  }

  private static void add(List<PodFilter> filters, @Nullable PodFilter filter) {
    if (filter != null) {
      filters.add(filter);
    }
  }
}
