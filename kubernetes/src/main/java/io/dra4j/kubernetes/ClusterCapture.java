package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes what answers about devices depend on as one file, a {@code List} that {@link
 * io.dra4j.manifest.ManifestReader} and {@code kubectl} read: nodes, ResourceSlices, DeviceClasses,
 * ResourceClaims and their templates, DeviceTaintRules, pods, PodGroups and ResourceQuotas. The
 * same questions asked of the file have the same answers.
 *
 * <p>Left out are environment, commands, volumes and probes of containers, annotations of other
 * domains than Kubernetes' own for devices, and managed fields. Secrets and ConfigMaps are never
 * read. Opaque parameters of claims and classes stay. Immutable and thread-safe.
 */
public final class ClusterCapture {

  private static final int FORBIDDEN = 403;

  private static final JsonMapper MAPPER = new JsonMapper();

  /** The domain of annotations that allocation looks at. */
  private static final String ANNOTATIONS = "resource.kubernetes.io/";

  private static final Set<String> CONTAINER_FIELDS = Set.of("name", "image", "resources");

  private static final List<String> POD_FIELDS_LEFT_OUT =
      List.of("volumes", "imagePullSecrets", "hostAliases", "dnsConfig", "securityContext");

  private static final List<String> CONTAINERS =
      List.of("containers", "initContainers", "ephemeralContainers");

  /** What refers to an object is read before the object, so that the object is there. */
  private static final List<ClusterResource> ORDER =
      List.of(
          ClusterResource.PODS,
          ClusterResource.POD_GROUPS,
          ClusterResource.RESOURCE_CLAIM_TEMPLATES,
          ClusterResource.RESOURCE_CLAIMS,
          ClusterResource.RESOURCE_QUOTAS,
          ClusterResource.DEVICE_CLASSES,
          ClusterResource.DEVICE_TAINT_RULES,
          ClusterResource.NODES,
          ClusterResource.RESOURCE_SLICES);

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
   * what refers to an object before the object.
   *
   * @param out takes the file, UTF-8; it is flushed, and stays open
   * @return the resources that the cluster does not serve, and ResourceQuotas where their reader
   *     may not read them
   * @throws ClusterException if the API server refuses or does not answer
   * @throws IOException if the file cannot be written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public List<ClusterResource> write(OutputStream out)
      throws ClusterException, IOException, InterruptedException {
    List<ClusterResource> notServed = new ArrayList<>();
    Discovery discovery = new Discovery(server);
    try (JsonGenerator json =
        ObjectStream.JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      json.writeStartObject();
      json.writeStringField("apiVersion", "v1");
      json.writeStringField("kind", "List");
      json.writeArrayFieldStart("items");
      for (ClusterResource resource : ORDER) {
        ServedResource served = ServedResource.find(resource, discovery);
        if (served == null) {
          notServed.add(resource);
        } else {
          try {
            served.list(server, "", body -> {}, object -> write(served, object, json));
          } catch (ClusterException e) {
            if (resource != ClusterResource.RESOURCE_QUOTAS || e.status() != FORBIDDEN) {
              throw e;
            }
            notServed.add(resource); // readers who need no answer about quotas may do without
          }
        }
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return notServed;
  }

  private static void write(ServedResource served, RawObject object, JsonGenerator json) {
    try {
      if (object.isTooLarge()) {
        throw new IOException(
            "%s %s is larger than %d bytes"
                .formatted(served.resource().kind(), object.displayName(), RawObject.MAX_BYTES));
      }
      json.writeRaw('\n');
      if (served.resource() == ClusterResource.RESOURCE_SLICES && !object.isTyped()) {
        json.writeRawValue(typed(served, object)); // most of the file: not taken apart
        return;
      }
      ObjectNode written = MAPPER.createObjectNode();
      written.put("apiVersion", served.apiVersion());
      written.put("kind", served.resource().kind());
      for (Map.Entry<String, JsonNode> field : MAPPER.readTree(object.json()).properties()) {
        written.putIfAbsent(field.getKey(), field.getValue());
      }
      redact(served.resource(), written);
      json.writeRawValue(MAPPER.writeValueAsString(written));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String typed(ServedResource served, RawObject object) {
    String rest = new String(object.json(), StandardCharsets.UTF_8).substring(1);
    return "{\"apiVersion\":\"%s\",\"kind\":\"%s\"%s%s"
        .formatted(
            served.apiVersion(), served.resource().kind(), rest.equals("}") ? "" : ",", rest);
  }

  private static void redact(ClusterResource resource, ObjectNode object) {
    redactAnnotations(object);
    if (resource == ClusterResource.PODS) {
      redactPod(object.path("spec"));
    } else if (resource == ClusterResource.RESOURCE_CLAIM_TEMPLATES
        && object.path("spec") instanceof ObjectNode spec) {
      redactAnnotations(spec);
    } else if (resource == ClusterResource.NODES
        && object.path("status") instanceof ObjectNode status) {
      status.retain("capacity", "allocatable", "conditions", "addresses", "nodeInfo", "features");
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
