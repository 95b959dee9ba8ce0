package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.StatefulSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pods of a cluster that use claims, in the order of its objects, and all claims.
 *
 * <p>Does what Kubernetes' controllers would have done by the time a scheduler sees the pods:
 *
 * <ul>
 *   <li>a stateful set has its pods, unless a pod of that name is among the objects: then this is
 *       it;
 *   <li>an entry with a template has its claim, named {@code POD-ENTRY} unless the pod's status
 *       names it;
 *   <li>a pod that has ended is not placed, and a claim that was reserved for such pods only, or
 *       made for one, has no allocation any more (kube-controller-manager, {@code
 *       pkg/controller/resourceclaim}: the reservation goes with the pod, and with the last of them
 *       the allocation). A stateful set replaces its pods that have ended.
 * </ul>
 *
 * <p>A pending claim that no pod uses is placed as if a pod of its own did.
 */
public final class PodQueue {

  /** On a claim made for a pod: the entry of the pod that it was made for. */
  private static final String ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name";

  /** More entries of replicas of stateful sets, all together, are not made into claims. */
  private static final int MAX_REPLICA_CLAIMS = 100_000;

  /** References that lead nowhere; of more only their number is told. */
  private static final int MAX_PROBLEMS = 200;

  private final Map<ClaimKey, ResourceClaim> claims = new LinkedHashMap<>();
  private final Map<ClaimKey, ResourceClaimTemplate> templates = new HashMap<>();
  private final Set<ClaimKey> made = new HashSet<>();
  private final Set<ClaimKey> referenced = new HashSet<>();
  private final List<PodToPlace> pods = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int moreProblems;
  private long replicaClaims; // at most, of the stateful sets so far

  private PodQueue(Iterable<? extends KubernetesObject> objects) {
    FinishedPods finished = FinishedPods.of(objects);
    Set<String> present = new HashSet<>();
    for (KubernetesObject object : objects) {
      if (object instanceof ResourceClaim claim) {
        claims.put(ClaimKey.of(claim), finished.withoutThem(claim));
      } else if (object instanceof ResourceClaimTemplate template) {
        templates.put(ClaimKey.of(template.metadata(), template.metadata().name()), template);
      } else if (object instanceof Pod pod && !pod.phase().isTerminal()) {
        present.add(nameOf(pod.metadata(), pod.metadata().name()));
      }
    }
    referenced.addAll(finished.claims());
    Map<Integer, List<PodToPlace>> byObject = new HashMap<>();
    int place = 0;
    for (KubernetesObject object : objects) {
      List<PodToPlace> ofObject = podsOf(object, present);
      ofObject.forEach(pod -> referenced.addAll(pod.claims()));
      byObject.put(place++, ofObject);
    }
    place = 0;
    for (KubernetesObject object : objects) {
      pods.addAll(byObject.getOrDefault(place++, List.of()));
      if (object instanceof ResourceClaim claim) {
        addUnused(ClaimKey.of(claim));
      }
    }
    if (moreProblems > 0) {
      problems.add("and " + moreProblems + " more problems of pods");
    }
  }

  /**
   * Makes the queue of a cluster.
   *
   * @param objects the pods, stateful sets, claims and templates of the cluster; others do not
   *     matter
   * @return the pods that use claims, in the order of the objects
   */
  public static PodQueue of(Iterable<? extends KubernetesObject> objects) {
    return new PodQueue(objects);
  }

  /**
   * Returns the pods in the order in which they are to be placed.
   *
   * @return the pods; those without claims are left out
   */
  public List<PodToPlace> pods() {
    return Collections.unmodifiableList(pods);
  }

  /**
   * Returns all claims by their keys.
   *
   * @return the claims of the cluster in their order, without the allocations that ended with their
   *     pods, then those made from templates
   */
  public Map<ClaimKey, ResourceClaim> claims() {
    return Collections.unmodifiableMap(claims);
  }

  /**
   * Tells whether a claim was made here from a template.
   *
   * @param key the key of the claim
   * @return whether the claim was not among the objects
   */
  public boolean isMade(ClaimKey key) {
    return made.contains(key);
  }

  /**
   * Returns what is wrong with pods that cannot be placed: they refer to claims and templates that
   * do not exist, or are too many.
   *
   * @return a line for each; a last one counts what is beyond 200
   */
  public List<String> problems() {
    return Collections.unmodifiableList(problems);
  }

  private void addUnused(ClaimKey key) {
    ResourceClaim claim = claims.get(key);
    if (claim != null && claim.allocation() == null && referenced.add(key)) {
      pods.add(new PodToPlace(key.toString(), PodSpec.ANYWHERE, List.of(key)));
    }
  }

  private List<PodToPlace> podsOf(KubernetesObject object, Set<String> present) {
    List<PodToPlace> found = new ArrayList<>();
    if (object instanceof Pod pod && !pod.phase().isTerminal()) {
      addPod(pod.metadata(), pod.metadata().name(), pod.spec(), pod.resourceClaimNames(), found);
    } else if (object instanceof StatefulSet set && hasRoomFor(set)) {
      for (int i = 0; i < set.replicas(); i++) {
        String name = set.metadata().name() + "-" + ((long) set.firstOrdinal() + i);
        if (!present.contains(nameOf(set.metadata(), name))) {
          addPod(set.metadata(), name, set.template(), Map.of(), found);
        }
      }
    }
    return found;
  }

  /** Whether the claims of the set's pods are few enough; if so they are counted. */
  private boolean hasRoomFor(StatefulSet set) {
    long wanted = (long) Math.max(0, set.replicas()) * set.template().resourceClaims().size();
    if (wanted > MAX_REPLICA_CLAIMS - replicaClaims) {
      problem(
          "StatefulSet %s: spec.replicas: %d pods use %d claims; at most %d are placed here of all sets together"
              .formatted(set.metadata().name(), set.replicas(), wanted, MAX_REPLICA_CLAIMS));
      return false;
    }
    replicaClaims += wanted;
    return wanted > 0;
  }

  private void addPod(
      ObjectMeta owner,
      String podName,
      PodSpec spec,
      Map<String, String> claimNames,
      List<PodToPlace> found) {
    Set<ClaimKey> needed = new LinkedHashSet<>();
    for (PodResourceClaim entry : spec.resourceClaims()) {
      String known = claimNames.get(entry.name());
      if (known != null && known.isEmpty()) {
        continue; // the controller decided that the pod needs no claim for this entry
      }
      ClaimKey key = ClaimKey.of(owner, known != null ? known : claimName(podName, entry));
      if (!claims.containsKey(key) && !make(key, owner, podName, entry)) {
        return;
      }
      needed.add(key);
    }
    if (!needed.isEmpty()) {
      found.add(new PodToPlace(nameOf(owner, podName), spec, List.copyOf(needed)));
    }
  }

  private static String nameOf(ObjectMeta inNamespaceOf, String podName) {
    return inNamespaceOf.namespaceOrDefault() + "/" + podName;
  }

  private static String claimName(String podName, PodResourceClaim entry) {
    return entry.resourceClaimName() != null
        ? entry.resourceClaimName()
        : podName + "-" + entry.name();
  }

  /** Makes a claim from the entry's template, or notes why that is impossible. */
  private boolean make(ClaimKey key, ObjectMeta owner, String podName, PodResourceClaim entry) {
    String path =
        "pod %s: spec.resourceClaims[%s]: ".formatted(nameOf(owner, podName), entry.name());
    if (entry.resourceClaimName() != null || entry.resourceClaimTemplateName() == null) {
      problem(
          entry.resourceClaimName() == null
              ? path + "names neither a claim nor a template"
              : path + "no ResourceClaim " + key);
      return false;
    }
    ClaimKey templateKey = ClaimKey.of(owner, entry.resourceClaimTemplateName());
    ResourceClaimTemplate template = templates.get(templateKey);
    if (template == null) {
      problem(path + "no ResourceClaimTemplate " + templateKey);
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

  private void problem(String line) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(line);
    } else {
      moreProblems++;
    }
  }
}
