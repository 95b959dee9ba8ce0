package io.dra4j.kubernetes;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.ManifestLimits;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Writes what answers about devices depend on as one file, a {@code List} that {@link
 * io.dra4j.manifest.ManifestReader} and {@code kubectl} read: nodes, ResourceSlices, DeviceClasses,
 * ResourceClaims and their templates, DeviceTaintRules, pods, their groups, ResourceQuotas, and
 * workloads: Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, and where they are installed
 * MPIJobs, JobSets and LeaderWorkerSets. The same questions asked of the file have the same
 * answers.
 *
 * <p>Left out are environment, commands, volumes, probes and states of containers, annotations that
 * no answer depends on, and managed fields. A workload has the annotation {@value #LEFT_OUT}
 * instead: it is not to be applied. Secrets and ConfigMaps are never read. Opaque parameters of
 * claims and classes stay. Immutable and thread-safe.
 */
public final class ClusterCapture {

  private static final int FORBIDDEN = 403;

  /** The items of a list lie two levels deep. */
  private static final int MAX_DEPTH = ManifestLimits.DEFAULT.maxDepth() - 2;

  /** What fails half-way is not closed, so that it does not look whole. */
  private static final JsonMapper MAPPER =
      new JsonMapper(
          new JsonFactoryBuilder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
              .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
              .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
              .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
              .build());

  /** The annotation of a workload that says what is left out of its containers. */
  public static final String LEFT_OUT = "snapshot.dra4j.io/left-out";

  /** The domains of annotations that the placement of pods and devices depends on. */
  private static final List<String> ANNOTATIONS =
      List.of(
          "resource.kubernetes.io/", "alpha.jobset.sigs.k8s.io/", "leaderworkerset.sigs.k8s.io/");

  /** What a scheduler looks at: a port may be one of the node, a restarted container a sidecar. */
  private static final Set<String> CONTAINER_FIELDS =
      Set.of("name", "image", "resources", "ports", "restartPolicy");

  private static final List<String> POD_FIELDS_LEFT_OUT =
      List.of("volumes", "imagePullSecrets", "hostAliases", "dnsConfig", "securityContext");

  private static final Set<String> POD_STATUS =
      Set.of(
          "allocatedResources",
          "conditions",
          "containerStatuses",
          "initContainerStatuses",
          "nodeAllocatableResourceClaimStatuses",
          "phase",
          "resources",
          "nominatedNodeName",
          "resourceClaimStatuses",
          "extendedResourceClaimStatus",
          "qosClass",
          "startTime");

  /** Messages, and states of containers, can have lines that a container wrote. */
  private static final Map<String, Set<String>> POD_STATUS_LISTS =
      Map.of(
          "conditions", Set.of("type", "status", "reason"),
          "containerStatuses", Set.of("name", "allocatedResources", "resources"),
          "initContainerStatuses", Set.of("name", "allocatedResources", "resources"));

  private static final Set<String> NODE_STATUS =
      Set.of(
          "capacity",
          "allocatable",
          "conditions",
          "addresses",
          "nodeInfo",
          "features",
          "declaredFeatures");

  private static final List<String> CONTAINERS =
      List.of("containers", "initContainers", "ephemeralContainers");

  /** What refers to an object is read before the object, so that the object is there. */
  private static final List<ClusterResource> ORDER =
      List.of(
          ClusterResource.PODS,
          ClusterResource.REPLICA_SETS,
          ClusterResource.DEPLOYMENTS,
          ClusterResource.DAEMON_SETS,
          ClusterResource.STATEFUL_SETS,
          ClusterResource.JOBS,
          ClusterResource.MPI_JOBS,
          ClusterResource.JOB_SETS,
          ClusterResource.LEADER_WORKER_SETS,
          ClusterResource.POD_GROUPS,
          ClusterResource.COMPOSITE_POD_GROUPS,
          ClusterResource.RESOURCE_CLAIM_TEMPLATES,
          ClusterResource.RESOURCE_CLAIMS,
          ClusterResource.RESOURCE_QUOTAS,
          ClusterResource.DEVICE_CLASSES,
          ClusterResource.DEVICE_TAINT_RULES,
          ClusterResource.NODES,
          ClusterResource.RESOURCE_SLICES);

  /**
   * What a capture lacks of the cluster.
   *
   * @param notServed the resources that the cluster does not serve
   * @param leftOut the objects that cannot be read, each with the reason
   */
  public record Gaps(List<ClusterResource> notServed, List<String> leftOut) {

    /** Copies the lists. {@inheritDoc} */
    public Gaps {
      notServed = List.copyOf(notServed);
      leftOut = List.copyOf(leftOut);
    }
  }

  private final ApiServer server;
  private final List<ClusterResource> resources; // in the order in which they are read

  private ClusterCapture(ApiServer server, List<ClusterResource> resources) {
    this.server = server;
    this.resources = resources;
  }

  /**
   * {@return a capture of a cluster}
   *
   * @param client the connection, which the caller closes
   */
  public static ClusterCapture of(KubernetesClient client) {
    return new ClusterCapture(new ApiServer(Objects.requireNonNull(client, "client")), ORDER);
  }

  /** {@return a capture without workloads, or rights for them, for questions on existing pods} */
  public ClusterCapture withoutWorkloads() {
    return new ClusterCapture(
        server, resources.stream().filter(resource -> !resource.isWorkload()).toList());
  }

  /**
   * Reads the cluster now and writes it. Each resource is read at one moment, one after another:
   * what refers to an object before the object. What was written before a failure is no whole JSON.
   *
   * @param out takes the file, UTF-8; it is flushed, and stays open
   * @return what the file lacks; ResourceQuotas without read permission count as not served
   * @throws ClusterException if the API server refuses, naming all missing rights, or is silent
   * @throws IOException if the file cannot be written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Gaps write(OutputStream out) throws ClusterException, IOException, InterruptedException {
    List<ClusterResource> notServed = new ArrayList<>();
    List<Denied> denied = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    Discovery discovery = new Discovery(server);
    try (JsonGenerator json = MAPPER.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("apiVersion", "v1");
      json.writeStringField("kind", "List");
      json.writeArrayFieldStart("items");
      for (ClusterResource resource : resources) {
        ServedResource served = ServedResource.find(resource, discovery);
        if (served == null) {
          notServed.add(resource);
          continue;
        }
        Optional<Denied> refused = denied.isEmpty() ? list(served, json, leftOut) : probe(served);
        if (refused.isPresent() && resource == ClusterResource.RESOURCE_QUOTAS) {
          notServed.add(resource); // quotas are optional for a reader
        } else {
          refused.ifPresent(denied::add);
        }
      }
      if (!denied.isEmpty()) {
        throw new ClusterException(
            "access is denied (403); rights that are missing: list %s; the API server says: %s"
                .formatted(
                    denied.stream().map(one -> one.resource().toString()).collect(joining(", ")),
                    denied.get(0).said().getMessage()),
            denied.get(0).said().status(),
            denied.get(0).said());
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new Gaps(notServed, leftOut);
  }

  /** A resource that may not be listed. */
  private record Denied(ClusterResource resource, ClusterException said) {}

  private Optional<Denied> list(ServedResource served, JsonGenerator json, List<String> leftOut)
      throws ClusterException, InterruptedException {
    try {
      served.list(server, "", body -> {}, object -> write(served, object, json, leftOut));
      return Optional.empty();
    } catch (ClusterException e) {
      return Optional.of(denied(served, e));
    }
  }

  /** Asks whether a resource may be listed, when the file cannot be written any more. */
  private Optional<Denied> probe(ServedResource served)
      throws ClusterException, InterruptedException {
    try {
      server.begin(served.path() + "?limit=1").await().close();
      return Optional.empty();
    } catch (ClusterException e) {
      return Optional.of(denied(served, e));
    } catch (IOException e) { // of a body that is not needed
      return Optional.empty();
    }
  }

  private static Denied denied(ServedResource served, ClusterException failure)
      throws ClusterException {
    if (failure.status() != FORBIDDEN) {
      throw failure;
    }
    return new Denied(served.resource(), failure);
  }

  private static void write(
      ServedResource served, RawObject object, JsonGenerator json, List<String> leftOut) {
    JsonNode read;
    try {
      if (object.isTooLarge()) {
        throw new IOException("it is larger than %d bytes".formatted(RawObject.MAX_BYTES));
      }
      read = MAPPER.readTree(object.json());
    } catch (StreamConstraintsException e) {
      leftOut.add(name(served, object) + ": it has too deep a nesting, or too long a text");
      return;
    } catch (IOException e) {
      leftOut.add(name(served, object) + ": " + Printable.line(String.valueOf(e.getMessage())));
      return;
    }
    ObjectNode written = MAPPER.createObjectNode();
    written.put("apiVersion", served.apiVersion());
    written.put("kind", served.resource().kind());
    for (Map.Entry<String, JsonNode> field : read.properties()) {
      written.putIfAbsent(field.getKey(), field.getValue());
    }
    redact(served.resource(), written);
    try {
      json.writeRaw('\n');
      json.writeRawValue(MAPPER.writeValueAsString(written));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(ServedResource served, RawObject object) {
    return Printable.line(served.resource().kind() + " " + object.displayName());
  }

  private static void redact(ClusterResource resource, ObjectNode object) {
    redactAnnotations(object);
    if (resource == ClusterResource.PODS) {
      redactPod(object.path("spec"));
      if (object.path("status") instanceof ObjectNode status) {
        status.retain(POD_STATUS);
        POD_STATUS_LISTS.forEach((list, fields) -> retain(status, list, fields));
      }
    } else if (resource.isWorkload()) {
      redactTemplates(object.path("spec"));
      object
          .withObject("/metadata/annotations")
          .put(LEFT_OUT, "environment, commands, volumes and probes of containers");
    } else if (resource == ClusterResource.RESOURCE_CLAIM_TEMPLATES
        && object.path("spec") instanceof ObjectNode spec) {
      redactAnnotations(spec);
    } else if (resource == ClusterResource.NODES
        && object.path("status") instanceof ObjectNode status) {
      status.retain(NODE_STATUS);
    }
  }

  /** The templates of pods and Jobs, wherever the kind has them. */
  private static void redactTemplates(JsonNode node) {
    if (node instanceof ObjectNode object) {
      redactAnnotations(object);
      object.remove("volumeClaimTemplates");
      if (object.path("containers").isArray()) {
        redactPod(object);
        return;
      }
    }
    node.forEach(ClusterCapture::redactTemplates);
  }

  private static void redactAnnotations(ObjectNode object) {
    if (object.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      for (Iterator<String> names = annotations.fieldNames(); names.hasNext(); ) {
        if (ANNOTATIONS.stream().noneMatch(names.next()::startsWith)) {
          names.remove();
        }
      }
    }
  }

  private static void redactPod(JsonNode node) {
    if (node instanceof ObjectNode spec) {
      spec.remove(POD_FIELDS_LEFT_OUT);
      for (String containers : CONTAINERS) {
        retain(spec, containers, CONTAINER_FIELDS);
      }
    }
  }

  private static void retain(ObjectNode object, String list, Set<String> fields) {
    if (object.path(list) instanceof ArrayNode items) {
      for (JsonNode item : items) {
        if (item instanceof ObjectNode entry) {
          entry.retain(fields);
        }
      }
    }
  }
}
