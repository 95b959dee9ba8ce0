package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A resource in the version in which a cluster serves it.
 *
 * @param resource the resource
 * @param apiVersion group and version, for example {@code resource.k8s.io/v1}
 */
record ServedResource(ClusterResource resource, String apiVersion) {

  /**
   * Finds the version of a resource in a cluster.
   *
   * @return the first of the resource's versions that the cluster serves; null if it serves none
   * @throws ClusterException if the server refuses or does not answer
   */
  static @Nullable ServedResource find(ApiServer server, ClusterResource resource)
      throws ClusterException, InterruptedException {
    if (resource.group().isEmpty()) {
      return new ServedResource(resource, resource.versions().get(0));
    }
    for (String version : resource.versions()) {
      String apiVersion = resource.group() + "/" + version;
      JsonNode served = server.document("/apis/" + apiVersion);
      if (served != null) {
        for (JsonNode one : served.path("resources")) {
          if (one.path("name").asText().equals(resource.plural())) {
            return new ServedResource(resource, apiVersion);
          }
        }
      }
    }
    return null;
  }

  /** The path of all its objects. */
  String path() {
    return (resource.group().isEmpty() ? "/api/" : "/apis/") + apiVersion + "/" + resource.plural();
  }

  /** The path of its objects in one namespace. */
  String path(String namespace) {
    return (resource.group().isEmpty() ? "/api/" : "/apis/")
        + apiVersion
        + "/namespaces/"
        + encode(namespace)
        + "/"
        + resource.plural();
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
