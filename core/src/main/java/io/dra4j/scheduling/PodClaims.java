package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodController;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a cluster, and the claims that each pod uses: claims that it names, and claims that
 * the controller of claims created or would create for it or its group. {@link PodQueue} has the
 * pods.
 */
final class PodClaims {

  /** The annotation of a claim for a pod with the name of the entry of the pod. */
  private static final String ENTRY_ANNOTATION = "resource.kubernetes.io/pod-claim-name";

  /** The annotations that name the entry of a claim, by the kind of the owner. */
  private static final Map<String, String> ENTRY_ANNOTATIONS =
      Map.of("Pod", ENTRY_ANNOTATION, "PodGroup", "resource.kubernetes.io/podgroup-claim-name");

  private final Map<ClaimKey, ResourceClaim> claims = new LinkedHashMap<>();
  private final Map<ClaimKey, ResourceClaimTemplate> templates = new HashMap<>();
  private final PodGroups groups;
  private final Map<OwnedEntry, Map<String, ClaimKey>> owned = new HashMap<>(); // by owner's UID
  private final Set<ClaimKey> made = new HashSet<>();
  private final Set<ClaimKey> referenced = new HashSet<>();
  private final Map<ClaimKey, ClaimConsumers> consumers = new HashMap<>(); // of those in use
  private final Map<ClaimKey, PodGroup> shared = new HashMap<>(); // claims of groups
  private final ExtendedResources extended;
  private final Map<ClaimKey, Map<String, ClaimKey>> special = new HashMap<>(); // by pod, UID
  private final FinishedPods finished;
  private final Map<ClaimKey, String> ofGone = new HashMap<>(); // pending, with the reasons
  private final ClaimQuotas quotas;
  private final MessageList problems;
  private final MessageList notes;
  private final MessageList freed = new MessageList();

  /**
   * The entry of a pod or PodGroup for which claims were created according to their annotations.
   *
   * @param kind the kind of the owner, {@code Pod} or {@code PodGroup}
   * @param owner the pod or group, by its name and namespace
   * @param entry the name of the entry in {@code spec.resourceClaims}
   */
  private record OwnedEntry(String kind, ClaimKey owner, String entry) {}

  /**
   * The object that determines the claims of a pod, or of all pods of a template.
   *
   * @param object the name of the object in messages, for example {@code pod default/p}
   * @param path the path of the specification of pods in the object
   * @param metadata the metadata of the object
   * @param labels the labels of its pods
   * @param spec the specification of its pods
   * @param claimNames the claims for the pod according to its status
   * @param uid the UID of the pod; empty for a template of pods and if it is not given
   */
  record Source(
      String object,
      String path,
      ObjectMeta metadata,
      Map<String, String> labels,
      PodSpec spec,
      Map<String, String> claimNames,
      String uid) {

    private static final String PATH_OF_PODS = "spec";

    static Source of(Pod pod) {
      return new Source(
          "pod " + nameOf(pod.metadata()),
          PATH_OF_PODS,
          pod.metadata(),
          pod.metadata().labels(),
          pod.spec(),
          pod.resourceClaimNames(),
          Objects.requireNonNullElse(pod.metadata().uid(), ""));
    }

    static Source of(PodController owner, Map<String, String> labels, PodSpec template) {
      return new Source(
          PodOwner.of(owner).toString(),
          "spec.template.spec",
          owner.metadata(),
          labels,
          template,
          Map.of(),
          "");
    }

    private static String nameOf(ObjectMeta metadata) {
      return metadata.namespaceOrDefault() + "/" + metadata.name();
    }

    /** The beginning of a message about a field of the specification. */
    String at(String field) {
      return object + ": " + path + "." + field + ": ";
    }

    private String at(PodResourceClaim entry) {
      return at("resourceClaims[" + entry.name() + "]");
    }
  }

  /**
   * The annotation of the claim for the extended resources of a pod, with the value {@code true}.
   */
  private static final String SPECIAL = "resource.kubernetes.io/extended-resource-claim";

  /**
   * Creates an object without claims.
   *
   * @param extended the extended resources of device classes
   * @param finished the pods that have ended
   * @param quotas the limits of the claims that are created
   * @param groups the groups of pods
   * @param problems receives the reasons why pods cannot be placed
   * @param notes receives the guesses
   */
  PodClaims(
      ExtendedResources extended,
      FinishedPods finished,
      ClaimQuotas quotas,
      PodGroups groups,
      MessageList problems,
      MessageList notes) {
    this.extended = extended;
    this.finished = finished;
    this.quotas = quotas;
    this.groups = groups;
    referenced.addAll(finished.claims());
    this.problems = problems;
    this.notes = notes;
  }

  /** Adds an object of the cluster if it is a claim or a template of claims. */
  void add(KubernetesObject object) {
    if (object instanceof ResourceClaim claim) {
      claims.put(ClaimKey.of(claim), finished.withoutThem(claim));
      noteGone(claim);
      addOwned(claim);
    } else if (object instanceof ResourceClaimTemplate template) {
      templates.put(ClaimKey.of(template.metadata(), template.metadata().name()), template);
    }
  }

  /** Whether a claim is for the extended resources of a pod. */
  static boolean isSpecial(ResourceClaim claim) {
    return "true".equals(claim.metadata().annotations().get(SPECIAL));
  }

  /**
   * Reports a claim whose devices are free because its pods no longer exist. No pod waits for it.
   */
  private void noteGone(ResourceClaim claim) {
    ClaimKey key = ClaimKey.of(claim);
    String gone = finished.goneOf(claim);
    if (!gone.isEmpty() && Objects.requireNonNull(claims.get(key)).allocation() == null) {
      if (claim.allocation() == null) {
        ofGone.put(key, gone);
      } else {
        referenced.add(key);
        freed.add("ResourceClaim " + key + ": its devices count as free, because " + gone);
      }
    }
  }

  /** The claims whose devices are free because their pods no longer exist, a line for each. */
  MessageList freed() {
    return freed;
  }

  /** The reason why no pod waits for a pending claim that is not used; empty if one may wait. */
  String gone(ClaimKey key) {
    return ofGone.getOrDefault(key, "");
  }

  private void addOwned(ResourceClaim claim) {
    for (OwnerReference owner : claim.metadata().ownerReferences()) {
      if (owner.controller() && owner.kind().equals("Pod") && isSpecial(claim)) {
        special
            .computeIfAbsent(
                ClaimKey.of(claim.metadata(), owner.name()), any -> new LinkedHashMap<>())
            .putIfAbsent(owner.uid(), ClaimKey.of(claim));
      }
      String annotation = ENTRY_ANNOTATIONS.get(owner.kind());
      String entry = annotation == null ? null : claim.metadata().annotations().get(annotation);
      if (owner.controller() && entry != null) {
        ClaimKey key = ClaimKey.of(claim.metadata(), owner.name());
        owned
            .computeIfAbsent(new OwnedEntry(owner.kind(), key, entry), any -> new LinkedHashMap<>())
            .putIfAbsent(owner.uid(), ClaimKey.of(claim));
      }
    }
  }

  /**
   * The claim that the controller has created for an entry of a pod or PodGroup whose status does
   * not name it yet; {@code null} if there is none. Of several claims the first one counts.
   *
   * <p>Source: {@code findPodResourceClaim} in the controller {@code resourceclaim} of
   * kube-controller-manager, and KEP-5729 for PodGroups.
   *
   * @param uid the UID of the owner; empty if it is not given
   * @param isWritten whether the owner is an object of the input, not a pod of a template
   */
  private @Nullable String ownedClaim(OwnedEntry entry, String uid, boolean isWritten) {
    Map<String, ClaimKey> byUid = owned.getOrDefault(entry, Map.of());
    ClaimKey found = byUid.getOrDefault(uid, byUid.get(""));
    // An owner in a hand-written file has no UID: its name is trusted.
    if (found == null && uid.isEmpty() && isWritten && !byUid.isEmpty()) {
      found = byUid.values().iterator().next();
    }
    return found == null ? null : found.name();
  }

  private @Nullable String ownedClaim(Source source, String podName, PodResourceClaim entry) {
    return ownedClaim(
        new OwnedEntry("Pod", ClaimKey.of(source.metadata(), podName), entry.name()),
        source.uid(),
        source.path().equals(Source.PATH_OF_PODS));
  }

  private @Nullable String ownedClaim(PodGroup group, PodResourceClaim entry) {
    ObjectMeta metadata = group.metadata();
    return ownedClaim(
        new OwnedEntry("PodGroup", ClaimKey.of(metadata, metadata.name()), entry.name()),
        uidOf(metadata),
        true);
  }

  /**
   * All claims: the claims of the cluster in their order, then the claims that were created here.
   */
  Map<ClaimKey, ResourceClaim> all() {
    return Collections.unmodifiableMap(claims);
  }

  /** Whether pods use a claim, including pods that have ended or cannot be placed. */
  boolean isUsed(ClaimKey key) {
    return referenced.contains(key);
  }

  boolean isMade(ClaimKey key) {
    return made.contains(key);
  }

  /** Finds or creates the claims of a pod, and returns their keys; {@code null} after a problem. */
  @Nullable List<ClaimKey> of(Source source, String podName) {
    Set<ClaimKey> needed = new LinkedHashSet<>();
    boolean isPlaced = true;
    for (PodResourceClaim entry : source.spec().resourceClaims()) {
      Named named = named(source, podName, entry);
      if (named == null) {
        continue;
      }
      ClaimKey key = named.key();
      PodGroup group = sharingGroup(source, entry);
      if (group != null) {
        shared.put(key, group);
      }
      ResourceClaim claim = claims.get(key);
      isPlaced &=
          claim == null
              ? isPlaced && make(key, source, entry, named.by())
              : isFor(source, podName, entry, claim, named.byUid());
      needed.add(key);
    }
    addSpecial(source, podName, needed);
    referenced.addAll(needed);
    return isPlaced ? List.copyOf(needed) : null;
  }

  /**
   * The claim of an entry.
   *
   * @param by the object whose status names the claim; empty if none does
   * @param byUid the UID of that object; empty if it has none
   */
  private record Named(ClaimKey key, String by, String byUid) {}

  /** The claim of an entry; {@code null} for an entry that needs none. */
  private @Nullable Named named(Source source, String podName, PodResourceClaim entry) {
    boolean isMadeForPods = entry.resourceClaimName() == null;
    // A claim that the pod itself names is used, independent of its status.
    String inStatus = isMadeForPods ? source.claimNames().get(entry.name()) : null;
    if (inStatus != null && inStatus.isEmpty()) {
      return null; // the controller decided that the pod needs no claim for this entry
    } else if (inStatus != null) {
      return new Named(ClaimKey.of(source.metadata(), inStatus), source.object(), source.uid());
    }
    PodGroup group = sharingGroup(source, entry);
    String known = group == null ? "" : group.resourceClaimNames().getOrDefault(entry.name(), "");
    if (group != null && !known.isEmpty()) {
      return new Named(
          ClaimKey.of(source.metadata(), known),
          "PodGroup " + ClaimKey.of(group.metadata(), group.metadata().name()),
          uidOf(group.metadata()));
    }
    String owned =
        group != null
            ? ownedClaim(group, entry)
            : isMadeForPods ? ownedClaim(source, podName, entry) : null;
    String unowned =
        group != null ? group.metadata().name() + "-" + entry.name() : claimName(podName, entry);
    return new Named(ClaimKey.of(source.metadata(), owned == null ? unowned : owned), "", "");
  }

  /**
   * The claims of a pod by the names of its entries, without entries that need no claim.
   *
   * @param podName the name of the pod, in the namespace of the source
   */
  Map<String, ClaimKey> byEntry(Source source, String podName) {
    Map<String, ClaimKey> keys = new HashMap<>();
    for (PodResourceClaim entry : source.spec().resourceClaims()) {
      Named named = named(source, podName, entry);
      if (named != null) {
        keys.put(entry.name(), named.key());
      }
    }
    return keys;
  }

  /** Adds the claim for a pod's extended resources, a new one only if the pod is on no node. */
  private void addSpecial(Source source, String podName, Set<ClaimKey> needed) {
    Map<String, ClaimKey> byUid =
        special.getOrDefault(ClaimKey.of(source.metadata(), podName), Map.of());
    ClaimKey known = byUid.getOrDefault(source.uid(), byUid.get(""));
    if (known == null && source.uid().isEmpty() && !byUid.isEmpty()) {
      known = byUid.values().iterator().next();
    }
    if (known != null) {
      needed.add(known);
    } else if (source.spec().nodeName().isEmpty() && extended.isAskedBy(source.spec())) {
      ClaimKey key = ClaimKey.of(source.metadata(), podName + "-extended-resources");
      ResourceClaim.Builder claim = ResourceClaim.named(key.name());
      extended.claimOf(source.spec()).requests().forEach(claim::request);
      ObjectMeta metadata =
          ObjectMeta.named(key.namespace(), key.name()).toBuilder()
              .annotation(SPECIAL, "true")
              .ownerReferences(List.of(OwnerReference.controller("v1", "Pod", podName)))
              .build();
      make(key, claim.metadata(metadata).build());
      needed.add(key);
    }
  }

  /**
   * Reserves the {@linkplain #of found} claims of a pod for it, and shared claims for its group.
   * Returns a claim at the limit of reservations, without any reservation then; {@code null} if
   * there is none.
   */
  @Nullable ClaimKey reserve(Source source, PendingPod pod) {
    PodGroup group = groups.find(source);
    Map<ClaimKey, String> ids = new LinkedHashMap<>();
    for (ClaimKey key : pod.claims()) {
      boolean isOfGroup = group != null && group.equals(shared.get(key));
      String id = group != null && isOfGroup ? consumer(group) : consumer(source, pod);
      ids.put(key, id);
      if (!consumersOf(key).canTake(id)) {
        return key;
      }
    }
    ids.forEach((key, id) -> consumersOf(key).take(id));
    return null;
  }

  /**
   * Whether a claim is in use without the pod: it is reserved, but neither for the pod nor for its
   * group ({@code resourceclaim.IsReservedForPod}).
   */
  boolean isReservedForOthers(Source source, PendingPod pod, ResourceClaim claim) {
    ClaimConsumers reserved = new ClaimConsumers(claim);
    PodGroup group = groups.find(source);
    return !claim.status().reservedFor().isEmpty()
        && !(group != null && reserved.has(consumer(group)))
        && !reserved.has(consumer(source, pod));
  }

  private static String consumer(PodGroup group) {
    return ClaimConsumers.id("podgroups", group.metadata().name(), uidOf(group.metadata()));
  }

  private static String consumer(Source source, PendingPod pod) {
    return ClaimConsumers.id("pods", pod.localName(), source.uid());
  }

  /** The number of pods and groups for which a claim is reserved. */
  int consumers(ClaimKey key) {
    return consumersOf(key).count();
  }

  private ClaimConsumers consumersOf(ClaimKey key) {
    return consumers.computeIfAbsent(
        key, any -> new ClaimConsumers(Objects.requireNonNull(claims.get(key), "a known claim")));
  }

  /** The group of a pod if it has a claim for an equal entry (KEP-5729), or {@code null}. */
  private @Nullable PodGroup sharingGroup(Source source, PodResourceClaim entry) {
    PodGroup group = entry.resourceClaimTemplateName() == null ? null : groups.find(source);
    return group != null && groups.shares(group, entry) ? group : null;
  }

  private static String claimName(String podName, PodResourceClaim entry) {
    return entry.resourceClaimName() != null
        ? entry.resourceClaimName()
        : podName + "-" + entry.name();
  }

  /**
   * Whether a pod may use a claim; reports the reason if not. Not called for a pod that is on a
   * node.
   *
   * <p>Source: {@code foreachPodResourceClaim} in kube-scheduler's plugin {@code dynamicresources}.
   *
   * @param namedByUid the UID of the object whose status names the claim; empty if it has none, and
   *     if the claim was found by its name
   */
  private boolean isFor(
      Source source,
      String podName,
      PodResourceClaim entry,
      ResourceClaim claim,
      String namedByUid) {
    if (!source.spec().nodeName().isEmpty()) {
      return true;
    }
    if (isBeingDeleted(claim)) {
      problems.add(source.at(entry) + "ResourceClaim " + claim.displayName() + " is being deleted");
      return false;
    }
    boolean hasOwner = entry.resourceClaimName() == null && !isMade(ClaimKey.of(claim));
    String other = hasOwner ? otherOwner(source, podName, claim, namedByUid) : "";
    if (!other.isEmpty()) {
      problems.add(
          source.at(entry)
              + "ResourceClaim %s is not the pod's: it %s".formatted(claim.displayName(), other));
    }
    return other.isEmpty();
  }

  static boolean isBeingDeleted(ResourceClaim claim) {
    return claim.metadata().deletionTimestamp() != null;
  }

  /**
   * Describes the owner of a claim if it is neither the pod nor its group ({@code
   * resourceclaim.IsForPod}); empty if it may be. Without UIDs, as in hand-written files, the name
   * is trusted, and so is a claim without an owner that no status names.
   */
  private String otherOwner(Source source, String podName, ResourceClaim claim, String namedByUid) {
    for (OwnerReference owner : claim.metadata().ownerReferences()) {
      if (owner.controller()) {
        boolean isGroup =
            owner.kind().equals("PodGroup") && owner.name().equals(source.spec().podGroupName());
        PodGroup group = isGroup ? groups.find(source) : null;
        String uid = isGroup ? (group == null ? "" : uidOf(group.metadata())) : source.uid();
        boolean isPod = owner.kind().equals("Pod") && owner.name().equals(podName);
        boolean isKnown = !uid.isEmpty() && !owner.uid().isEmpty();
        boolean isOther = isKnown ? !owner.uid().equals(uid) : !(isGroup || isPod);
        return isOther
            ? "was created for %s %s".formatted(owner.kind(), owner.name())
                + (owner.uid().isEmpty() ? "" : " of UID " + owner.uid())
            : "";
      }
    }
    return namedByUid.isEmpty() ? "" : "has no controller as its owner";
  }

  private static String uidOf(ObjectMeta metadata) {
    return Objects.requireNonNullElse(metadata.uid(), "");
  }

  /**
   * Creates a claim from the entry's template, or reports why that is impossible; {@code namedBy}
   * is the object whose status names the missing claim, or empty.
   */
  private boolean make(ClaimKey key, Source source, PodResourceClaim entry, String namedBy) {
    String templateName = entry.resourceClaimTemplateName();
    if (entry.resourceClaimName() != null) {
      problems.add(source.at(entry) + "no ResourceClaim " + key, () -> hint(key));
      return false;
    } else if (templateName == null) {
      problems.add(source.at(entry) + "names neither a claim nor a template");
      return false;
    }
    ClaimKey templateKey = ClaimKey.of(source.metadata(), templateName);
    ResourceClaimTemplate template = templates.get(templateKey);
    if (template == null) {
      String claim =
          namedBy.isEmpty() ? "no " : "no ResourceClaim " + key + ", as its status says, and no ";
      problems.add(
          source.at(entry) + claim + "ResourceClaimTemplate " + templateKey,
          () -> MessageList.hint(templateKey, templates.keySet()));
      return false;
    }
    if (!namedBy.isEmpty()) {
      notes.add(
          "%s: status.resourceClaimStatuses[%s]: no ResourceClaim %s in the input: it is treated as a new claim from the template"
              .formatted(namedBy, entry.name(), key));
    }
    ResourceClaim claim = template.instantiate(key.name());
    ObjectMeta metadata =
        claim.metadata().toBuilder()
            .namespace(key.namespace())
            .annotation(ENTRY_ANNOTATION, entry.name())
            .build();
    make(key, claim.toBuilder().metadata(metadata).build());
    return true;
  }

  private void make(ClaimKey key, ResourceClaim claim) {
    claims.put(key, claim);
    made.add(key);
    quotas.create(claim);
  }

  private String hint(ClaimKey missing) {
    Collection<ClaimKey> known = claims.keySet().stream().filter(key -> !isMade(key)).toList();
    return MessageList.hint(missing, known);
  }
}
