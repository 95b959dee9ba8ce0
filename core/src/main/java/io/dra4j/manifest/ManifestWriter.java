package io.dra4j.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.KubernetesObject;
import java.util.List;

/**
 * Writes objects as v1 JSON or YAML. An object that was read from a document keeps every field of
 * the document that dra4j does not know.
 */
public final class ManifestWriter {

  private static final ObjectMapper YAML =
      new ObjectMapper(
          YAMLFactory.builder()
              .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
              .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
              .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
              .build());

  private ManifestWriter() {}

  /**
   * Writes a {@code v1 List} in YAML.
   *
   * @param manifests the items
   * @return the text, with a final line feed
   */
  public static String toYaml(List<Manifest> manifests) {
    try {
      return YAML.writeValueAsString(list(manifests));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree that cannot be written", e);
    }
  }

  /**
   * Writes a {@code v1 List} in JSON.
   *
   * @param manifests the items
   * @return the text, with a final line feed
   */
  public static String toJson(List<Manifest> manifests) {
    return JsonText.writePretty(list(manifests));
  }

  /**
   * An object as v1 JSON.
   *
   * @param object the object
   * @return {@code apiVersion}, {@code kind} and all fields that dra4j knows
   */
  public static ObjectNode encode(KubernetesObject object) {
    Kind kind = Kind.of(object);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", kind.apiVersion()).put("kind", kind.kindName());
    kind.write(object, json);
    return json;
  }

  /**
   * An allocation as v1 JSON, field by field what Kubernetes' own type is written as.
   *
   * @param allocation the allocation
   * @return the value of {@code status.allocation}
   */
  public static ObjectNode encode(AllocationResult allocation) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    StatusFields.writeAllocation(allocation, json);
    return json;
  }

  private static ObjectNode list(List<Manifest> manifests) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("apiVersion", "v1").put("kind", "List");
    ArrayNode items = list.putArray("items");
    manifests.forEach(manifest -> items.add(encode(manifest)));
    return list;
  }

  private static JsonNode encode(Manifest manifest) {
    JsonNode source = manifest.source();
    ObjectNode after = encode(manifest.object());
    if (source == null) {
      return after;
    }
    // What the document said when it was read; it had no problems then, so it has none now.
    Kind kind = Kind.of(manifest.object());
    Fields.Problems none = new Fields.Problems(manifest.origin(), kind.kindName());
    ObjectNode before = encode(kind.read(Fields.of(source, none)));
    return ThreeWayMerge.merge(before, after, source);
  }
}
