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
 * Reports the fields of pods and nodes that matter in a cluster but that {@code
 * io.dra4j.scheduling} ignores when it places pods: labels of namespaces, scheduling gates, names
 * of schedulers and priorities, suspended jobs, jobs of other controllers, and states of nodes that
 * no taint reports. Also reports words of taints, tolerations and affinity that Kubernetes does not
 * know and, when all files are read, devices that pods request in another way than by claims.
 *
 * <p>Checks only pods, and templates of stateful sets and jobs, that are not on a node yet. Use one
 * inspector for the files of one cluster. Not thread-safe.
 */
public final class PlacementInspector implements ManifestInspector {

  /** The name of the rule of all findings, which is not a rule of the API server: {@value}. */
  public static final String RULE = "not-looked-at";

  /** The controller that creates pods unless an object names another one, by kind. */
  private static final Map<String, String> JOB_CONTROLLERS =
      Map.of(
          "Job", "kubernetes.io/job-controller",
          "JobSet", "jobset.sigs.k8s.io/jobset-controller",
          "MPIJob", "kubeflow.org/mpi-operator");

  /** The scheduler of pods that name none. */
  private static final String DEFAULT_SCHEDULER = "default-scheduler";

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

  /** Taints that Kubernetes adds to nodes that are not ready; only placement uses them. */
  private static final Set<String> TAINTS_OF_NOT_READY =
      Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  /** The most requests of pods that are stored: more than a cluster has pods. */
  private static final int MAX_WISHES = 200_000;

  /** The longest valid name; longer names are ignored. */
  private static final int MAX_NAME = 253 + 1 + 63;

  /**
   * The most fields of a name, and the most problems, that are reported; the others are counted.
   */
  private static final int MAX_REPORTED = 20;

  private static final String REFUSED = " (the API server refuses this)";

  private static final Origin ALL_FILES = Origin.ofFile("input");

  /**
   * An extended resource of a device class that a container requests.
   *
   * @param deviceClass the name of the class
   * @param isPlaced whether the pod is placed by other claims
   */
  private record Wish(FieldLocation place, String deviceClass, boolean isPlaced) {}

  private final List<Wish> wishes = new ArrayList<>();
  private final Set<String> classes = new HashSet<>();
  private final ClusterRules cluster = new ClusterRules();
  private final Map<String, Integer> reported = new TreeMap<>(); // by the names of fields

  /** Creates an inspector for the files of one cluster. */
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
          "the object has no name yet; answers show it without a name");
    }
  }

  /**
   * Returns the problems that are known only when all objects of the cluster were read. Pods may
   * request extended resources of missing device classes (KEP-5004), containers may name requests
   * that their claims do not have, and claims may have admin access in namespaces without the label
   * for it. If there are very many fields of a name, a problem counts the ones that were not
   * reported.
   *
   * @return the problems, in the order of the files; if there are very many, the first ones, and
   *     one that counts the others
   */
  public List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    reported.forEach(
        (field, count) -> addCount(problems, count - MAX_REPORTED, field + " that are ignored"));
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
        report(condition, "conditions", "status", "ignored: pods are placed on this node");
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
                ? "ignored: a pod that is being deleted is placed like any other"
                : "being deleted: none of its pods are created and placed";
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
      String gates = "ignored: the pod is placed although its gates are not removed yet";
      report(spec, "schedulingGates", "schedulingGates", gates);
    }
    if (isGiven(spec, "schedulerName") && !DEFAULT_SCHEDULER.equals(spec.text("schedulerName"))) {
      String scheduler =
          "ignored: the pod is placed as if "
              + DEFAULT_SCHEDULER
              + " placed it, and takes devices and nodes from other pods";
      report(spec, "schedulerName", "schedulerName", scheduler);
    }
  }

  private void reportSelector(FieldCursor selector) {
    selector
        .objects("matchExpressions")
        .forEach(label -> reportUnknownWord(label, "operator", LABELS_OF_PODS));
  }

  /** Reports terms with namespace selectors: only the names of namespaces are known. */
  private void reportNamespaces(FieldCursor term) {
    FieldCursor selector = term.objectOrEmpty("namespaceSelector");
    boolean isByName =
        Stream.concat(
                selector.map("matchLabels").keySet().stream(),
                selector.objects("matchExpressions").stream()
                    .map(label -> String.valueOf(label.text("key"))))
            .allMatch(NAMESPACE_NAME::equals);
    if (!isByName) {
      String message = "only the label %s of namespaces is known".formatted(NAMESPACE_NAME);
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

  /** Reports an unknown word: such a taint keeps no pod away, and such a term matches no nodes. */
  private void reportUnknownWord(FieldCursor object, String field, List<String> words) {
    String found = object.text(field);
    if (found != null && !found.isEmpty() && !words.contains(found)) {
      String message =
          "expected %s, found %s%s"
              .formatted(String.join(" or ", words), FieldCursor.shown(found), REFUSED);
      report(object, field, field, message);
    }
  }

  /** Reports a priority class without a priority, which the API server would set in a cluster. */
  private void reportPriority(FieldCursor spec) {
    if (isGiven(spec, "priorityClassName") && !spec.has("priority")) {
      report(
          spec,
          "priorityClassName",
          "priorityClassName",
          "ignored: priorityClassName is not resolved here, so the pod has priority 0; set"
              + " spec.priority");
    }
  }

  /** Reports a job that creates no pods, or that another controller handles. */
  private void reportJob(String kind, FieldCursor root) {
    FieldCursor spec = root.objectOrEmpty("spec");
    FieldCursor policy = kind.equals("MPIJob") ? spec.objectOrEmpty("runPolicy") : spec;
    String controller = JOB_CONTROLLERS.get(kind);
    if (controller != null) {
      reportManager(kind, policy);
      if (Boolean.TRUE.equals(policy.flag("suspend"))) {
        report(policy, "suspend", "suspend", "suspended: none of its pods are placed");
      }
    }
    if (kind.equals("JobSet")) {
      for (FieldCursor job : spec.objects("replicatedJobs")) {
        reportManager("Job", job.objectOrEmpty("template").objectOrEmpty("spec"));
      }
    }
  }

  private void reportManager(String kind, FieldCursor policy) {
    String controller = JOB_CONTROLLERS.get(kind);
    String manager = policy.text("managedBy");
    if (manager != null && !manager.isEmpty() && !manager.equals(controller)) {
      String message = "not " + controller + ": none of its pods are created and placed";
      report(policy, "managedBy", "managedBy", message);
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
