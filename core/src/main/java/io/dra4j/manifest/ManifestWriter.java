package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.internal.codec.AllocationCodec;
import io.dra4j.manifest.internal.codec.ObjectKind;
import io.dra4j.manifest.internal.codec.V1Beta1;
import io.dra4j.manifest.internal.json.JacksonTree;
import io.dra4j.manifest.internal.json.JsonFields;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.manifest.internal.json.ThreeWayMerge;
import io.dra4j.manifest.internal.yaml.YamlText;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes objects in version v1, as JSON or YAML. An object that was read from a document keeps all
 * fields of the document that dra4j does not know, and unchanged fields stay as they were written.
 */
public final class ManifestWriter {

  private ManifestWriter() {}

  /**
   * {@return a {@code v1 List} in YAML, with a final line feed}
   *
   * @param manifests the items
   * @throws IllegalArgumentException if parameters or data in an object are not JSON
   */
  public static String toYaml(List<Manifest> manifests) {
    return YamlText.write(list(manifests));
  }

  /**
   * {@return a {@code v1 List} in JSON, with a final line feed}
   *
   * @param manifests the items
   * @throws IllegalArgumentException if parameters or data in an object are not JSON
   */
  public static String toJson(List<Manifest> manifests) {
    return toJson(manifests, Map.of());
  }

  /**
   * {@return a {@code v1 List} in JSON with further fields, which a program that applies the list
   * ignores, and with a final line feed}
   *
   * @param manifests the items
   * @param further JSON by the names of further fields of the list
   * @throws IllegalArgumentException if parameters, data or further fields are not JSON
   */
  public static String toJson(List<Manifest> manifests, Map<String, String> further) {
    Objects.requireNonNull(further, "further");
    Json.Fields list = list(manifests);
    for (Map.Entry<String, String> field : further.entrySet()) {
      list = JsonFields.with(list, field.getKey(), JsonText.parseValid(field.getValue()));
    }
    return JsonText.writePretty(list) + "\n";
  }

  /**
   * Writes one object as JSON without white space, for example as the body of a request to the API
   * server. An object that was read keeps the fields of its document, as in a list.
   *
   * @param manifest the object
   * @param apiVersion the API version in which to write it, for example {@code
   *     resource.k8s.io/v1beta2}: for objects of that group a version in which {@link
   *     ManifestReader} reads their kind, for other groups the version of the manifest
   * @param out receives UTF-8, and stays open
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if objects of the kind are not written in the version, or
   *     parameters or data in the object are not JSON
   */
  public static void writeObject(Manifest manifest, String apiVersion, OutputStream out)
      throws IOException {
    Objects.requireNonNull(manifest, "manifest");
    Objects.requireNonNull(apiVersion, "apiVersion");
    Objects.requireNonNull(out, "out");
    ObjectKind<?> kind = ObjectKind.of(manifest.object());
    List<String> versions =
        ObjectKind.isDra(kind.apiVersion()) ? kind.apiVersions() : List.of(manifest.apiVersion());
    if (!versions.contains(apiVersion)) {
      throw new IllegalArgumentException(
          "apiVersion: a %s is written in %s, not in %s"
              .formatted(kind.kind(), String.join(", ", versions), apiVersion));
    }
    Json.Fields document = document(manifest);
    if (apiVersion.endsWith("/v1beta1") && ObjectKind.isDra(apiVersion)) {
      document = V1Beta1.fromV1(kind.kind(), document);
    }
    JsonText.write(JsonFields.typed(document, apiVersion, kind.kind()), out);
  }

  /**
   * {@return an object as v1 JSON, with {@code apiVersion}, {@code kind} and all known fields}
   *
   * @param object the object
   * @throws IllegalArgumentException if parameters or data in the object are not JSON
   */
  public static ObjectNode encode(KubernetesObject object) {
    Objects.requireNonNull(object, "object");
    return JacksonTree.of(typed(object, ObjectKind.of(object).write(object)));
  }

  /**
   * {@return {@code status.allocation} as v1 JSON, with the same fields as Kubernetes' own type}
   *
   * @param allocation the allocation
   * @throws IllegalArgumentException if parameters in the allocation are not JSON
   */
  public static ObjectNode encode(AllocationResult allocation) {
    Objects.requireNonNull(allocation, "allocation");
    return JacksonTree.of(AllocationCodec.write(allocation));
  }

  private static Json.Fields list(List<Manifest> manifests) {
    Objects.requireNonNull(manifests, "manifests");
    Json items = new Json.Items(manifests.stream().<Json>map(ManifestWriter::document).toList());
    return JsonFields.typed(JsonFields.with(JsonFields.EMPTY, "items", items), "v1", "List");
  }

  /** The current document of an object. */
  private static Json.Fields document(Manifest manifest) {
    KubernetesObject object = manifest.object();
    ObjectKind<?> kind = ObjectKind.of(object);
    Json.Fields after = kind.write(object);
    String text = manifest.sourceText().orElse(null);
    if (text == null) {
      return typed(object, after);
    }
    Json source = JsonText.parseValid(text);
    Json merged = ThreeWayMerge.merge(kind.write(manifest.original()), after, source);
    return withoutEmptyStatus(object, (Json.Fields) merged);
  }

  /** kubectl prints {@code status: {}} for a claim without an allocation. */
  private static Json.Fields withoutEmptyStatus(KubernetesObject object, Json.Fields document) {
    boolean isEmpty =
        object instanceof ResourceClaim claim
            && claim.status().equals(ResourceClaimStatus.EMPTY)
            && (!document.has("status") || JsonFields.EMPTY.equals(document.get("status")));
    return isEmpty ? JsonFields.without(document, "status") : document;
  }

  private static Json.Fields typed(KubernetesObject object, Json.Fields fields) {
    ObjectKind<?> kind = ObjectKind.of(object);
    return JsonFields.typed(fields, kind.apiVersion(), kind.kind());
  }
}
