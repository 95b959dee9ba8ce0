package io.dra4j.scheduling;

import io.dra4j.allocation.ClusterQuery;
import io.dra4j.model.Container;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Extended resources that devices of a class provide (KEP-5004), and the requests that the special
 * claim of a pod has for them. If several classes have one resource, the newest class applies; of
 * equally old ones, the first by name. A class without a time of creation is the oldest. A node
 * whose device plugin has a resource provides it without devices of claims.
 *
 * <p>Source: {@code extendeddynamicresources.go} of kube-scheduler's plugin {@code
 * dynamicresources}, and {@code extendedresourcecache.go} of {@code
 * k8s.io/dynamic-resource-allocation}.
 */
final class ExtendedResources {

  /** No extended resources of classes. */
  static final ExtendedResources NONE = new ExtendedResources(List.of());

  static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

  /**
   * The request that one container uses.
   *
   * @param container the name of the container
   * @param resource the name of the resource
   * @param request the name of the request in the special claim
   */
  record Mapping(String container, String resource, String request) {}

  /**
   * The special claim of a pod.
   *
   * @param requests its requests, by their names
   * @param mappings the request that each container uses for each resource
   */
  record SpecialClaim(List<DeviceRequest> requests, List<Mapping> mappings) {}

  /** A request for devices of a class for a container. */
  private record Asked(String name, String deviceClass, long count) {

    DeviceRequest request() {
      return DeviceRequest.exactly(
          name, ExactDeviceRequest.ofClass(deviceClass).count(count).build());
    }
  }

  /** The order in which classes are preferred. */
  private static final Comparator<DeviceClass> PREFERRED_FIRST =
      Comparator.comparing(ExtendedResources::created)
          .reversed()
          .thenComparing(deviceClass -> deviceClass.metadata().name());

  private final Map<String, DeviceClass> classes = new HashMap<>(); // by the names of resources

  ExtendedResources(Iterable<? extends KubernetesObject> objects) {
    for (KubernetesObject object : objects) {
      if (object instanceof DeviceClass deviceClass) {
        String name = deviceClass.metadata().name();
        String resource = deviceClass.extendedResourceName();
        classes.put(IMPLICIT + name, deviceClass);
        if (resource != null) {
          classes.merge(resource, deviceClass, BinaryOperator.minBy(PREFERRED_FIRST));
        }
      }
    }
  }

  private static Instant created(DeviceClass deviceClass) {
    String time = deviceClass.metadata().creationTimestamp();
    try {
      return time == null ? Instant.MIN : OffsetDateTime.parse(time).toInstant();
    } catch (DateTimeParseException notRfc3339) {
      return Instant.MIN;
    }
  }

  /** Whether devices of a class provide a resource. */
  boolean contains(String resource) {
    return classes.containsKey(resource);
  }

  /** The resources of classes that a pod requests, in their order. */
  Set<String> asked(PodSpec spec) {
    if (classes.isEmpty()) {
      return Set.of();
    }
    Set<String> found = new TreeSet<>();
    Stream.concat(spec.initContainers().stream(), spec.containers().stream())
        .flatMap(container -> container.resources().effectiveRequests().entrySet().stream())
        .filter(entry -> entry.getValue().signum() > 0 && classes.containsKey(entry.getKey()))
        .forEach(entry -> found.add(entry.getKey()));
    return found;
  }

  /** Whether a pod needs a special claim. */
  boolean isAskedBy(PodSpec spec) {
    return !asked(spec).isEmpty();
  }

  /**
   * The resources of classes that a pod requests and that a node has no device plugin for: its
   * {@code status.allocatable} has none of them.
   */
  Set<String> ofDevices(PodSpec spec, Node node) {
    Set<String> found = asked(spec);
    if (!found.isEmpty()) {
      found.removeIf(resource -> NodeResourcesFit.units(node.allocatable(), resource) > 0);
    }
    return found;
  }

  /** A special claim with the requests of a pod for some of its resources. */
  ResourceClaim withRequests(ResourceClaim claim, PodSpec spec, Set<String> resources) {
    ResourceClaim.Builder builder = ResourceClaim.named(claim.metadata().name());
    claimOf(spec, resources).requests().forEach(builder::request);
    return builder.metadata(claim.metadata()).build();
  }

  /** The special claim of a pod on a node without device plugins. */
  SpecialClaim claimOf(PodSpec spec) {
    return claimOf(spec, asked(spec));
  }

  private SpecialClaim claimOf(PodSpec spec, Set<String> resources) {
    List<Container> containers = new ArrayList<>(spec.initContainers());
    containers.addAll(spec.containers());
    int starting = spec.initContainers().size();
    List<DeviceRequest> requests = new ArrayList<>();
    List<Mapping> mappings = new ArrayList<>();
    for (String resource : resources) {
      List<@Nullable Asked> running = new ArrayList<>(); // by container; these keep running
      for (int i = 0; i < containers.size(); i++) {
        boolean isRunning = i >= starting || containers.get(i).isSidecar();
        running.add(isRunning ? ask(i, containers.get(i), resource, List.of(), mappings) : null);
      }
      addStarting(containers, starting, resource, running, requests, mappings);
      for (Asked one : running) {
        if (one != null) {
          requests.add(one.request());
        }
      }
    }
    requests.sort(Comparator.comparing(DeviceRequest::name));
    return new SpecialClaim(List.copyOf(requests), List.copyOf(mappings));
  }

  /**
   * Adds the requests of init containers. They use the devices of containers that run later.
   * Devices beyond those are one request, the largest one, since init containers run one after the
   * other.
   */
  private void addStarting(
      List<Container> containers,
      int starting,
      String resource,
      List<@Nullable Asked> running,
      List<DeviceRequest> requests,
      List<Mapping> mappings) {
    Asked largest = null;
    Set<String> names = new TreeSet<>();
    List<Mapping> own = new ArrayList<>();
    for (int i = 0; i < starting; i++) {
      if (!containers.get(i).isSidecar()) {
        Asked one = ask(i, containers.get(i), resource, running.subList(i, running.size()), own);
        if (one != null) {
          names.add(one.name());
          largest = largest == null || largest.count() < one.count() ? one : largest;
        }
      }
    }
    if (largest == null) {
      mappings.addAll(own);
      return;
    }
    for (Mapping mapping : own) {
      mappings.add(
          names.contains(mapping.request())
              ? new Mapping(mapping.container(), mapping.resource(), largest.name())
              : mapping);
    }
    requests.add(largest.request());
  }

  /** The request of a container beyond the requests that it can use; null for none. */
  private @Nullable Asked ask(
      int index,
      Container container,
      String resource,
      List<@Nullable Asked> usable,
      List<Mapping> mappings) {
    Map<String, Quantity> amounts = container.resources().effectiveRequests();
    Quantity amount = amounts.get(resource);
    OptionalLong wanted = amount == null ? OptionalLong.empty() : amount.heldSince138().asInteger();
    if (wanted.isEmpty() || wanted.getAsLong() <= 0) {
      return null;
    }
    long found = 0;
    for (Asked one : usable) {
      if (one != null) {
        found += one.count();
        mappings.add(new Mapping(container.name(), resource, one.name()));
        if (found >= wanted.getAsLong()) {
          return null;
        }
      }
    }
    List<String> names = new ArrayList<>(amounts.keySet());
    Collections.sort(names);
    String name = "container-%d-request-%d".formatted(index, names.indexOf(resource));
    mappings.add(new Mapping(container.name(), resource, name));
    DeviceClass deviceClass = Objects.requireNonNull(classes.get(resource), "a class of it");
    return new Asked(name, deviceClass.metadata().name(), wanted.getAsLong() - found);
  }

  /**
   * The claims of a pod that need devices on a node. They are the same on all nodes, except for the
   * special claim: it has requests for the extended resources that the node has no device plugin
   * for, and does not exist on a node that has device plugins for all of them.
   *
   * <p>Source: {@code filterExtendedResources} of kube-scheduler's plugin {@code dynamicresources}.
   */
  static final class NodeClaims {

    private final PodSpec spec;
    private final List<ResourceClaim> pending;
    private final @Nullable ResourceClaim special;
    private final ExtendedResources extended;
    private final Map<Set<String>, List<ResourceClaim>> byResources = new HashMap<>();

    /** Creates the claims of a pod; a claim that no pod uses is the same on all nodes. */
    NodeClaims(PendingPod pod, List<ResourceClaim> pending, PodQueue queue) {
      this.spec = pod.spec();
      this.pending = List.copyOf(pending);
      this.extended = queue.extended();
      this.special =
          queue.isPod(pod)
              ? pending.stream().filter(PodClaims::isSpecial).findFirst().orElse(null)
              : null;
    }

    /** The extended resources that devices of claims provide on a node. */
    Set<String> ofDevices(Node node) {
      return special == null ? Set.of() : extended.ofDevices(spec, node);
    }

    /** Whether a node has a device plugin for one of the extended resources. */
    boolean dependOn(Collection<Node> nodes) {
      return special != null
          && nodes.stream()
              .anyMatch(
                  node -> extended.ofDevices(spec, node).size() < extended.asked(spec).size());
    }

    private List<ResourceClaim> with(Set<String> resources) {
      ResourceClaim ofPod = special;
      if (ofPod == null) {
        return pending;
      }
      return byResources.computeIfAbsent(
          resources,
          any ->
              pending.stream()
                  .filter(claim -> !claim.equals(ofPod) || !resources.isEmpty())
                  .map(
                      claim ->
                          claim.equals(ofPod)
                              ? extended.withRequests(ofPod, spec, resources)
                              : claim)
                  .toList());
    }

    /** Finds the devices of the claims on nodes. */
    Queries queries(Function<List<ResourceClaim>, ClusterQuery> query) {
      return new Queries(query);
    }

    /** The queries for the claims, one for all nodes with the same claims. Not thread-safe. */
    final class Queries {

      private final Function<List<ResourceClaim>, ClusterQuery> query;
      private final Map<Set<String>, ClusterQuery> byResources = new HashMap<>();

      private Queries(Function<List<ResourceClaim>, ClusterQuery> query) {
        this.query = query;
      }

      /** The query for the claims that the pod has on a node. */
      ClusterQuery of(Node node) {
        return of(ofDevices(node));
      }

      /** The query for the claims with the special claim for some of the extended resources. */
      ClusterQuery of(Set<String> resources) {
        return Objects.requireNonNull(
            byResources.computeIfAbsent(resources, any -> query.apply(with(resources))));
      }

      /** The extended resources that devices of claims provide on a node. */
      Set<String> ofDevices(Node node) {
        return NodeClaims.this.ofDevices(node);
      }
    }
  }
}
