package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The types of {@code resource.k8s.io} in the OpenAPI documents of the Go module k8s.io/kubernetes.
 */
final class ApiTypes {

  private final Map<String, JsonNode> documents = new HashMap<>();

  private ApiTypes() {}

  /** Returns the types of the module version that {@code e2e/kube/run} names. */
  static ApiTypes fromEnvironment() throws IOException {
    Path directory =
        Path.of(Objects.requireNonNull(System.getenv("KUBERNETES_MODULE")))
            .resolve("api/openapi-spec/v3");
    ApiTypes types = new ApiTypes();
    for (String version : List.of("v1", "v1beta2", "v1beta1", "v1alpha3")) {
      Path file = directory.resolve("apis__resource.k8s.io__" + version + "_openapi.json");
      types.documents.put(
          "resource.k8s.io/" + version,
          new ObjectMapper().readTree(file.toFile()).path("components").path("schemas"));
    }
    return types;
  }

  /** The type of an object, by its API version and kind. */
  JsonNode of(JsonNode object) {
    String version = object.get("apiVersion").asText();
    String name = version.replace("resource.k8s.io/", "io.k8s.api.resource.");
    JsonNode document = Objects.requireNonNull(documents.get(version));
    return Objects.requireNonNull(document.get(name + "." + object.get("kind").asText()));
  }

  /** The type of a field of an object, of an entry of a map, or of an element of a list. */
  JsonNode inside(JsonNode object, JsonNode type, String field) {
    JsonNode properties = type.path("properties");
    JsonNode found =
        properties.has(field)
            ? properties.get(field)
            : type.has("items") ? type.get("items") : type.path("additionalProperties");
    return resolved(object, found);
  }

  private JsonNode resolved(JsonNode object, JsonNode type) {
    JsonNode one = type.has("allOf") ? type.get("allOf").get(0) : type;
    String reference = one.path("$ref").asText();
    JsonNode document = Objects.requireNonNull(documents.get(object.get("apiVersion").asText()));
    return reference.isEmpty()
        ? one
        : document.path(reference.substring(reference.lastIndexOf('/') + 1));
  }
}
