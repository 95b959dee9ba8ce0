package io.dra4j.scheduling;

import io.dra4j.model.Container;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Extended resources that devices of a class provide (KEP-5004), and the requests that the special
 * claim of a pod has for them. If several classes have one resource, the first class by name
 * applies; kube-scheduler uses the newest class.
 *
 * <p>Source: {@code extendeddynamicresources.go} of kube-scheduler's plugin {@code
 * dynamicresources}.
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

  private final Map<String, String> classes = new HashMap<>(); // by the names of resources

  ExtendedResources(Iterable<? extends KubernetesObject> objects) {
    for (KubernetesObject object : objects) {
      if (object instanceof DeviceClass deviceClass) {
        String name = deviceClass.metadata().name();
        String resource = deviceClass.extendedResourceName();
        classes.put(IMPLICIT + name, name);
        if (resource != null) {
          classes.merge(resource, name, (one, two) -> one.compareTo(two) <= 0 ? one : two);
        }
      }
    }
  }

  /** Whether devices of a class provide a resource. */
  boolean contains(String resource) {
    return classes.containsKey(resource);
  }

  /** The resources of classes that a pod requests, in their order. */
  private Set<String> asked(PodSpec spec) {
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

  /** The special claim of a pod. */
  SpecialClaim claimOf(PodSpec spec) {
    List<Container> containers = new ArrayList<>(spec.initContainers());
    containers.addAll(spec.containers());
    int starting = spec.initContainers().size();
    List<DeviceRequest> requests = new ArrayList<>();
    List<Mapping> mappings = new ArrayList<>();
    for (String resource : asked(spec)) {
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
    return new Asked(name, classes.getOrDefault(resource, ""), wanted.getAsLong() - found);
  }
}
