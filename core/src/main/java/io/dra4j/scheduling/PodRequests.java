package io.dra4j.scheduling;

import io.dra4j.model.Container;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.PodResourceStatus;
import io.dra4j.model.PodResourceStatus.ContainerResources;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceRequirements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The amounts of resources that a pod uses on its node. The base is the larger of two amounts: the
 * total of its containers and sidecars, and the largest total of an init container and the sidecars
 * before it; the resources of devices are added. Pod-level resources replace this amount. The
 * overhead of the pod is added last.
 *
 * <p>Source: {@code PodRequests} of {@code k8s.io/component-helpers/resource}, KEP-753 (sidecars),
 * KEP-2837 (resources of pods), KEP-5517 (what devices cost) and KEP-1287 (resize of running pods).
 */
final class PodRequests {

  static final String CPU = "cpu";
  static final String PODS = "pods";
  static final String STORAGE = "ephemeral-storage";

  private static final String MEMORY = "memory";
  private static final String HUGE_PAGES = "hugepages-";

  private PodRequests() {}

  /** The amounts by resource, those of 0 left out: thousandths of CPUs, units of all else. */
  static Map<String, Long> of(PodSpec spec) {
    return of(spec, List.of());
  }

  /**
   * Returns the requests of a pod, including the costs of its devices.
   *
   * @param devices the costs of the devices of each claim
   */
  static Map<String, Long> of(PodSpec spec, List<NodeAllocatableClaimStatus> devices) {
    return units(spec, ofContainers(spec, devices), ofPod(spec).requests());
  }

  /**
   * Returns the requests of a pod on a node. During a resize, they are the maximum of the requested
   * resources, the resources that the kubelet admitted, and the resources in effect. The requested
   * resources do not count if the resize is infeasible.
   *
   * @param status the resources that the kubelet reports
   * @param devices the costs of the devices of each claim
   */
  static Map<String, Long> ofRunning(
      PodSpec spec, PodResourceStatus status, List<NodeAllocatableClaimStatus> devices) {
    if (status.equals(PodResourceStatus.UNSET)) {
      return of(spec, devices);
    }
    boolean isOfPod = !status.allocated().isEmpty() && !status.actuated().isEmpty();
    Map<String, Quantity> total =
        isOfPod ? new HashMap<>(status.allocated()) : allocated(spec, status, devices);
    raise(total, isOfPod ? status.actuated() : sum(spec, at -> actuated(at, status)));
    Map<String, Quantity> pod = new HashMap<>(ofPod(spec).requests());
    if (!pod.isEmpty() && !status.actuated().isEmpty()) {
      if (status.isResizeInfeasible()) {
        pod.clear();
      }
      raise(pod, status.actuated());
      raise(pod, status.allocated());
      pod.keySet().removeIf(name -> !isOfPods(name));
    }
    if (!status.isResizeInfeasible()) {
      raise(total, ofContainers(spec, devices));
    }
    return units(spec, total, pod);
  }

  /** What the kubelet admitted for containers, to which it does not add devices. */
  private static Map<String, Quantity> allocated(
      PodSpec spec, PodResourceStatus status, List<NodeAllocatableClaimStatus> devices) {
    Map<String, Quantity> total = sum(spec, container -> allocated(container, status));
    devices.forEach(claim -> add(total, ofDevices(claim, claim.containers().size())));
    return total;
  }

  private static Map<String, Quantity> allocated(Container container, PodResourceStatus status) {
    Map<String, Quantity> allocated = status(container, status).allocated();
    return !allocated.isEmpty()
        ? allocated
        : status.isResizeInfeasible() ? Map.of() : container.resources().effectiveRequests();
  }

  private static Map<String, Quantity> actuated(Container container, PodResourceStatus status) {
    Map<String, Quantity> actuated = status(container, status).actuated();
    return actuated.isEmpty() ? allocated(container, status) : actuated;
  }

  private static ContainerResources status(Container container, PodResourceStatus status) {
    return status.containers().getOrDefault(container.name(), ContainerResources.UNSET);
  }

  private static void raise(Map<String, Quantity> total, Map<String, Quantity> amounts) {
    amounts.forEach((name, amount) -> total.merge(name, amount, PodRequests::larger));
  }

  private static Map<String, Long> units(
      PodSpec spec, Map<String, Quantity> total, Map<String, Quantity> ofPod) {
    total.putAll(ofPod);
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

  /**
   * The requests and limits of the pod as a whole, as the API server completes them: a missing
   * request is the sum of the requests of the containers, or else the limit of the pod. A missing
   * limit is the sum of the limits, if all containers have one. Empty for a pod without resources
   * of its own.
   *
   * <p>Source: {@code DefaultPodLevelResources} in {@code pkg/api/pod/util.go} of Kubernetes
   * 1.37.2.
   */
  static ResourceRequirements ofPod(PodSpec spec) {
    Map<String, Quantity> requests = new HashMap<>(spec.resources().requests());
    Map<String, Quantity> limits = new HashMap<>(spec.resources().limits());
    if (requests.isEmpty() && limits.isEmpty()) {
      return ResourceRequirements.NONE;
    }
    Map<String, Quantity> ofContainers = sum(spec, container -> container.resources().limits());
    ofContainers.forEach(
        (name, amount) -> {
          if (isHugePages(name) && !requests.containsKey(name)) {
            limits.putIfAbsent(name, amount);
          }
        });
    sum(spec, container -> container.resources().effectiveRequests())
        .forEach(
            (name, amount) -> {
              if (!isHugePages(name)) {
                requests.putIfAbsent(name, amount);
              }
            });
    limits.forEach(requests::putIfAbsent);
    requests.keySet().removeIf(name -> !isOfPods(name));
    requests.forEach(
        (name, amount) -> {
          Quantity limit = ofContainers.get(name);
          if (limit != null && haveLimits(spec, name)) {
            limits.putIfAbsent(name, larger(amount, limit));
          }
        });
    return new ResourceRequirements(requests, limits);
  }

  private static boolean haveLimits(PodSpec spec, String resource) {
    return Stream.of(spec.initContainers(), spec.containers())
        .flatMap(List::stream)
        .allMatch(container -> container.resources().limits().containsKey(resource));
  }

  /** The requests of containers and devices together, without those of the pod as a whole. */
  static Map<String, Quantity> ofContainers(
      PodSpec spec, List<NodeAllocatableClaimStatus> devices) {
    Map<String, Quantity> total = sum(spec, container -> container.resources().effectiveRequests());
    devices.forEach(claim -> add(total, ofDevices(claim, claim.containers().size())));
    return total;
  }

  /** The amounts that containers have together, where some start before others. */
  static Map<String, Quantity> sum(
      PodSpec spec, Function<Container, Map<String, Quantity>> amounts) {
    Map<String, Quantity> total = new HashMap<>();
    for (Container container : spec.containers()) {
      add(total, amounts.apply(container));
    }
    Map<String, Quantity> sidecars = new HashMap<>();
    Map<String, Quantity> starting = new HashMap<>();
    for (Container container : spec.initContainers()) {
      Map<String, Quantity> own = amounts.apply(container);
      Map<String, Quantity> running = new HashMap<>(sidecars);
      add(running, own);
      if (container.isSidecar()) {
        add(total, own);
        add(sidecars, own);
      }
      running.forEach((name, amount) -> starting.merge(name, amount, PodRequests::larger));
    }
    starting.forEach((name, amount) -> total.merge(name, amount, PodRequests::larger));
    return total;
  }

  /** What the devices of a claim cost so many containers of a pod together, by resource. */
  static Map<String, Quantity> ofDevices(NodeAllocatableClaimStatus claim, int containers) {
    Map<String, Quantity> total = new HashMap<>(claim.mapping());
    claim
        .overhead()
        .forEach(
            (name, overhead) -> {
              if (overhead.perPod() != null) {
                total.merge(name, overhead.perPod(), PodRequests::sum);
              }
              if (overhead.perContainer() != null && containers > 0) {
                Quantity all = overhead.perContainer().multiply(Quantity.of(containers));
                total.merge(name, all, PodRequests::sum);
              }
            });
    return total;
  }

  /** Whether a pod can ask for a resource as a whole. */
  static boolean isOfPods(String resource) {
    return resource.equals(CPU) || resource.equals(MEMORY) || isHugePages(resource);
  }

  static boolean isHugePages(String resource) {
    return resource.startsWith(HUGE_PAGES);
  }

  /** How many units an amount has; CPUs are counted in thousandths. */
  static long units(String resource, Quantity amount) {
    return resource.equals(CPU) ? amount.milliValue() : amount.value();
  }

  /** Other names are of no resource of a node, and kube-scheduler does not look at them. */
  private static boolean isCounted(String resource) {
    return resource.equals(CPU)
        || resource.equals(MEMORY)
        || resource.equals(STORAGE)
        || isHugePages(resource)
        || resource.startsWith("attachable-volumes-")
        || resource.indexOf('/') >= 0;
  }

  static void add(Map<String, Quantity> total, Map<String, Quantity> amounts) {
    amounts.forEach((name, amount) -> total.merge(name, amount, PodRequests::sum));
  }

  /** The sum; of amounts so far apart that only one of them matters, the larger one. */
  static Quantity sum(Quantity one, Quantity two) {
    try {
      return one.add(two);
    } catch (ArithmeticException farApart) {
      return larger(one, two);
    }
  }

  private static Quantity larger(Quantity one, Quantity two) {
    return one.compareTo(two) >= 0 ? one : two;
  }
}
