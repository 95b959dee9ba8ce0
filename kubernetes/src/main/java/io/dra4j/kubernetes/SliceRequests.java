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

/** The requests that write slices. Not thread-safe. */
final class SliceRequests {

  private static final String JSON = "application/json";
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Pattern DEVICE = Pattern.compile("spec\\.devices\\[(\\d{1,3})]");

  private final ApiServer server;
  private final String node;
  private final ManifestReader reader = ManifestReader.builder().withoutSources().build();
  private final ServedVersion served;

  SliceRequests(ApiServer server, String node) {
    this.server = server;
    this.node = node;
    this.served = new ServedVersion(server, ClusterResource.RESOURCE_SLICES);
  }

  /** A slice as the server returned it. */
  record Written(ResourceSlice slice, String resourceVersion) {}

  Written create(ResourceSlice slice) throws ClusterException, InterruptedException {
    String uid = nodeUid();
    return served.ask(
        resource -> {
          ObjectNode body = body(slice, resource);
          ((ObjectNode) body.get("metadata"))
              .putArray("ownerReferences")
              .addObject()
              .put("apiVersion", "v1")
              .put("kind", "Node")
              .put("name", node)
              .put("uid", uid)
              .put("controller", true);
          return send("POST", resource.path(), body);
        });
  }

  Written update(ResourceSlice slice, String resourceVersion)
      throws ClusterException, InterruptedException {
    return served.ask(
        resource -> {
          ObjectNode body = body(slice, resource);
          ((ObjectNode) body.get("metadata")).put("resourceVersion", resourceVersion);
          return send("PUT", resource.path("", slice.metadata().name()), body);
        });
  }

  /** Deletes a slice. Does nothing if it no longer exists. */
  void delete(String name) throws ClusterException, InterruptedException {
    try {
      served.ask(resource -> server.write("DELETE", resource.path("", name), JSON, "{}"));
    } catch (ClusterException e) {
      if (e.status() != 404) {
        throw e;
      }
    }
  }

  private static ObjectNode body(ResourceSlice slice, ServedResource resource) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    try {
      ManifestWriter.writeObject(Manifest.of(slice), resource.apiVersion(), json);
      return (ObjectNode) MAPPER.readTree(json.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }

  private Written send(String method, String path, ObjectNode body)
      throws ClusterException, InterruptedException {
    byte[] answer = server.write(method, path, JSON, body.toString());
    try (InputStream stream = new ByteArrayInputStream(answer)) {
      RawObject object = RawObject.read(stream);
      Manifest written =
          reader.readObject("the response to " + method, new ByteArrayInputStream(object.json()));
      return new Written((ResourceSlice) written.object(), object.resourceVersion());
    } catch (IOException e) {
      throw server.unanswered(method + " " + path, e);
    } catch (ManifestException e) {
      throw new ClusterException(
          "%s %s: %s".formatted(method, path, e.getMessage()), ClusterException.NO_ANSWER, e);
    }
  }

  /** The UID of the Node, which changes when the Node is registered again. */
  private String nodeUid() throws ClusterException, InterruptedException {
    JsonNode found = server.document("/api/v1/nodes/" + ServedResource.encode(node));
    if (found == null) {
      throw new ClusterException(
          "there is no Node %s in the cluster: it must exist, as the owner of the slices"
              .formatted(node),
          ClusterException.NO_ANSWER,
          null);
    }
    return found.path("metadata").path("uid").asText();
  }

  /** The indexes of the devices that a message of the server names. */
  static Set<Integer> devicesIn(String message) {
    Set<Integer> places = new TreeSet<>();
    Matcher matcher = DEVICE.matcher(message);
    while (matcher.find()) {
      places.add(Integer.valueOf(matcher.group(1)));
    }
    return places;
  }
}
