package io.dra4j.scheduling;

import io.dra4j.model.Container;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The amounts of resources that a pod takes of its node: the larger one of what its containers and
 * sidecars take together and what any init container takes beside the sidecars before it; then what
 * the pod says of itself as a whole; then its overhead.
 *
 * <p>Source: {@code PodRequests} of {@code k8s.io/component-helpers/resource}, KEP-753 (sidecars)
 * and KEP-2837 (resources of pods).
 */
final class PodRequests {

  static final String CPU = "cpu";
  static final String PODS = "pods";

  private static final String HUGE_PAGES = "hugepages-";

  private PodRequests() {}

  /** The amounts by resource, those of 0 left out: thousandths of CPUs, units of all else. */
  static Map<String, Long> of(PodSpec spec) {
    Map<String, Quantity> total = new HashMap<>();
    for (Container container : spec.containers()) {
      add(total, container.resources().effectiveRequests());
    }
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> starting = new HashMap<>();
    for (Container container : spec.initContainers()) {
      Map<String, Quantity> own = container.resources().effectiveRequests();
      Map<String, Quantity> running = new HashMap<>(sidecars);
      add(running, own);
      if (container.isSidecar()) {
        add(total, own);
        add(sidecars, own);
      }
      running.forEach((name, amount) -> starting.merge(name, amount, PodRequests::larger));
    }
    starting.forEach((name, amount) -> total.merge(name, amount, PodRequests::larger));
    spec.resources()
        .effectiveRequests()
        .forEach(
            (name, amount) -> {
              if (name.equals(CPU) || name.equals("memory") || name.startsWith(HUGE_PAGES)) {
                total.put(name, amount);
              }
            });
    add(total, spec.overhead());
    Map<String, Long> units = new TreeMap<>();
    total.forEach(
        (name, amount) -> {
          long number = units(name, amount);
          if (number > 0 && isCounted(name)) {
            units.put(name, number);
          }
        });
    return units;
  }

  /** How many units an amount has; CPUs are counted in thousandths. */
  static long units(String resource, Quantity amount) {
    return resource.equals(CPU) ? amount.milliValue() : amount.value();
  }

  /** Other names are of no resource of a node, and kube-scheduler does not look at them. */
  private static boolean isCounted(String resource) {
    return resource.equals(CPU)
        || resource.equals("memory")
        || resource.equals("ephemeral-storage")
        || resource.startsWith(HUGE_PAGES)
        || resource.startsWith("attachable-volumes-")
        || resource.indexOf('/') >= 0;
  }

  private static void add(Map<String, Quantity> total, Map<String, Quantity> amounts) {
    amounts.forEach((name, amount) -> total.merge(name, amount, Quantity::add));
  }

  private static Quantity larger(Quantity one, Quantity two) {
    return one.compareTo(two) >= 0 ? one : two;
  }
}
