package io.dra4j.manifest.internal.codec;

import io.dra4j.model.Condition;
import io.dra4j.model.Container;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceStatus;
import io.dra4j.model.PodResourceStatus.ContainerResources;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The fields of a pod's status that report its resources. */
final class PodResourceCodec {

  private static final String PENDING = "PodResizePending";
  private static final String INFEASIBLE = "Infeasible";

  /** The lists of containers, in the order in which kube-scheduler looks for a name. */
  private static final List<String> LISTS = List.of("containerStatuses", "initContainerStatuses");

  private PodResourceCodec() {}

  static PodResourceStatus read(FieldReader status) {
    Map<String, ContainerResources> containers = new LinkedHashMap<>();
    for (String list : LISTS) {
      status.objects(
          list,
          container -> {
            ContainerResources resources =
                new ContainerResources(
                    container.quantityMap("allocatedResources"), readRequests(container));
            if (!resources.equals(ContainerResources.UNSET)) {
              containers.putIfAbsent(container.text("name"), resources);
            }
            return container;
          });
    }
    PodResourceStatus read =
        new PodResourceStatus(
            containers,
            status.quantityMap("allocatedResources"),
            readRequests(status),
            readReasons(status).stream().limit(1).anyMatch(INFEASIBLE::equals));
    return read.equals(PodResourceStatus.UNSET) ? PodResourceStatus.UNSET : read;
  }

  /** The reasons of the conditions, of which kube-scheduler looks at the first. */
  private static List<String> readReasons(FieldReader status) {
    List<String> reasons = new ArrayList<>();
    status.objects(
        "conditions",
        condition -> {
          if (condition.text("type").equals(PENDING)) {
            reasons.add(condition.text("reason"));
          }
          return condition;
        });
    return reasons;
  }

  private static Map<String, Quantity> readRequests(FieldReader in) {
    return in.object("resources", resources -> resources.quantityMap("requests"));
  }

  static FieldWriter write(Pod pod, FieldWriter status) {
    PodResourceStatus resources = pod.resources();
    Set<String> main =
        pod.spec().containers().stream().map(Container::name).collect(Collectors.toSet());
    for (String list : LISTS) {
      boolean isMain = list.equals(LISTS.get(0));
      status.list(
          list,
          resources.containers().entrySet().stream()
              .filter(entry -> main.contains(entry.getKey()) == isMain)
              .toList(),
          entry ->
              writeAmounts(
                      new FieldWriter().required("name", entry.getKey()),
                      entry.getValue().allocated(),
                      entry.getValue().actuated())
                  .done());
    }
    if (resources.isResizeInfeasible()) {
      Condition pending = Condition.of(PENDING, "True").reason(INFEASIBLE).build();
      status.list("conditions", List.of(pending), ConditionCodec::write);
    }
    return writeAmounts(status, resources.allocated(), resources.actuated());
  }

  private static FieldWriter writeAmounts(
      FieldWriter out, Map<String, Quantity> allocated, Map<String, Quantity> actuated) {
    return out.quantityMap("allocatedResources", allocated)
        .object("resources", new FieldWriter().quantityMap("requests", actuated).done());
  }
}
