package io.dra4j.cli;

import io.dra4j.cli.PodToPlace.ClaimKey;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.StatefulSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pods of a cluster in the order in which they are placed, and their claims. Makes the claims
 * that Kubernetes' controllers would make from templates, named {@code POD-ENTRY}.
 */
final class PodQueue {

  /** On a claim made for a pod: the entry of the pod that it was made for. */
  private static final String ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name";

  /** More replicas are not placed one by one on a command line. */
  private static final int MAX_REPLICAS = 100_000;

  private final Map<ClaimKey, ResourceClaim> claims = new LinkedHashMap<>();
  private final Map<ClaimKey, ResourceClaimTemplate> templates = new HashMap<>();
  private final Set<ClaimKey> made = new HashSet<>();
  private final List<PodToPlace> pods = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  PodQueue(List<Manifest> manifests) {
    for (Manifest manifest : manifests) {
      if (manifest.object() instanceof ResourceClaim claim) {
        claims.put(ClaimKey.of(claim), claim);
      } else if (manifest.object() instanceof ResourceClaimTemplate template) {
        templates.put(keyOf(template.metadata(), template.metadata().name()), template);
      }
    }
    Set<ClaimKey> referenced = new HashSet<>();
    Map<Integer, List<PodToPlace>> byManifest = new HashMap<>();
    for (int i = 0; i < manifests.size(); i++) {
      List<PodToPlace> ofManifest = podsOf(manifests.get(i).object());
      ofManifest.forEach(pod -> referenced.addAll(pod.claims()));
      byManifest.put(i, ofManifest);
    }
    for (int i = 0; i < manifests.size(); i++) {
      pods.addAll(byManifest.getOrDefault(i, List.of()));
      if (manifests.get(i).object() instanceof ResourceClaim claim
          && claim.allocation() == null
          && !referenced.contains(ClaimKey.of(claim))) {
        ClaimKey key = ClaimKey.of(claim);
        pods.add(new PodToPlace(key.toString(), PodToPlace.ANYWHERE, List.of(key)));
      }
    }
  }

  /** In the order in which they are placed; pods without claims are left out. */
  List<PodToPlace> pods() {
    return pods;
  }

  /** All claims: those of the manifests in their order, then those made from templates. */
  Map<ClaimKey, ResourceClaim> claims() {
    return claims;
  }

  /** Whether a claim was made here from a template. */
  boolean isMade(ClaimKey key) {
    return made.contains(key);
  }

  /** References to claims and templates that do not exist. */
  List<String> problems() {
    return problems;
  }

  private List<PodToPlace> podsOf(KubernetesObject object) {
    List<PodToPlace> found = new ArrayList<>();
    if (object instanceof Pod pod) {
      addPod(pod.metadata(), pod.metadata().name(), pod.spec(), pod.resourceClaimNames(), found);
    } else if (object instanceof StatefulSet set) {
      if (set.replicas() > MAX_REPLICAS) {
        problems.add(
            "StatefulSet %s: spec.replicas: %d are more than the %d that can be placed here"
                .formatted(set.metadata().name(), set.replicas(), MAX_REPLICAS));
        return found;
      }
      for (int i = 0; i < set.replicas(); i++) {
        String name = set.metadata().name() + "-" + (set.firstOrdinal() + i);
        addPod(set.metadata(), name, set.template(), Map.of(), found);
      }
    }
    return found;
  }

  private void addPod(
      ObjectMeta owner,
      String podName,
      PodSpec spec,
      Map<String, String> claimNames,
      List<PodToPlace> found) {
    List<ClaimKey> needed = new ArrayList<>();
    for (PodResourceClaim entry : spec.resourceClaims()) {
      String known = claimNames.get(entry.name());
      if (known != null && known.isEmpty()) {
        continue; // the controller decided that the pod needs no claim for this entry
      }
      ClaimKey key = keyOf(owner, known != null ? known : claimName(podName, entry));
      if (!claims.containsKey(key) && !make(key, owner, podName, entry)) {
        return;
      }
      if (!needed.contains(key)) {
        needed.add(key);
      }
    }
    if (!needed.isEmpty()) {
      found.add(new PodToPlace(owner.namespaceOrDefault() + "/" + podName, spec, needed));
    }
  }

  private static String claimName(String podName, PodResourceClaim entry) {
    return entry.resourceClaimName() != null
        ? entry.resourceClaimName()
        : podName + "-" + entry.name();
  }

  /** Makes a claim from the entry's template, or notes why that is impossible. */
  private boolean make(ClaimKey key, ObjectMeta owner, String podName, PodResourceClaim entry) {
    String path =
        "pod %s/%s: spec.resourceClaims[%s]: "
            .formatted(owner.namespaceOrDefault(), podName, entry.name());
    if (entry.resourceClaimName() != null || entry.resourceClaimTemplateName() == null) {
      problems.add(
          entry.resourceClaimName() == null
              ? path + "names neither a claim nor a template"
              : path + "no ResourceClaim " + key);
      return false;
    }
    ResourceClaimTemplate template = templates.get(keyOf(owner, entry.resourceClaimTemplateName()));
    if (template == null) {
      problems.add(
          path + "no ResourceClaimTemplate " + keyOf(owner, entry.resourceClaimTemplateName()));
      return false;
    }
    ResourceClaim claim = template.instantiate(key.name());
    ObjectMeta metadata =
        claim.metadata().toBuilder()
            .namespace(key.namespace())
            .annotation(ENTRY_ANNOTATION, entry.name())
            .build();
    claims.put(key, claim.toBuilder().metadata(metadata).build());
    made.add(key);
    return true;
  }

  private static ClaimKey keyOf(ObjectMeta inNamespaceOf, String name) {
    return new ClaimKey(inNamespaceOf.namespaceOrDefault(), name);
  }
}
