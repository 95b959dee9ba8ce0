package io.dra4j.scheduling;

import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceQuota;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of namespaces, and the claims for which they have no room: the API server refuses to
 * create these claims. If a quota does not state its used amounts, existing claims are charged to
 * it. The extended resources that an existing pod requests are in use already, so its special claim
 * is charged only for more. Not thread-safe.
 *
 * <p>Source: {@code pkg/quota/v1/evaluator/core/resource_claims.go} ({@code
 * addExtendedResourceQuota}) and {@code pods.go} of Kubernetes.
 */
final class ClaimQuotas {

  private static final String CLAIMS = "count/resourceclaims.resource.k8s.io";
  private static final String OF_CLASS = ".deviceclass.resource.k8s.io/devices";
  private static final String REQUESTS = "requests.";

  /** The most devices of a claim. */
  private static final long MAX_DEVICES = 32;

  /** A quota with its current use. */
  private static final class Counted {

    final ResourceQuota quota;
    final Map<String, Quantity> used;

    Counted(ResourceQuota quota) {
      this.quota = quota;
      this.used = new LinkedHashMap<>(quota.used());
    }

    @Nullable Quantity over(String resource, long asked) {
      Quantity hard = quota.hard().get(resource);
      boolean isOver = hard != null && hard.compareTo(used(resource).add(Quantity.of(asked))) < 0;
      return isOver ? hard : null;
    }

    Quantity used(String resource) {
      return used.getOrDefault(resource, Quantity.of(0));
    }

    void charge(String resource, long asked) {
      if (quota.hard().containsKey(resource)) {
        used.put(resource, used(resource).add(Quantity.of(asked)));
      }
    }
  }

  private final Map<String, List<Counted>> byNamespace = new HashMap<>();
  private final Map<String, String> extendedResources = new HashMap<>(); // by class
  private final Map<ClaimKey, NodeMismatch.OverQuota> refused = new LinkedHashMap<>();
  private final Map<ClaimKey, PodSpec> pods = new HashMap<>(); // existing pods that have not ended

  /** Charges the claims among the objects, existing claims first. */
  ClaimQuotas(Iterable<? extends KubernetesObject> objects) {
    for (KubernetesObject object : objects) {
      if (object instanceof ResourceQuota quota && quota.scopes().isEmpty()) {
        byNamespace
            .computeIfAbsent(quota.metadata().namespaceOrDefault(), any -> new ArrayList<>())
            .add(new Counted(quota));
      } else if (object instanceof DeviceClass one && one.extendedResourceName() != null) {
        extendedResources.put(one.metadata().name(), one.extendedResourceName());
      }
    }
    if (!byNamespace.isEmpty()) {
      charge(objects);
    }
  }

  private void charge(Iterable<? extends KubernetesObject> objects) {
    List<ResourceClaim> toCreate = new ArrayList<>();
    Set<ClaimKey> seen = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof ResourceClaim claim && seen.add(ClaimKey.of(claim))) {
        if (claim.metadata().uid() == null && claim.allocation() == null) {
          toCreate.add(claim);
        } else {
          chargeExisting(claim);
        }
      } else if (object instanceof Pod pod
          && pod.metadata().uid() != null
          && !pod.phase().isTerminal()) {
        pods.put(ClaimKey.of(pod.metadata(), pod.metadata().name()), pod.spec());
      }
    }
    toCreate.forEach(this::create);
  }

  private void chargeExisting(ResourceClaim claim) {
    for (Counted counted : quotasOf(claim)) {
      usage(claim)
          .forEach(
              (resource, count) -> {
                if (!counted.quota.used().containsKey(resource)) {
                  counted.charge(resource, count);
                }
              });
    }
  }

  private List<Counted> quotasOf(ResourceClaim claim) {
    return byNamespace.getOrDefault(claim.metadata().namespaceOrDefault(), List.of());
  }

  /** Charges a claim that is to be created, or records that it cannot be created. */
  void create(ResourceClaim claim) {
    List<Counted> quotas = quotasOf(claim);
    if (quotas.isEmpty()) {
      return;
    }
    Map<String, Long> ofPod = usageOfPod(claim);
    for (Counted counted : quotas) {
      for (Map.Entry<String, Long> asked : usage(claim, counted, ofPod).entrySet()) {
        Quantity hard = counted.over(asked.getKey(), asked.getValue());
        if (hard != null) {
          ClaimKey quota = ClaimKey.of(counted.quota.metadata(), counted.quota.metadata().name());
          refused.put(
              ClaimKey.of(claim),
              new NodeMismatch.OverQuota(
                  ClaimKey.of(claim),
                  quota,
                  asked.getKey(),
                  asked.getValue(),
                  counted.used(asked.getKey()),
                  hard));
          return;
        }
      }
    }
    for (Counted counted : quotas) {
      usage(claim, counted, ofPod).forEach(counted::charge);
    }
  }

  /** The reason why a claim cannot be created; {@code null} if it can be created, or exists. */
  NodeMismatch.@Nullable OverQuota refusal(ClaimKey claim) {
    return refused.get(claim);
  }

  /** The quotas that count claims, with their current use. */
  List<ResourceQuota> quotas() {
    List<ResourceQuota> quotas = new ArrayList<>();
    byNamespace
        .values()
        .forEach(all -> all.forEach(one -> quotas.add(one.quota.withUsed(one.used))));
    return List.copyOf(quotas);
  }

  /** A line for each quota that refused claims. */
  List<String> notes() {
    Map<ClaimKey, List<NodeMismatch.OverQuota>> byQuota = new LinkedHashMap<>();
    refused
        .values()
        .forEach(one -> byQuota.computeIfAbsent(one.quota(), any -> new ArrayList<>()).add(one));
    List<String> lines = new ArrayList<>();
    byQuota.forEach(
        (quota, all) ->
            lines.add(
                "ResourceQuota %s: no room for %s: %s%s"
                    .formatted(
                        quota,
                        all.size() == 1 ? "claim " + all.get(0).claim() : all.size() + " claims",
                        all.size() == 1
                            ? ""
                            : "claim " + all.get(0).claim() + " and the next ones: ",
                        all.get(0).amounts())));
    return lines;
  }

  /** The amounts that a new claim adds to a quota, less the amounts counted for the pod. */
  private Map<String, Long> usage(
      ResourceClaim claim, Counted counted, Map<String, Long> usageOfPod) {
    Map<String, Long> usage = usage(claim);
    usageOfPod.forEach(
        (resource, count) -> {
          if (counted.quota.used().containsKey(resource)) {
            usage.computeIfPresent(resource, (any, all) -> all > count ? all - count : null);
          }
        });
    return usage;
  }

  /** The amounts charged to the pod of a special claim; empty if the pod does not exist. */
  private Map<String, Long> usageOfPod(ResourceClaim claim) {
    Map<String, Long> usage = new TreeMap<>();
    if (PodClaims.isSpecial(claim)) {
      for (OwnerReference owner : claim.metadata().ownerReferences()) {
        PodSpec pod = pods.get(ClaimKey.of(claim.metadata(), owner.name()));
        if (owner.controller() && owner.kind().equals("Pod") && pod != null) {
          PodRequests.of(pod).forEach((name, count) -> usage.put(REQUESTS + name, count));
        }
      }
    }
    return usage;
  }

  /** The amounts that a claim is charged, by the names of resources. */
  private Map<String, Long> usage(ResourceClaim claim) {
    Map<String, Long> byClass = new TreeMap<>();
    for (DeviceRequest request : claim.spec().requests()) {
      devices(request).forEach((name, count) -> byClass.merge(name, count, Long::sum));
    }
    Map<String, Long> usage = new TreeMap<>();
    usage.put(CLAIMS, 1L);
    boolean isSpecial = PodClaims.isSpecial(claim);
    byClass.forEach(
        (name, count) -> {
          usage.put(name + OF_CLASS, count);
          String resource = extendedResources.get(name);
          if (resource != null) {
            usage.put(REQUESTS + resource, count);
          }
          if (resource != null
              || isSpecial) { // the pod of a special claim is charged in the same way
            usage.put(REQUESTS + ExtendedResources.IMPLICIT + name, count);
          }
        });
    return usage;
  }

  /** The devices of a request by class; with alternatives, the most devices of each class count. */
  private static Map<String, Long> devices(DeviceRequest request) {
    Map<String, Long> devices = new TreeMap<>();
    ExactDeviceRequest exactly = request.exactly();
    if (request.hasChoice()) {
      for (DeviceSubRequest one : request.firstAvailable()) {
        devices.merge(one.request().deviceClassName(), count(one.request()), Math::max);
      }
    } else if (exactly != null) {
      devices.put(exactly.deviceClassName(), count(exactly));
    }
    return devices;
  }

  private static long count(ExactDeviceRequest request) {
    if (request.allocationMode().equals(AllocationMode.ALL)) {
      return MAX_DEVICES;
    }
    return request.allocationMode().equals(AllocationMode.EXACT_COUNT) ? request.count() : 0;
  }
}
