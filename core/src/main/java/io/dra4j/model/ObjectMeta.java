package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of Kubernetes' {@code metadata} that device allocation looks at. Everything else stays
 * in the source document.
 *
 * @param name the object's name; empty when the document has none
 * @param namespace the namespace, or {@code null} for cluster-scoped objects and for documents that
 *     leave it to the client
 * @param uid the server's unique id, or {@code null} when the object never met a server
 * @param labels labels by key
 * @param annotations annotations by key
 */
public record ObjectMeta(
    String name,
    @Nullable String namespace,
    @Nullable String uid,
    Map<String, String> labels,
    Map<String, String> annotations) {

  /** The namespace that Kubernetes uses where none is given. */
  public static final String DEFAULT_NAMESPACE = "default";

  /** Copies the maps, keeping their order. {@inheritDoc} */
  public ObjectMeta {
    labels = ImmutableMap.copyOf(labels);
    annotations = ImmutableMap.copyOf(annotations);
  }

  /**
   * Metadata of a cluster-scoped object, or of one whose namespace is left open.
   *
   * @param name the object's name
   * @return metadata with this name and nothing else
   */
  public static ObjectMeta named(String name) {
    return new ObjectMeta(name, null, null, Map.of(), Map.of());
  }

  /**
   * Metadata of a namespaced object.
   *
   * @param namespace the namespace
   * @param name the object's name
   * @return metadata with this namespace and name and nothing else
   */
  public static ObjectMeta named(String namespace, String name) {
    return new ObjectMeta(name, namespace, null, Map.of(), Map.of());
  }

  /**
   * The namespace, with Kubernetes' default where none (or an empty one) is given.
   *
   * @return the namespace to look the object up in
   */
  public String namespaceOrDefault() {
    return namespace == null || namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }
}
