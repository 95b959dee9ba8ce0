package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.kubernetes.ClusterCapture;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.StatefulSet;
import io.dra4j.placement.cloud.NcclEnvironment;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodOutcome.Placed;
import io.dra4j.scheduling.planning.JobPlacement;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Creates manifests that reproduce a placement: the workload as it was read, restricted to the
 * nodes of its pods, with the environment variables of NCCL; and its claim templates, restricted to
 * the addresses of the devices if these are the same on all nodes.
 */
final class JobManifests {

  private static final String HOST_NAME = "kubernetes.io/hostname";
  private static final String MACHINE_TYPE = "node.kubernetes.io/instance-type";
  private static final String JOB_SET_LABEL = "jobset.sigs.k8s.io/";
  private static final String LWS_LABEL = "leaderworkerset.sigs.k8s.io/";
  private static final String LAUNCHER = "/spec/mpiReplicaSpecs/Launcher/template/spec";
  private static final String WORKER = "/spec/mpiReplicaSpecs/Worker/template/spec";
  private static final String MPI_ROLE = "training.kubeflow.org/job-role";

  /** The model in the product name of a GPU, such as {@code NVIDIA H100 80GB HBM3}. */
  private static final Pattern ACCELERATOR = Pattern.compile("\\b(G?[ABHLV][0-9]{1,3}[A-Z]?)\\b");

  /** Names that need no quotes in YAML and in hostfiles. */
  static final String PLAIN_NAME = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

  private final List<Manifest> manifests;
  private final DeviceInventory inventory;
  private final PlaceReport report;
  private final DeviceKinds kinds;

  JobManifests(List<Manifest> manifests, DeviceInventory inventory, PlaceReport report) {
    this.manifests = manifests;
    this.inventory = inventory;
    this.report = report;
    this.kinds = new DeviceKinds(inventory);
  }

  /** The files by name, and the reasons for jobs without files. */
  record Rendered(Map<String, String> files, List<String> notes) {}

  /**
   * Pods of one template of a workload.
   *
   * @param path the JSON pointer of their specification in the document of the workload
   * @param name the prefix of the names of their claim templates
   */
  private record Part(String path, String name, List<Placed> pods) {}

  Rendered render() {
    Map<String, String> files = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    Set<PendingPod> ofSets = new HashSet<>();
    for (Manifest manifest : manifests) {
      List<PodOutcome> pods = podsOfSet(manifest.object());
      pods.forEach(pod -> ofSets.add(pod.pod()));
      if (!pods.isEmpty()) {
        renderIfPlaced(nameOf(manifest.object()), manifest, pods, files, notes);
      }
    }
    for (JobPlacement job : report.jobs()) {
      if (job.pods().stream().anyMatch(pod -> ofSets.contains(pod.pod()))) {
        continue;
      }
      Manifest workload = workloadOf(job);
      if (workload == null) {
        notes.add(
            job.name()
                + ": not rendered: expected a StatefulSet, a Job, an MPIJob, a JobSet or a"
                + " LeaderWorkerSet in the input");
      } else {
        renderIfPlaced(job.name(), workload, job.pods(), files, notes);
      }
    }
    return new Rendered(files, notes);
  }

  private void renderIfPlaced(
      String name,
      Manifest workload,
      List<PodOutcome> pods,
      Map<String, String> files,
      List<String> notes) {
    if (!pods.stream().allMatch(Placed.class::isInstance)) {
      notes.add(name + ": not rendered: not all of its pods are placed");
    } else if (workload.object().metadata().annotations().containsKey(ClusterCapture.LEFT_OUT)) {
      notes.add(
          name
              + ": not rendered: objects of the live cluster are read without commands and"
              + " environment; give the manifest as a file");
    } else if (!(workload.source() instanceof ObjectNode document)) {
      notes.add(name + ": not rendered: it has no manifest; SkyPilot creates the pods of tasks");
    } else {
      List<Placed> placed = pods.stream().map(Placed.class::cast).toList();
      render(name, workload.object(), document, placed, files, notes);
    }
  }

  /**
   * Returns the pods of a JobSet or LeaderWorkerSet, whose jobs and groups are placed separately.
   */
  private List<PodOutcome> podsOfSet(KubernetesObject object) {
    String label =
        object instanceof JobSet
            ? JOB_SET_LABEL + "jobset-name"
            : object instanceof LeaderWorkerSet ? LWS_LABEL + "name" : null;
    if (label == null || !isPlain(object)) {
      return List.of();
    }
    ObjectMeta metadata = object.metadata();
    return report.outcome().pods().stream()
        .filter(
            pod ->
                pod.pod().name().startsWith(metadata.namespaceOrDefault() + "/")
                    && metadata.name().equals(pod.pod().labels().get(label)))
        .toList();
  }

  /** Returns the pods of each template. */
  private static List<Part> partsOf(
      KubernetesObject workload, JsonNode document, List<Placed> pods) {
    String name = workload.metadata().name();
    List<Part> parts = new ArrayList<>();
    if (workload instanceof JobSet set) {
      for (int i = 0; i < set.replicatedJobs().size(); i++) {
        String job = set.replicatedJobs().get(i).name();
        parts.add(
            new Part(
                "/spec/replicatedJobs/" + i + "/template/spec/template/spec",
                name + "-" + job,
                with(pods, JOB_SET_LABEL + "replicatedjob-name", job, true)));
      }
    } else if (workload instanceof LeaderWorkerSet) {
      String path = "/spec/leaderWorkerTemplate/";
      boolean hasLeader = !document.at(path + "leaderTemplate").isMissingNode();
      String index = LWS_LABEL + "worker-index";
      if (hasLeader) {
        parts.add(
            new Part(path + "leaderTemplate/spec", name + "-leader", with(pods, index, "0", true)));
      }
      parts.add(
          new Part(
              path + "workerTemplate/spec",
              name,
              hasLeader ? with(pods, index, "0", false) : pods));
    } else if (workload instanceof MPIJob) {
      parts.add(new Part(WORKER, name, with(pods, MPI_ROLE, "launcher", false)));
      parts.add(new Part(LAUNCHER, name + "-launcher", with(pods, MPI_ROLE, "launcher", true)));
    } else {
      parts.add(new Part("/spec/template/spec", name, pods));
    }
    return parts.stream().filter(part -> !part.pods().isEmpty()).toList();
  }

  private static List<Placed> with(List<Placed> pods, String label, String value, boolean isEqual) {
    return pods.stream()
        .filter(pod -> value.equals(pod.pod().labels().get(label)) == isEqual)
        .toList();
  }

  private static String nameOf(KubernetesObject object) {
    return "%s %s/%s"
        .formatted(
            object.getClass().getSimpleName(),
            object.metadata().namespaceOrDefault(),
            object.metadata().name());
  }

  private static boolean isPlain(KubernetesObject object) {
    return object.metadata().name().matches(PLAIN_NAME)
        && object.metadata().namespaceOrDefault().matches(PLAIN_NAME);
  }

  private @Nullable Manifest workloadOf(JobPlacement job) {
    for (Manifest manifest : manifests) {
      KubernetesObject object = manifest.object();
      if ((object instanceof StatefulSet || object instanceof Job || object instanceof MPIJob)
          && nameOf(object).equals(job.name())
          && isPlain(object)) {
        return manifest;
      }
    }
    return null;
  }

  private void render(
      String job,
      KubernetesObject workload,
      ObjectNode document,
      List<Placed> pods,
      Map<String, String> files,
      List<String> notes) {
    ObjectMeta metadata = workload.metadata();
    PinnedClaims.clean(document);
    PinnedClaims claims = new PinnedClaims(manifests, inventory, report, metadata);
    Map<String, String> variables = environment(pods);
    ObjectNode template = JsonTree.NODES.objectNode();
    boolean isOnNodes = true;
    for (Part part : partsOf(workload, document, pods)) {
      template = document.withObject(part.path());
      claims.pin(template, part.name(), part.pods());
      isOnNodes &= keepToNodes(template, part.pods());
      addEnvironment(template, variables, false);
    }
    claims.notes().forEach(note -> notes.add(job + ": " + note));
    if (!isOnNodes) {
      notes.add(job + ": it is not restricted to its nodes: one of them has no label " + HOST_NAME);
    }
    MpiHostfile mpi = new MpiHostfile(kinds, report);
    String hostfile = "";
    if (workload instanceof MPIJob) {
      completeMpiJob(document, variables, mpi, pods.get(0));
    } else {
      hostfile = mpi.configMap(workload, document, pods);
      if (!hostfile.isEmpty() && !MpiHostfile.mount(template, metadata.name() + "-hostfile")) {
        notes.add(job + ": its hostfile is not mounted: " + MpiHostfile.OBSTACLE);
      }
    }
    List<ObjectNode> documents = new ArrayList<>(claims.templates());
    documents.add(document);
    String name = freeName(job, workload, files, notes);
    files.put(name + ".yaml", yaml(documents) + hostfile);
    files.put(name + ".sky.yaml", sky(metadata.name(), pods));
  }

  /** Adds the variables of the launcher, and the number of slots if it is not set. */
  private static void completeMpiJob(
      ObjectNode document, Map<String, String> variables, MpiHostfile mpi, Placed pod) {
    if (document.at(LAUNCHER) instanceof ObjectNode launcher) {
      addEnvironment(launcher, variables, true);
    }
    if (!document.at("/spec").has("slotsPerWorker")) {
      document.withObject("/spec").put("slotsPerWorker", mpi.slots(pod));
    }
  }

  private @Nullable Device device(DeviceRequestAllocationResult result) {
    return inventory.device(result.deviceId()).map(InventoryDevice::device).orElse(null);
  }

  /** Restricts pods to nodes in each term of affinity; false if a node has no label for that. */
  private boolean keepToNodes(ObjectNode template, List<Placed> pods) {
    Set<String> hosts = new TreeSet<>();
    for (Placed pod : pods) {
      String host =
          inventory
              .node(pod.node())
              .map(node -> node.metadata().labels().get(HOST_NAME))
              .orElse(null);
      if (host == null) {
        return false;
      }
      hosts.add(host);
    }
    ObjectNode required =
        template.withObject(
            "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution");
    ArrayNode terms = required.withArray("nodeSelectorTerms");
    if (terms.isEmpty()) {
      terms.addObject();
    }
    for (JsonNode term : terms) {
      ArrayNode values =
          ((ObjectNode) term)
              .withArray("matchExpressions")
              .addObject()
              .put("key", HOST_NAME)
              .put("operator", "In")
              .putArray("values");
      hosts.forEach(values::add);
    }
    return true;
  }

  /**
   * Adds environment variables. Variables that a container already has stay as they are.
   *
   * @param ofAll whether containers without claims get them as well
   */
  private static void addEnvironment(
      ObjectNode template, Map<String, String> variables, boolean ofAll) {
    for (JsonNode container : template.withArray("containers")) {
      if (!ofAll && container.at("/resources/claims").isEmpty()) {
        continue;
      }
      ArrayNode env = ((ObjectNode) container).withArray("env");
      List<String> known = env.findValuesAsText("name");
      variables.forEach(
          (name, value) -> {
            if (!known.contains(name)) {
              env.addObject().put("name", name).put("value", value);
            }
          });
      if (env.isEmpty()) {
        ((ObjectNode) container).remove("env");
      }
    }
  }

  private Map<String, String> environment(List<Placed> pods) {
    Set<Set<String>> ofPods = new LinkedHashSet<>();
    boolean areVirtual = false;
    for (Placed pod : pods) {
      Set<String> names = new TreeSet<>();
      for (DeviceRequestAllocationResult result : report.devicesOf(pod.pod())) {
        Device device = device(result);
        if (device == null) {
          continue;
        }
        areVirtual |= isTrue(attribute("isSriovVf", result, device));
        if (attribute("rdmaDevice", result, device) instanceof DeviceAttribute.StringValue name
            && name.value().matches("[A-Za-z0-9_]+")) {
          names.add(name.value());
        }
      }
      ofPods.add(names);
    }
    Set<String> types = new TreeSet<>();
    for (Placed pod : pods) {
      types.add(
          inventory
              .node(pod.node())
              .map(node -> node.metadata().labels().get(MACHINE_TYPE))
              .orElse(""));
    }
    return NcclEnvironment.of(
        types.size() == 1 ? types.iterator().next() : "",
        ofPods.size() == 1 ? ofPods.iterator().next() : Set.of(),
        areVirtual);
  }

  private static @Nullable DeviceAttribute attribute(
      String name, DeviceRequestAllocationResult result, Device device) {
    return QualifiedName.of(result.driver(), name).in(result.driver(), device.attributes());
  }

  private static boolean isTrue(@Nullable DeviceAttribute attribute) {
    return attribute instanceof DeviceAttribute.BoolValue flag && flag.value();
  }

  /**
   * Returns a name for the files that no other job has: a/b-c and a-b/c have the same usual name. A
   * note reports another name than the usual one.
   */
  private static String freeName(
      String job, KubernetesObject workload, Map<String, String> files, List<String> notes) {
    ObjectMeta metadata = workload.metadata();
    String usual = metadata.namespaceOrDefault() + "-" + metadata.name();
    String withKind = usual + "-" + workload.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    String name = usual;
    for (int i = 1; hasFileOf(name, files); i++) {
      name = i == 1 ? withKind : withKind + "-" + i;
    }
    if (!name.equals(usual)) {
      notes.add(job + ": its files are named " + name + ", because another workload has " + usual);
    }
    return name;
  }

  private static boolean hasFileOf(String name, Map<String, String> files) {
    return files.containsKey(name + ".yaml") || files.containsKey(name + ".sky.yaml");
  }

  /** Writes the documents with the library, after reading them as a check. */
  private static String yaml(List<ObjectNode> documents) {
    ObjectNode list = JsonTree.NODES.objectNode().put("apiVersion", "v1").put("kind", "List");
    ArrayNode items = list.putArray("items");
    documents.forEach(items::add);
    try {
      byte[] text = JsonTree.ofProgram(list).getBytes(StandardCharsets.UTF_8);
      return ManifestWriter.toYaml(
          ManifestReader.builder().build().read("rendered", new ByteArrayInputStream(text)));
    } catch (ManifestException e) {
      throw new IllegalStateException("cannot read a rendered manifest", e);
    }
  }

  /** Returns a SkyPilot task for as many nodes, without the commands to run. */
  private String sky(String name, List<Placed> pods) {
    Map<String, Map<String, Integer>> nodes = new TreeMap<>(); // number of GPUs by kind
    Set<DeviceId> counted = new HashSet<>(); // pods may share claims
    for (Placed pod : pods) {
      Map<String, Integer> ofNode = nodes.computeIfAbsent(pod.node(), any -> new TreeMap<>());
      accelerators(pod, counted).forEach((kind, count) -> ofNode.merge(kind, count, Integer::sum));
    }
    Map<String, Integer> first = nodes.values().iterator().next();
    boolean isOneKind = first.size() == 1 && nodes.values().stream().allMatch(first::equals);
    return """
    # A task of SkyPilot with the fastest network that the cluster has. Add %ssetup and run.
    name: %s
    resources:
      infra: k8s
    %s  network_tier: best
    num_nodes: %d
    """
        .formatted(
            isOneKind ? "" : "accelerators, ",
            name,
            isOneKind
                ? "  accelerators: "
                    + first.toString().replace("=", ":").replaceAll("[{}]", "")
                    + '\n'
                : "",
            nodes.size());
  }

  /** Returns the GPUs of a pod by their SkyPilot names. */
  private Map<String, Integer> accelerators(Placed pod, Set<DeviceId> counted) {
    Map<String, Integer> found = new TreeMap<>();
    for (DeviceRequestAllocationResult result : report.devicesOf(pod.pod())) {
      Device device = device(result);
      if (device != null
          && attribute("productName", result, device) instanceof DeviceAttribute.StringValue name
          && counted.add(result.deviceId())) {
        Matcher kind = ACCELERATOR.matcher(name.value());
        if (kind.find()) {
          found.merge(kind.group(1), 1, Integer::sum);
        }
      }
    }
    return found;
  }
}
