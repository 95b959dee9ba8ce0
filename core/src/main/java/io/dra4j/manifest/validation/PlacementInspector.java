package io.dra4j.manifest.validation;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.Place;
import io.dra4j.manifest.WrittenObject;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.NearNames;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells what of pods and nodes decides in a cluster where pods run, and is not looked at where
 * {@code io.dra4j.scheduling} places them by their claims, node selectors and node names alone:
 * affinity, topology spread, scheduling gates, taints and states of nodes; and, when all files are
 * read, devices that pods ask for in another way than by claims.
 *
 * <p>Of pods, and templates of stateful sets and jobs, only those are looked at that are on no node
 * yet. Made for the files of one cluster; not thread-safe.
 */
public final class PlacementInspector implements ManifestInspector {

  /** The name of the rule of all findings, which is none of the API server: {@value}. */
  public static final String RULE = "not-looked-at";

  private static final String IMPLICIT_RESOURCE = "deviceclass.resource.kubernetes.io/";
  private static final Set<String> KEEPING_AWAY = Set.of("NoSchedule", "NoExecute");

  /** What Kubernetes adds to nodes of which the cause is told by itself. */
  private static final Set<String> TAINTS_OF_UNSCHEDULABLE =
      Set.of("node.kubernetes.io/unschedulable");

  private static final Set<String> TAINTS_OF_NOT_READY =
      Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  /** So many requests of pods are remembered; more pods than a cluster has. */
  private static final int MAX_WISHES = 200_000;

  /** Longer names are no names, and are not remembered. */
  private static final int MAX_NAME = 253 + 1 + 63;

  /** So many fields of a name, and problems, are told; of more their number. */
  private static final int MAX_TOLD = 20;

  private static final Origin ALL_FILES = Origin.ofFile("input");

  /**
   * What a container asks for, of which only all objects together say what it is.
   *
   * @param claim the claim or template of the request; {@code null} for an extended resource
   * @param name the name of the request, or of the extended resource
   * @param isPlaced whether the pod is placed by claims
   */
  private record Wish(
      Origin origin,
      String object,
      String path,
      @Nullable SourceKey claim,
      String name,
      boolean isPlaced) {}

  private record SourceKey(boolean isTemplate, ClaimKey key) {}

  private final List<Wish> wishes = new ArrayList<>();
  private final Map<String, Integer> told = new TreeMap<>(); // by the names of fields

  /** Makes an inspector for the files of one cluster. */
  public PlacementInspector() {}

  @Override
  public void inspect(WrittenObject object, Findings findings) {
    Written root = Written.of(object, findings);
    switch (object.kind()) {
      case "Node" -> inspectNode(root);
      case "Pod", "StatefulSet", "Job" -> inspectPods(object, root);
      default -> {}
    }
    Written metadata = root.objectOrEmpty("metadata");
    if (isGiven(metadata, "generateName")
        && !isGiven(metadata, "name")
        && !object.kind().equals("ResourceSlice")) {
      tell(
          metadata,
          "generateName",
          "generateName",
          "no name yet, answers show the object without one");
    }
  }

  /**
   * Says what shows only when all objects of the cluster are known: pods that ask for extended
   * resources of device classes (KEP-5004), which nobody places, and containers that name requests
   * which their claims do not have; and of how many fields nothing was told, as they are very many.
   *
   * @param manifests the objects of the cluster
   * @return a problem for each, in the order of the files; of very many the first, and one that
   *     counts the others
   */
  public List<Problem> problems(List<Manifest> manifests) {
    List<Problem> problems = new ArrayList<>();
    told.forEach(
        (field, count) -> addCount(problems, count - MAX_TOLD, field + " that are not looked at"));
    if (!wishes.isEmpty()) {
      addWishes(manifests, problems);
    }
    return problems;
  }

  private void addWishes(List<Manifest> manifests, List<Problem> problems) {
    Map<String, String> classes = new HashMap<>();
    Map<SourceKey, ResourceClaimSpec> claims = new HashMap<>();
    for (Manifest manifest : manifests) {
      KubernetesObject object = manifest.object();
      if (object instanceof DeviceClass one && one.extendedResourceName() != null) {
        classes.putIfAbsent(one.extendedResourceName(), one.metadata().name());
      } else if (object instanceof ResourceClaim claim) {
        claims.put(new SourceKey(false, ClaimKey.of(claim)), claim.spec());
      } else if (object instanceof ResourceClaimTemplate template) {
        ClaimKey key = ClaimKey.of(template.metadata(), template.metadata().name());
        claims.put(new SourceKey(true, key), template.spec());
      }
    }
    int found = 0;
    for (Wish wish : wishes) {
      String message = wish.claim() == null ? ofResource(wish, classes) : ofRequest(wish, claims);
      if (message != null && ++found <= MAX_TOLD) {
        problems.add(
            new Problem(wish.origin(), Place.UNKNOWN, wish.object(), wish.path(), message));
      }
    }
    addCount(problems, found - MAX_TOLD, "requests of containers like these");
  }

  private static void addCount(List<Problem> problems, int more, String what) {
    if (more > 0) {
      problems.add(
          new Problem(ALL_FILES, Place.UNKNOWN, "", "", "and %d more %s".formatted(more, what)));
    }
  }

  /** Tells of a field, unless very many of its name were told. */
  private void tell(Written object, String field, String below, String message) {
    if (told.merge(field, 1, Integer::sum) <= MAX_TOLD) {
      object.tell(RULE, below, message);
    }
  }

  private static @Nullable String ofResource(Wish wish, Map<String, String> classes) {
    String name = wish.name();
    String className =
        name.startsWith(IMPLICIT_RESOURCE)
            ? name.substring(IMPLICIT_RESOURCE.length())
            : classes.get(name);
    return className == null
        ? null
        : "%s: asks for %s (extended resource of class %s)"
            .formatted(wish.isPlaced() ? "placed without it" : "not placed", name, className);
  }

  private static @Nullable String ofRequest(Wish wish, Map<SourceKey, ResourceClaimSpec> claims) {
    ResourceClaimSpec spec = claims.get(wish.claim());
    if (spec == null || wish.claim() == null) {
      return null; // that it is missing is told by itself
    }
    List<String> names = spec.requests().stream().map(DeviceRequest::name).toList();
    if (names.contains(wish.name())) {
      return null;
    }
    List<String> near = NearNames.of(wish.name(), names);
    return "%s %s has no request %s%s"
        .formatted(
            wish.claim().isTemplate() ? "ResourceClaimTemplate" : "ResourceClaim",
            wish.claim().key(),
            Written.shown(wish.name()),
            near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?");
  }

  private void inspectNode(Written node) {
    Written spec = node.objectOrEmpty("spec");
    Set<String> known = new HashSet<>();
    if (Boolean.TRUE.equals(spec.flag("unschedulable"))) {
      known.addAll(TAINTS_OF_UNSCHEDULABLE);
      tell(spec, "unschedulable", "unschedulable", "not looked at: pods are placed on this node");
    }
    for (Written condition : node.objectOrEmpty("status").objects("conditions")) {
      if ("Ready".equals(condition.text("type")) && !"True".equals(condition.text("status"))) {
        known.addAll(TAINTS_OF_NOT_READY);
        tell(condition, "conditions", "status", "not looked at: pods are placed on this node");
      }
    }
    for (Written taint : spec.objects("taints")) {
      String effect = String.valueOf(taint.text("effect"));
      String key = String.valueOf(taint.text("key"));
      if (KEEPING_AWAY.contains(effect) && !known.contains(key)) {
        String message = "not looked at: pods that do not tolerate %s:%s are placed here, too";
        tell(taint, "taints", "", message.formatted(key, effect));
      }
    }
  }

  private void inspectPods(WrittenObject object, Written root) {
    Written spec = PodRules.specOf(object.kind(), root);
    String phase = root.objectOrEmpty("status").text("phase");
    boolean isPod = object.kind().equals("Pod");
    if (isGiven(spec, "nodeName")
        || (isPod && ("Succeeded".equals(phase) || "Failed".equals(phase)))) {
      return;
    }
    boolean isPlaced = spec.size("resourceClaims") > 0;
    if (isPlaced) {
      tellUnseen(spec);
      Written metadata = root.objectOrEmpty("metadata");
      if (isPod && metadata.has("deletionTimestamp")) {
        String message = "not looked at: a pod that goes away is placed, too";
        tell(metadata, "deletionTimestamp", "deletionTimestamp", message);
      }
    }
    rememberWishes(object, root, spec, isPlaced);
  }

  private void tellUnseen(Written spec) {
    String message = "not looked at: nodes that it rules out are taken, too";
    Written affinity = spec.objectOrEmpty("affinity");
    for (String kind : List.of("nodeAffinity", "podAffinity", "podAntiAffinity")) {
      Written one = affinity.objectOrEmpty(kind);
      if (one.size("requiredDuringSchedulingIgnoredDuringExecution") > 0) {
        tell(one, kind, "requiredDuringSchedulingIgnoredDuringExecution", message);
      }
    }
    for (Written constraint : spec.objects("topologySpreadConstraints")) {
      if ("DoNotSchedule".equals(constraint.text("whenUnsatisfiable"))) {
        tell(constraint, "topologySpreadConstraints", "", message);
      }
    }
    if (spec.size("schedulingGates") > 0) {
      String gates = "not looked at: the pod is placed before they are gone";
      tell(spec, "schedulingGates", "schedulingGates", gates);
    }
  }

  private void rememberWishes(WrittenObject object, Written root, Written spec, boolean isPlaced) {
    Map<String, SourceKey> sources = new HashMap<>();
    Set<String> resources = new HashSet<>();
    List<Written> containers = PodRules.containers(spec).toList();
    if (isPlaced) {
      String given = root.objectOrEmpty("metadata").text("namespace");
      String namespace = given == null || given.isEmpty() ? "default" : given;
      for (Written entry : spec.objects("resourceClaims")) {
        String claim = entry.text("resourceClaimName");
        String template = entry.text("resourceClaimTemplateName");
        String name = entry.text("name");
        if (name != null && (claim == null) != (template == null)) {
          String source = claim == null ? String.valueOf(template) : claim;
          sources.put(name, new SourceKey(claim == null, new ClaimKey(namespace, source)));
        }
      }
    }
    for (Written container : containers) {
      for (Written claim : PodRules.claims(container)) {
        SourceKey source = sources.get(String.valueOf(claim.text("name")));
        String request = claim.text("request");
        if (source != null && request != null && !request.isEmpty()) {
          remember(object, claim.path("request"), source, request, true);
        }
      }
      Written resourcesOf = container.objectOrEmpty("resources");
      for (String field : List.of("requests", "limits")) {
        for (Map.Entry<String, Json> resource : resourcesOf.map(field).entrySet()) {
          String name = resource.getKey();
          if (name.indexOf('/') >= 0 && resources.add(name)) {
            remember(object, resourcesOf.path(Written.at(field, name)), null, name, isPlaced);
          }
        }
      }
    }
  }

  private void remember(
      WrittenObject object, String path, @Nullable SourceKey claim, String name, boolean placed) {
    if (wishes.size() < MAX_WISHES && name.length() <= MAX_NAME) {
      wishes.add(new Wish(object.origin(), object.displayName(), path, claim, name, placed));
    }
  }

  private static boolean isGiven(Written object, String field) {
    String text = object.text(field);
    return text != null && !text.isEmpty();
  }
}
