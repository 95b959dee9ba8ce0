package io.dra4j.cli.input;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.validation.ServedVersions;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Warnings about objects that a release of Kubernetes does not serve, and about fields that are
 * ignored because a feature is off. Requests that need a disabled feature are refused when they are
 * allocated.
 */
final class FeatureWarnings {

  private final ClusterSnapshot cluster;
  private final List<ResourceClaimSpec> wanted;
  private final List<String> notes = new ArrayList<>();

  private FeatureWarnings(ClusterSnapshot cluster) {
    this.cluster = cluster;
    this.wanted =
        Stream.concat(
                cluster.pendingClaims().stream().map(claim -> claim.spec()),
                cluster.resourceClaimTemplates().stream().map(template -> template.spec()))
            .toList();
  }

  /** Returns a line for each disabled feature that makes the answer ignore parts of the input. */
  static List<String> off(List<Manifest> manifests, FeatureOptions options) {
    Set<Feature> off = EnumSet.copyOf(Feature.kubernetes());
    off.removeAll(options.features());
    if (off.isEmpty()) {
      return List.of();
    }
    FeatureWarnings found =
        new FeatureWarnings(ClusterSnapshot.of(manifests.stream().map(Manifest::object).toList()));
    off.forEach(found::add);
    return found.notes;
  }

  /**
   * Returns warnings about input for which schedulers before Kubernetes 1.35 give another answer,
   * regardless of feature gates, while the answer here is that of 1.37. They allocated devices of
   * incomplete pools for requests with a count, and accepted counters and devices in one slice.
   *
   * <p>Source: {@code GatherPools} of {@code k8s.io/dynamic-resource-allocation} v0.34.1 and
   * v0.35.0.
   */
  static List<String> beforePoolsWereWhole(List<Manifest> manifests, FeatureOptions options) {
    if (options.release().compareTo(KubernetesVersion.V1_35) >= 0) {
      return List.of();
    }
    List<ResourceSlice> slices =
        ClusterSnapshot.of(manifests.stream().map(Manifest::object).toList()).resourceSlices();
    List<String> notes = new ArrayList<>();
    incompletePools(slices)
        .forEach(
            pool ->
                notes.add(
                    "pool %s is incomplete: Kubernetes %s allocates single devices of it; this answer"
                            .formatted(pool, options.release())
                        + " follows 1.37, which does not"));
    slices.stream()
        .filter(slice -> !slice.sharedCounters().isEmpty() && !slice.devices().isEmpty())
        .forEach(
            slice ->
                notes.add(
                    "ResourceSlice %s has counters and devices: Kubernetes %s allocates them; this answer"
                            .formatted(slice.metadata().name(), options.release())
                        + " follows 1.37, which does not"));
    return notes;
  }

  /** Returns the pools whose number of slices differs from resourceSliceCount, as driver/pool. */
  private static Set<String> incompletePools(List<ResourceSlice> slices) {
    Map<String, List<ResourceSlice>> newest = new LinkedHashMap<>();
    for (ResourceSlice slice : slices) {
      List<ResourceSlice> known =
          newest.computeIfAbsent(
              slice.driver() + "/" + slice.pool().name(), any -> new ArrayList<>());
      long generation = known.isEmpty() ? Long.MIN_VALUE : known.get(0).pool().generation();
      if (slice.pool().generation() > generation) {
        known.clear();
      }
      if (slice.pool().generation() >= generation) {
        known.add(slice);
      }
    }
    newest.values().removeIf(pool -> pool.size() == pool.get(0).pool().resourceSliceCount());
    return newest.keySet();
  }

  /** Returns the versions of kinds that the release does not serve, each with its first object. */
  static List<Problem> unserved(List<Manifest> manifests, FeatureOptions options) {
    KubernetesVersion release = options.release();
    Map<String, List<Manifest>> found = new LinkedHashMap<>();
    for (Manifest manifest : manifests) {
      String kind = manifest.object().getClass().getSimpleName();
      KubernetesVersion since = ServedVersions.first(manifest.apiVersion(), kind);
      if (release.compareTo(since) < 0) {
        String what =
            "%s %s requires Kubernetes %s, but the release is %s"
                .formatted(manifest.apiVersion(), kind, since, release);
        found.computeIfAbsent(what, any -> new ArrayList<>()).add(manifest);
      }
    }
    List<Problem> problems = new ArrayList<>();
    found.forEach(
        (what, objects) -> {
          Manifest first = objects.get(0);
          String kind = first.object().getClass().getSimpleName();
          problems.add(
              new Problem(
                  first.origin(),
                  SourcePosition.UNKNOWN,
                  kind + " \"" + first.object().metadata().name() + "\"",
                  "apiVersion",
                  what + (objects.size() == 1 ? "" : ", and " + (objects.size() - 1) + " more")));
        });
    return problems;
  }

  /** Adds a warning about everything that is ignored because a feature is off. */
  @SuppressWarnings("MethodLength") // a switch with a case for each feature
  private void add(Feature off) {
    switch (off) {
      case DEVICE_TAINTS ->
          add(
              off,
              counted("taints of ", devices(device -> !device.taints().isEmpty()), "device", ""),
              counted("", cluster.deviceTaintRules().size(), "DeviceTaintRule", ""),
              counted("tolerations of ", tolerating(), "request", ""));
      case PARTITIONABLE_DEVICES ->
          add(
              off,
              counted(
                  "",
                  slices(FeatureWarnings::isPartitioned),
                  "ResourceSlice",
                  " with shared counters or nodes of its own for each device"));
      case COMPATIBILITY_GROUPS ->
          add(
              off,
              counted(
                  "",
                  slices(slice -> slice.devices().stream().anyMatch(FeatureWarnings::hasGroups)),
                  "ResourceSlice",
                  " with compatibility groups"));
      case CONSUMABLE_CAPACITY ->
          add(
              off,
              counted(
                  "allowMultipleAllocations of ",
                  devices(Device::allowMultipleAllocations),
                  "device",
                  ""));
      case DEVICE_BINDING_AND_STATUS ->
          add(
              off,
              counted(
                  "",
                  devices(device -> !device.bindingConditions().isEmpty()),
                  "device",
                  " with binding conditions"));
      case LIST_TYPE_ATTRIBUTES ->
          add(off, counted("lists of ", comparingLists(), "device", " in constraints"));
      case NODE_ALLOCATABLE_RESOURCES ->
          add(
              off,
              counted(
                  "nodeAllocatableResources of ",
                  devices(device -> !device.nodeAllocatableResources().isEmpty()),
                  "device",
                  ""));
      default -> {} // requests for it are refused, or explained where they do not fit
    }
  }

  private void add(Feature off, String... parts) {
    List<String> given = Stream.of(parts).filter(part -> !part.isEmpty()).toList();
    if (given.isEmpty()) {
      return;
    }
    int last = given.size() - 1;
    String others = last == 0 ? "" : String.join(", ", given.subList(0, last)) + " and ";
    notes.add(
        "feature %s is off: %s%s ignored"
            .formatted(
                off.gates().get(0),
                others + given.get(last),
                last == 0 && given.get(0).startsWith("1 ") ? " is" : " are"));
  }

  /** Returns a count with words; empty for 0. */
  private static String counted(String before, long count, String noun, String after) {
    return count == 0 ? "" : before + CommandMessages.count(count, noun) + after;
  }

  private long slices(Predicate<ResourceSlice> which) {
    return cluster.resourceSlices().stream().filter(which).count();
  }

  private long devices(Predicate<Device> which) {
    return cluster.resourceSlices().stream()
        .mapToLong(slice -> slice.devices().stream().filter(which).count())
        .sum();
  }

  /** Returns whether the inventory skips the slice without the feature. */
  private static boolean isPartitioned(ResourceSlice slice) {
    return !slice.sharedCounters().isEmpty() || slice.perDeviceNodeSelection() != null;
  }

  private static boolean hasGroups(Device device) {
    return device.consumesCounters().stream()
        .anyMatch(drawn -> !drawn.compatibilityGroups().isEmpty());
  }

  private long tolerating() {
    return wanted.stream()
        .flatMap(spec -> spec.requests().stream())
        .filter(
            request ->
                (request.exactly() != null && !request.exactly().tolerations().isEmpty())
                    || request.firstAvailable().stream()
                        .anyMatch(one -> !one.request().tolerations().isEmpty()))
        .count();
  }

  /** Returns the number of devices with a list as a value that a constraint compares. */
  private long comparingLists() {
    Set<String> compared = new HashSet<>();
    for (ResourceClaimSpec spec : wanted) {
      for (DeviceConstraint constraint : spec.constraints()) {
        compared.addAll(constraint.attributes().values());
      }
    }
    return cluster.resourceSlices().stream()
        .mapToLong(
            slice ->
                slice.devices().stream()
                    .filter(device -> hasList(slice.driver(), device.attributes(), compared))
                    .count())
        .sum();
  }

  /** Returns whether a device has a list under one of the names ({@link QualifiedName#in}). */
  private static boolean hasList(
      String driver, Map<String, DeviceAttribute> attributes, Set<String> names) {
    for (Map.Entry<String, DeviceAttribute> attribute : attributes.entrySet()) {
      String withDomain = driver + "/" + attribute.getKey();
      if (isList(attribute.getValue())
          && (names.contains(attribute.getKey())
              || (names.contains(withDomain) && !attributes.containsKey(withDomain)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isList(DeviceAttribute value) {
    return value instanceof DeviceAttribute.IntValues
        || value instanceof DeviceAttribute.BoolValues
        || value instanceof DeviceAttribute.StringValues
        || value instanceof DeviceAttribute.VersionValues;
  }
}
