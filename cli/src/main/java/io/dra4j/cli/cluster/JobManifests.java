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
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.StatefulSet;
import io.dra4j.placement.PlacementScore;
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
import java.util.Map;
import java.util.Optional;
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
  private static final String ADDRESS = "resource.kubernetes.io/pciBusID";

  /** The directory in which MPI images expect the file, and mpi-operator creates it. */
  private static final String HOSTFILE_DIRECTORY = "/etc/mpi";

  private static final String JOB_SET_LABEL = "jobset.sigs.k8s.io/";
  private static final String LWS_LABEL = "leaderworkerset.sigs.k8s.io/";
  private static final String LAUNCHER = "/spec/mpiReplicaSpecs/Launcher/template/spec";
  private static final String WORKER = "/spec/mpiReplicaSpecs/Worker/template/spec";
  private static final String MPI_ROLE = "training.kubeflow.org/job-role";
  private static final String HOSTFILE_VOLUME = "mpi-hostfile";

  /** The model in the product name of a GPU, such as {@code NVIDIA H100 80GB HBM3}. */
  private static final Pattern ACCELERATOR = Pattern.compile("\\b(G?[ABHLV][0-9]{1,3}[A-Z]?)\\b");

  /** Names that need no quotes in YAML and in hostfiles. */
  private static final String PLAIN_NAME = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

  private final List<Manifest> manifests;
  private final DeviceInventory inventory;
  private final PlaceReport report;

  JobManifests(List<Manifest> manifests, DeviceInventory inventory, PlaceReport report) {
    this.manifests = manifests;
    this.inventory = inventory;
    this.report = report;
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
    clean(document);
    List<ObjectNode> documents = new ArrayList<>();
    Map<String, String> variables = environment(pods);
    boolean isPinned = true;
    ObjectNode template = JsonTree.NODES.objectNode();
    for (Part part : partsOf(workload, document, pods)) {
      template = document.withObject(part.path());
      isPinned &= pinClaims(template, metadata, part, documents);
      keepToNodes(template, part.pods());
      addEnvironment(template, variables, false);
    }
    if (!isPinned) {
      notes.add(
          job
              + ": its claims are not pinned to devices: the devices have no addresses, or"
              + " different addresses on different nodes");
    }
    String hostfile = "";
    if (workload instanceof MPIJob) {
      if (document.at(LAUNCHER) instanceof ObjectNode launcher) {
        addEnvironment(launcher, variables, true);
      }
      if (!document.at("/spec").has("slotsPerWorker")) {
        document.withObject("/spec").put("slotsPerWorker", slots(pods.get(0)));
      }
    } else {
      hostfile = hostfile(workload, document, pods);
      if (!hostfile.isEmpty() && !mountHostfile(template, metadata.name() + "-hostfile")) {
        notes.add(
            job
                + ": its hostfile is not mounted: the pods have a volume "
                + HOSTFILE_VOLUME
                + " or a mount at "
                + HOSTFILE_DIRECTORY);
      }
    }
    documents.add(document);
    String name = metadata.namespaceOrDefault() + "-" + metadata.name();
    files.put(name + ".yaml", yaml(documents) + hostfile);
    files.put(name + ".sky.yaml", sky(metadata.name(), pods));
  }

  /**
   * Gives the pods of a part their own claim templates; returns false if a template is not pinned.
   */
  private boolean pinClaims(
      ObjectNode template, ObjectMeta metadata, Part part, List<ObjectNode> documents) {
    boolean isPinned = true;
    int entry = 0;
    for (JsonNode claim : template.withArray("resourceClaims")) {
      ObjectNode made = templateOf(metadata, part.name(), claim);
      if (made != null) {
        Optional<Map<String, Set<String>>> addresses =
            isPinned ? addresses(part.pods(), entry) : Optional.empty();
        addresses.ifPresent(known -> pin(made, known));
        isPinned = addresses.isPresent();
        documents.add(made);
        ((ObjectNode) claim).put("resourceClaimTemplateName", made.at("/metadata/name").asText());
      }
      entry++;
    }
    return isPinned;
  }

  /**
   * Mounts the hostfile in the containers with claims; returns false if the pods have a volume or
   * mount in its place.
   */
  private static boolean mountHostfile(ObjectNode template, String configMap) {
    List<ObjectNode> users = new ArrayList<>();
    for (JsonNode container : template.withArray("containers")) {
      if (!container.at("/resources/claims").isEmpty()) {
        users.add((ObjectNode) container);
      }
    }
    boolean isTaken =
        template.path("volumes").findValuesAsText("name").contains(HOSTFILE_VOLUME)
            || users.stream()
                .flatMap(one -> one.path("volumeMounts").findValuesAsText("mountPath").stream())
                .anyMatch(
                    path ->
                        path.equals(HOSTFILE_DIRECTORY) || path.equals(HOSTFILE_DIRECTORY + "/"));
    if (isTaken) {
      return false;
    }
    template
        .withArray("volumes")
        .addObject()
        .put("name", HOSTFILE_VOLUME)
        .putObject("configMap")
        .put("name", configMap);
    for (ObjectNode container : users) {
      container
          .withArray("volumeMounts")
          .addObject()
          .put("name", HOSTFILE_VOLUME)
          .put("mountPath", HOSTFILE_DIRECTORY);
    }
    return true;
  }

  /**
   * Removes the fields that the API server sets, and that another cluster would reject or ignore.
   */
  private static void clean(ObjectNode document) {
    document.remove("status");
    ObjectNode metadata = document.withObject("/metadata");
    metadata.remove(
        List.of("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields"));
  }

  /**
   * Returns a copy of the claim template under a new name; null if the claim does not come from a
   * template.
   */
  private @Nullable ObjectNode templateOf(ObjectMeta job, String name, JsonNode claim) {
    String wanted = claim.path("resourceClaimTemplateName").asText();
    for (Manifest manifest : manifests) {
      if (manifest.object() instanceof ResourceClaimTemplate template
          && template.metadata().name().equals(wanted)
          && template.metadata().namespaceOrDefault().equals(job.namespaceOrDefault())
          && manifest.source() instanceof ObjectNode document) {
        clean(document);
        document
            .withObject("/metadata")
            .put("name", name + "-" + claim.path("name").asText() + "-placed");
        return document;
      }
    }
    return null;
  }

  /** Restricts the requests of a claim template to the addresses of devices. */
  private static void pin(ObjectNode template, Map<String, Set<String>> addresses) {
    for (JsonNode request : template.at("/spec/spec/devices/requests")) {
      Set<String> ofRequest = addresses.get(request.path("name").asText());
      if (ofRequest != null && request.path("exactly") instanceof ObjectNode exactly) {
        exactly
            .withArray("selectors")
            .addObject()
            .putObject("cel")
            .put("expression", selector(ofRequest));
      }
    }
  }

  private static String selector(Set<String> addresses) {
    List<String> quoted = addresses.stream().map(address -> "\"" + address + "\"").toList();
    return "device.attributes[\"resource.kubernetes.io\"].?pciBusID.orValue(\"\") in ["
        + String.join(", ", quoted)
        + "]";
  }

  /** Returns the addresses of the devices by request, if they are the same on all nodes. */
  private Optional<Map<String, Set<String>>> addresses(List<Placed> pods, int entry) {
    Map<String, Map<String, Set<String>>> byNode = new LinkedHashMap<>();
    for (Placed pod : pods) {
      if (entry >= pod.pod().claims().size()) {
        return Optional.empty();
      }
      Map<String, Set<String>> ofNode = byNode.computeIfAbsent(pod.node(), any -> new TreeMap<>());
      for (DeviceRequestAllocationResult result : report.devicesOf(pod.pod().claims().get(entry))) {
        Device device = device(result);
        DeviceAttribute address =
            device == null
                ? null
                : QualifiedName.of(ADDRESS).in(result.driver(), device.attributes());
        if (!(address instanceof DeviceAttribute.StringValue text)
            || !text.value().matches("[0-9a-fA-F:.]+")) {
          return Optional.empty();
        }
        ofNode.computeIfAbsent(result.request(), any -> new TreeSet<>()).add(text.value());
      }
    }
    return byNode.values().stream().distinct().count() == 1
        ? Optional.of(byNode.values().iterator().next())
        : Optional.empty();
  }

  private @Nullable Device device(DeviceRequestAllocationResult result) {
    return inventory.device(result.deviceId()).map(InventoryDevice::device).orElse(null);
  }

  /**
   * Restricts the pods to nodes. The terms of required node affinity are alternatives, so each term
   * gets the nodes.
   */
  private void keepToNodes(ObjectNode template, List<Placed> pods) {
    Set<String> hosts = new TreeSet<>();
    for (Placed pod : pods) {
      String host =
          inventory
              .node(pod.node())
              .map(node -> node.metadata().labels().get(HOST_NAME))
              .orElse(null);
      if (host == null) {
        return; // the claims select the devices
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

  /**
   * Returns the hostfile for MPI: the pods of a set by their names in its service, with their GPUs
   * as slots.
   */
  private String hostfile(KubernetesObject workload, JsonNode document, List<Placed> pods) {
    String service = document.at("/spec/serviceName").asText();
    if (!(workload instanceof StatefulSet) || !service.matches(PLAIN_NAME)) {
      return "";
    }
    StringBuilder text = new StringBuilder("---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n");
    text.append("  name: ").append(workload.metadata().name()).append("-hostfile\n");
    text.append("  namespace: ").append(workload.metadata().namespaceOrDefault()).append('\n');
    text.append("data:\n  hostfile: |\n");
    for (Placed pod : pods) {
      String name = pod.pod().name().substring(pod.pod().name().indexOf('/') + 1);
      text.append("    ").append(name).append('.').append(service);
      text.append(" slots=").append(slots(pod)).append('\n');
    }
    return text.toString();
  }

  /** Returns the number of GPUs in pairs; for a pod without NICs, the number of all devices. */
  private long slots(Placed pod) {
    return pod.score().orElse(null) instanceof PlacementScore score && !score.pairs().isEmpty()
        ? score.pairs().stream().map(PlacementScore.Pair::gpu).distinct().count()
        : Math.max(1, report.devicesOf(pod.pod()).size());
  }

  /** Returns a SkyPilot task for as many nodes, without the commands to run. */
  private String sky(String name, List<Placed> pods) {
    Map<String, Map<String, Integer>> nodes = new TreeMap<>(); // number of GPUs by kind
    for (Placed pod : pods) {
      Map<String, Integer> ofNode = nodes.computeIfAbsent(pod.node(), any -> new TreeMap<>());
      accelerators(pod).forEach((kind, count) -> ofNode.merge(kind, count, Integer::sum));
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
  private Map<String, Integer> accelerators(Placed pod) {
    Map<String, Integer> found = new TreeMap<>();
    for (DeviceRequestAllocationResult result : report.devicesOf(pod.pod())) {
      Device device = device(result);
      if (device != null
          && attribute("productName", result, device) instanceof DeviceAttribute.StringValue name) {
        Matcher kind = ACCELERATOR.matcher(name.value());
        if (kind.find()) {
          found.merge(kind.group(1), 1, Integer::sum);
        }
      }
    }
    return found;
  }
}
