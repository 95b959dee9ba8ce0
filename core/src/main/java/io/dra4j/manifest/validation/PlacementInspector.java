package io.dra4j.manifest.validation;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.RawObject;
import io.dra4j.manifest.SourcePosition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reports the fields of pods and nodes that decide in a cluster and are ignored where {@code
 * io.dra4j.scheduling} places the pods: labels of namespaces, scheduling gates, names of
 * priorities, suspended jobs and those of other controllers, states of nodes that no taint reports;
 * words of taints, tolerations and affinity that Kubernetes does not know; and, when all files are
 * read, devices that pods ask for in another way than by claims.
 *
 * <p>Of pods, and templates of stateful sets and jobs, only those are looked at that are on no node
 * yet. Made for the files of one cluster; not thread-safe.
 */
public final class PlacementInspector implements ManifestInspector {

  /** The name of the rule of all findings, which is none of the API server: {@value}. */
  public static final String RULE = "not-looked-at";

  /** By kind: the controller that makes pods unless an object names another one. */
  private static final Map<String, String> JOB_CONTROLLERS =
      Map.of(
          "Job", "kubernetes.io/job-controller",
          "JobSet", "jobset.sigs.k8s.io/jobset-controller",
          "MPIJob", "kubeflow.org/mpi-operator");

  private static final String IMPLICIT_RESOURCE = "deviceclass.resource.kubernetes.io/";
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final List<String> TOLERATIONS = List.of("Exists", "Equal", "Lt", "Gt");
  private static final List<String> LABELS =
      List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
  private static final List<String> LABELS_OF_PODS =
      List.of("In", "NotIn", "Exists", "DoesNotExist");
  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";
  private static final List<String> FIELDS = List.of("In", "NotIn");
  private static final Set<String> KEEPING_AWAY = Set.of("NoSchedule", "NoExecute");

  /** What Kubernetes adds to nodes that are not ready; they are looked at, unlike the state. */
  private static final Set<String> TAINTS_OF_NOT_READY =
      Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  /** So many requests of pods are remembered; more pods than a cluster has. */
  private static final int MAX_WISHES = 200_000;

  /** Longer names are no names, and are not remembered. */
  private static final int MAX_NAME = 253 + 1 + 63;

  /** So many fields of a name, and problems, are reported; of more their number. */
  private static final int MAX_REPORTED = 20;

  private static final String REFUSED = " (the API server refuses this)";

  private static final Origin ALL_FILES = Origin.ofFile("input");

  /**
   * An extended resource of a device class that a container asks for.
   *
   * @param deviceClass the name of the class
   * @param isPlaced whether the pod is placed by other claims
   */
  private record Wish(FieldLocation place, String deviceClass, boolean isPlaced) {}

  private final List<Wish> wishes = new ArrayList<>();
  private final Set<String> classes = new HashSet<>();
  private final ClusterRules cluster = new ClusterRules();
  private final Map<String, Integer> reported = new TreeMap<>(); // by the names of fields

  /** Makes an inspector for the files of one cluster. */
  public PlacementInspector() {}

  @Override
  public void inspect(RawObject object, Findings findings) {
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(findings, "findings");
    FieldCursor root = FieldCursor.of(object, findings);
    switch (object.kind()) {
      case "Node" -> inspectNode(root);
      case "DeviceClass" -> inspectClass(root);
      case "ResourceClaim", "ResourceClaimTemplate", "Namespace" -> cluster.inspect(object, root);
      default -> {
        if (PodRules.hasPods(object.kind())) {
          PodRules.specsOf(object.kind(), root).forEach(spec -> inspectPods(object, root, spec));
          cluster.inspect(object, root);
        }
      }
    }
    FieldCursor metadata = root.objectOrEmpty("metadata");
    if (isGiven(metadata, "generateName")
        && !isGiven(metadata, "name")
        && !object.kind().equals("ResourceSlice")) {
      report(
          metadata,
          "generateName",
          "generateName",
          "no name yet, answers show the object without one");
    }
  }

  /**
   * Says what shows only when all objects of the cluster are known: pods that ask for extended
   * resources of device classes that are not there (KEP-5004), containers that name requests which
   * their claims do not have, and admin access in namespaces without the label for it; and how many
   * fields were not reported, where there are very many.
   *
   * @return a problem for each, in the order of the files; of very many the first, and one that
   *     counts the others
   */
  public List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    reported.forEach(
        (field, count) ->
            addCount(problems, count - MAX_REPORTED, field + " that are not looked at"));
    List<Problem> found = new ArrayList<>();
    for (Wish wish : wishes) {
      if (!classes.contains(wish.deviceClass())) {
        found.add(
            wish.place()
                .problem(
                    "%s: no DeviceClass %s in the input"
                        .formatted(
                            wish.isPlaced() ? "placed without it" : "not placed",
                            FieldCursor.shown(wish.deviceClass()))));
      }
    }
    cluster.findings().forEach(finding -> found.add(shown(finding)));
    problems.addAll(found.subList(0, Math.min(MAX_REPORTED, found.size())));
    addCount(problems, found.size() - MAX_REPORTED, "problems like these");
    return problems;
  }

  private static Problem shown(ManifestFinding finding) {
    Problem problem = finding.problem();
    boolean isTaken =
        ValidationRule.byId(finding.rule()).severity() == ValidationRule.Severity.WARNING;
    return new Problem(
        problem.origin(),
        problem.place(),
        problem.object(),
        problem.path(),
        problem.message() + (isTaken ? "" : REFUSED));
  }

  private static void addCount(List<Problem> problems, int more, String what) {
    if (more > 0) {
      problems.add(
          new Problem(
              ALL_FILES, SourcePosition.UNKNOWN, "", "", "and %d more %s".formatted(more, what)));
    }
  }

  /** Reports a field, unless very many of its name were reported. */
  private void report(FieldCursor object, String field, String below, String message) {
    if (reported.merge(field, 1, Integer::sum) <= MAX_REPORTED) {
      object.report(RULE, below, message);
    }
  }

  private void inspectClass(FieldCursor deviceClass) {
    String name = deviceClass.objectOrEmpty("metadata").text("name");
    if (name != null && name.length() <= MAX_NAME) {
      classes.add(name);
    }
  }

  private void inspectNode(FieldCursor node) {
    List<FieldCursor> taints = node.objectOrEmpty("spec").objects("taints");
    taints.forEach(taint -> reportUnknownWord(taint, "effect", EFFECTS));
    for (FieldCursor taint : taints) {
      if (KEEPING_AWAY.contains(String.valueOf(taint.text("effect")))
          && TAINTS_OF_NOT_READY.contains(String.valueOf(taint.text("key")))) {
        return;
      }
    }
    for (FieldCursor condition : node.objectOrEmpty("status").objects("conditions")) {
      if ("Ready".equals(condition.text("type")) && !"True".equals(condition.text("status"))) {
        report(condition, "conditions", "status", "not looked at: pods are placed on this node");
      }
    }
  }

  private void inspectPods(RawObject object, FieldCursor root, FieldCursor spec) {
    String phase = root.objectOrEmpty("status").text("phase");
    boolean isPod = object.kind().equals("Pod");
    if (isGiven(spec, "nodeName")
        || (isPod && ("Succeeded".equals(phase) || "Failed".equals(phase)))) {
      return;
    }
    boolean isPlaced = spec.size("resourceClaims") > 0;
    if (isPlaced) {
      reportUnsupported(spec);
      FieldCursor metadata = root.objectOrEmpty("metadata");
      if (metadata.has("deletionTimestamp")) {
        String message =
            isPod
                ? "not looked at: a pod that goes away is placed, too"
                : "being deleted: none of its pods is made and placed";
        report(metadata, "deletionTimestamp", "deletionTimestamp", message);
      }
      reportUnknownWords(spec);
      reportPriority(spec);
      reportJob(object.kind(), root);
    }
    rememberWishes(object, spec, isPlaced);
  }

  private void reportUnsupported(FieldCursor spec) {
    FieldCursor affinity = spec.objectOrEmpty("affinity");
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      for (FieldCursor term :
          affinity.objectOrEmpty(kind).objects("requiredDuringSchedulingIgnoredDuringExecution")) {
        reportSelector(term.objectOrEmpty("labelSelector"));
        reportNamespaces(term);
      }
    }
    for (FieldCursor constraint : spec.objects("topologySpreadConstraints")) {
      reportSelector(constraint.objectOrEmpty("labelSelector"));
    }
    if (spec.size("schedulingGates") > 0) {
      String gates = "not looked at: the pod is placed before they are gone";
      report(spec, "schedulingGates", "schedulingGates", gates);
    }
  }

  private void reportSelector(FieldCursor selector) {
    selector
        .objects("matchExpressions")
        .forEach(label -> reportUnknownWord(label, "operator", LABELS_OF_PODS));
  }

  /** Objects of namespaces are not read; of their labels only the name is known. */
  private void reportNamespaces(FieldCursor term) {
    FieldCursor selector = term.objectOrEmpty("namespaceSelector");
    boolean isByName =
        Stream.concat(
                selector.map("matchLabels").keySet().stream(),
                selector.objects("matchExpressions").stream()
                    .map(label -> String.valueOf(label.text("key"))))
            .allMatch(NAMESPACE_NAME::equals);
    if (!isByName) {
      String message = "of the labels of namespaces only %s is known".formatted(NAMESPACE_NAME);
      report(term, "namespaceSelector", "namespaceSelector", message);
    }
  }

  private void reportUnknownWords(FieldCursor spec) {
    for (FieldCursor toleration : spec.objects("tolerations")) {
      reportUnknownWord(toleration, "operator", TOLERATIONS);
      reportUnknownWord(toleration, "effect", EFFECTS);
    }
    FieldCursor nodes = spec.objectOrEmpty("affinity").objectOrEmpty("nodeAffinity");
    FieldCursor required = nodes.objectOrEmpty("requiredDuringSchedulingIgnoredDuringExecution");
    for (FieldCursor term : required.objects("nodeSelectorTerms")) {
      term.objects("matchExpressions")
          .forEach(label -> reportUnknownWord(label, "operator", LABELS));
      term.objects("matchFields").forEach(field -> reportUnknownWord(field, "operator", FIELDS));
    }
  }

  /** Another word decides, too: such a taint keeps no pod away, and such a term has no nodes. */
  private void reportUnknownWord(FieldCursor object, String field, List<String> words) {
    String found = object.text(field);
    if (found != null && !found.isEmpty() && !words.contains(found)) {
      String message =
          "expected %s, found %s%s"
              .formatted(String.join(" or ", words), FieldCursor.shown(found), REFUSED);
      report(object, field, field, message);
    }
  }

  /** In a cluster the API server looks the number up when it takes the pod. */
  private void reportPriority(FieldCursor spec) {
    if (isGiven(spec, "priorityClassName") && !spec.has("priority")) {
      report(
          spec,
          "priorityClassName",
          "priorityClassName",
          "not looked at: without priority, that of the pod is 0");
    }
  }

  /** Whether a job makes its pods at all, and by which controller. */
  private void reportJob(String kind, FieldCursor root) {
    FieldCursor spec = root.objectOrEmpty("spec");
    FieldCursor policy = kind.equals("MPIJob") ? spec.objectOrEmpty("runPolicy") : spec;
    String controller = JOB_CONTROLLERS.get(kind);
    if (controller != null) {
      if (isGiven(policy, "managedBy") && !controller.equals(policy.text("managedBy"))) {
        String message = "not looked at: its pods are placed as if " + controller + " made them";
        report(policy, "managedBy", "managedBy", message);
      }
      if (Boolean.TRUE.equals(policy.flag("suspend"))) {
        report(policy, "suspend", "suspend", "suspended: none of its pods is placed");
      }
    }
  }

  private void rememberWishes(RawObject object, FieldCursor spec, boolean isPlaced) {
    Set<String> known = new HashSet<>();
    for (FieldCursor container : PodRules.containers(spec).toList()) {
      FieldCursor resources = container.objectOrEmpty("resources");
      for (String field : List.of("requests", "limits")) {
        for (String name : resources.map(field).keySet()) {
          if (name.startsWith(IMPLICIT_RESOURCE)
              && name.length() <= MAX_NAME
              && wishes.size() < MAX_WISHES
              && known.add(name)) {
            String path = resources.path(FieldCursor.at(field, name));
            wishes.add(
                new Wish(
                    FieldLocation.of(object, path),
                    name.substring(IMPLICIT_RESOURCE.length()),
                    isPlaced));
          }
        }
      }
    }
  }

  private static boolean isGiven(FieldCursor object, String field) {
    String text = object.text(field);
    return text != null && !text.isEmpty();
  }
}
