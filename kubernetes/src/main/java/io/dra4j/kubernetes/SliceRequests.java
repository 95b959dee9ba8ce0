package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The requests that write slices. Used by one thread. */
final class SliceRequests {

  private static final String API_VERSION = "resource.k8s.io/v1";
  private static final String PATH = "/apis/" + API_VERSION + "/resourceslices";
  private static final String JSON = "application/json";
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Pattern DEVICE = Pattern.compile("spec\\.devices\\[(\\d{1,3})]");

  private final ApiServer server;
  private final String node;
  private final ManifestReader reader = ManifestReader.create().withoutSources();
  private @Nullable String nodeUid;

  SliceRequests(ApiServer server, String node) {
    this.server = server;
    this.node = node;
  }

  /** A slice as the server has it now. */
  record Written(ResourceSlice slice, String resourceVersion) {}

  Written create(ResourceSlice slice) throws ClusterException, InterruptedException {
    ObjectNode body = body(slice);
    ObjectNode owner = ((ObjectNode) body.get("metadata")).putArray("ownerReferences").addObject();
    owner
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", node)
        .put("uid", nodeUid())
        .put("controller", true);
    return send("POST", PATH, body);
  }

  Written update(ResourceSlice slice, String resourceVersion)
      throws ClusterException, InterruptedException {
    ObjectNode body = body(slice);
    ((ObjectNode) body.get("metadata")).put("resourceVersion", resourceVersion);
    return send("PUT", PATH + "/" + ServedResource.encode(slice.metadata().name()), body);
  }

  /** Deletes a slice; one that is gone is nothing to do. */
  void delete(String name) throws ClusterException, InterruptedException {
    try {
      server.send("DELETE", PATH + "/" + ServedResource.encode(name), JSON, "{}").close();
    } catch (ClusterException e) {
      if (e.status() != 404) {
        throw e;
      }
    } catch (IOException e) {
      throw server.unanswered("DELETE " + name, e);
    }
  }

  private static ObjectNode body(ResourceSlice slice) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    try {
      ManifestWriter.writeObject(Manifest.of(slice), API_VERSION, json);
      return (ObjectNode) MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
  }

  private Written send(String method, String path, ObjectNode body)
      throws ClusterException, InterruptedException {
    try (InputStream answer = server.send(method, path, JSON, body.toString())) {
      RawObject object = RawObject.read(answer);
      Manifest written =
          reader.readObject("the answer to " + method, new ByteArrayInputStream(object.json()));
      return new Written((ResourceSlice) written.object(), object.resourceVersion());
    } catch (IOException | ManifestException e) {
      throw server.unanswered(method + " " + path, e);
    }
  }

  private String nodeUid() throws ClusterException, InterruptedException {
    String known = nodeUid;
    if (known == null) {
      JsonNode found = server.document("/api/v1/nodes/" + ServedResource.encode(node));
      if (found == null) {
        throw new ClusterException(
            "there is no Node %s in the cluster: slices have it as their owner".formatted(node),
            ClusterException.NO_ANSWER,
            null);
      }
      known = found.path("metadata").path("uid").asText();
      nodeUid = known;
    }
    return known;
  }

  /** The places of the devices that a message of the server names. */
  static Set<Integer> devicesIn(String message) {
    Set<Integer> places = new TreeSet<>();
    Matcher matcher = DEVICE.matcher(message);
    while (matcher.find()) {
      places.add(Integer.valueOf(matcher.group(1)));
    }
    return places;
  }
}
