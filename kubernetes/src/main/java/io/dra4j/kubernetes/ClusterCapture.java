package io.dra4j.kubernetes;

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
import java.util.Set;

/**
 * Writes what answers about devices depend on as one file, a {@code List} that {@link
 * io.dra4j.manifest.ManifestReader} and {@code kubectl} read: nodes, ResourceSlices, DeviceClasses,
 * ResourceClaims and their templates, DeviceTaintRules, pods and PodGroups. The same questions
 * asked of the file have the same answers.
 *
 * <p>Left out are environment, commands, volumes, probes and states of containers, annotations of
 * other domains than Kubernetes' own for devices, and managed fields. Secrets and ConfigMaps are
 * never read. Opaque parameters of claims and classes stay. Immutable and thread-safe.
 */
public final class ClusterCapture {

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

  /** The domain of annotations that allocation looks at. */
  private static final String ANNOTATIONS = "resource.kubernetes.io/";

  private static final Set<String> CONTAINER_FIELDS = Set.of("name", "image", "resources");

  private static final List<String> POD_FIELDS_LEFT_OUT =
      List.of("volumes", "imagePullSecrets", "hostAliases", "dnsConfig", "securityContext");

  /** States of containers have the last lines that a container wrote. */
  private static final Set<String> POD_STATUS =
      Set.of(
          "phase",
          "nominatedNodeName",
          "resourceClaimStatuses",
          "extendedResourceClaimStatus",
          "qosClass",
          "startTime");

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
          ClusterResource.POD_GROUPS,
          ClusterResource.RESOURCE_CLAIM_TEMPLATES,
          ClusterResource.RESOURCE_CLAIMS,
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

  private ClusterCapture(ApiServer server) {
    this.server = server;
  }

  /**
   * Captures a cluster.
   *
   * @param client the connection, which the caller closes
   * @return the capture
   */
  public static ClusterCapture of(KubernetesClient client) {
    return new ClusterCapture(new ApiServer(Objects.requireNonNull(client, "client")));
  }

  /**
   * Reads the cluster now and writes it. Each resource is read at one moment, one after another:
   * what refers to an object before the object. What was written before a failure is no whole JSON.
   *
   * @param out takes the file, UTF-8; it is flushed, and stays open
   * @return what the file lacks
   * @throws ClusterException if the API server refuses or does not answer
   * @throws IOException if the file cannot be written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Gaps write(OutputStream out) throws ClusterException, IOException, InterruptedException {
    List<ClusterResource> notServed = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    Discovery discovery = new Discovery(server);
    try (JsonGenerator json = MAPPER.createGenerator(out)) {
      json.writeStartObject();
      json.writeStringField("apiVersion", "v1");
      json.writeStringField("kind", "List");
      json.writeArrayFieldStart("items");
      for (ClusterResource resource : ORDER) {
        ServedResource served = ServedResource.find(resource, discovery);
        if (served == null) {
          notServed.add(resource);
        } else {
          served.list(server, "", body -> {}, object -> write(served, object, json, leftOut));
        }
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new Gaps(notServed, leftOut);
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
      }
    } else if (resource == ClusterResource.RESOURCE_CLAIM_TEMPLATES
        && object.path("spec") instanceof ObjectNode spec) {
      redactAnnotations(spec);
    } else if (resource == ClusterResource.NODES
        && object.path("status") instanceof ObjectNode status) {
      status.retain(NODE_STATUS);
    }
  }

  private static void redactAnnotations(ObjectNode object) {
    if (object.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      for (Iterator<String> names = annotations.fieldNames(); names.hasNext(); ) {
        if (!names.next().startsWith(ANNOTATIONS)) {
          names.remove();
        }
      }
    }
  }

  private static void redactPod(JsonNode node) {
    if (node instanceof ObjectNode spec) {
      spec.remove(POD_FIELDS_LEFT_OUT);
      for (String containers : CONTAINERS) {
        if (spec.path(containers) instanceof ArrayNode list) {
          list.forEach(
              one -> {
                if (one instanceof ObjectNode container) {
                  container.retain(CONTAINER_FIELDS);
                }
              });
        }
      }
    }
  }
}
