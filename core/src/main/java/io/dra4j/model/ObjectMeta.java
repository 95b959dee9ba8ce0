package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of Kubernetes' {@code metadata} that device allocation needs. All other fields remain
 * only in the source document.
 *
 * @param name the object's name; empty when the document has none
 * @param namespace the namespace, or {@code null} for cluster-scoped objects and for documents that
 *     leave it to the client
 * @param uid the server's unique id, or {@code null} if the object was never stored on a server
 * @param creationTimestamp the time at which the server stored the object, RFC 3339, or {@code
 *     null} if it is not given
 * @param deletionTimestamp the time since which the object is being deleted, RFC 3339, or {@code
 *     null} if it is not
 * @param labels labels by key
 * @param annotations annotations by key
 * @param ownerReferences the owners of this object
 */
public record ObjectMeta(
    String name,
    @Nullable String namespace,
    @Nullable String uid,
    @Nullable String creationTimestamp,
    @Nullable String deletionTimestamp,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<OwnerReference> ownerReferences) {

  /** The namespace that Kubernetes uses if none is given. */
  public static final String DEFAULT_NAMESPACE = "default";

  /** Copies the maps, keeping their order. {@inheritDoc} */
  public ObjectMeta {
    Checks.value("ObjectMeta.name", name);
    labels = Checks.map("ObjectMeta.labels", labels);
    annotations = Checks.map("ObjectMeta.annotations", annotations);
    ownerReferences = Checks.list("ObjectMeta.ownerReferences", ownerReferences);
  }

  /**
   * Creates the metadata of an object that has no owner and is not being deleted.
   *
   * @param name the object's name
   * @param namespace the namespace, or {@code null}
   * @param uid the server's unique id, or {@code null}
   * @param labels labels by key
   * @param annotations annotations by key
   */
  public ObjectMeta(
      String name,
      @Nullable String namespace,
      @Nullable String uid,
      Map<String, String> labels,
      Map<String, String> annotations) {
    this(name, namespace, uid, null, null, labels, annotations, List.of());
  }

  /**
   * {@return metadata with a name only, for a cluster-scoped object or one without a namespace}
   *
   * @param name the object's name
   */
  public static ObjectMeta named(String name) {
    return new ObjectMeta(name, null, null, Map.of(), Map.of());
  }

  /**
   * {@return metadata of a namespaced object, with this namespace and name and nothing else}
   *
   * @param namespace the namespace
   * @param name the object's name
   */
  public static ObjectMeta named(String namespace, String name) {
    return new ObjectMeta(
        name, Checks.value("ObjectMeta.namespace", namespace), null, Map.of(), Map.of());
  }

  /** {@return the namespace, or Kubernetes' default if none (or an empty one) is given} */
  public String namespaceOrDefault() {
    return namespace == null || namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }

  /** {@return a builder with all fields of these metadata} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.namespace = namespace;
    builder.uid = uid;
    builder.creationTimestamp = creationTimestamp;
    builder.deletionTimestamp = deletionTimestamp;
    builder.labels.set(labels);
    builder.annotations.set(annotations);
    builder.ownerReferences = ownerReferences;
    return builder;
  }

  /** Collects the fields of metadata; what is not set stays empty. */
  public static final class Builder {

    private String name = "";
    private @Nullable String namespace;
    private @Nullable String uid;
    private @Nullable String creationTimestamp;
    private @Nullable String deletionTimestamp;
    private final MapField<String> labels = new MapField<>("ObjectMeta.labels");
    private final MapField<String> annotations = new MapField<>("ObjectMeta.annotations");
    private List<OwnerReference> ownerReferences = List.of();

    private Builder() {}

    /**
     * Sets the name of the object.
     *
     * @param name unique in the namespace, or in the cluster if there is no namespace
     * @return this builder
     */
    public Builder name(String name) {
      this.name = Checks.value("ObjectMeta.name", name);
      return this;
    }

    /**
     * Sets the namespace of the object.
     *
     * @param namespace the namespace, or {@code null} to leave it open
     * @return this builder
     */
    public Builder namespace(@Nullable String namespace) {
      this.namespace = namespace;
      return this;
    }

    /**
     * Sets the identity that the API server gave the object.
     *
     * @param uid the UID, or {@code null} if the object has none yet
     * @return this builder
     */
    public Builder uid(@Nullable String uid) {
      this.uid = uid;
      return this;
    }

    /**
     * Sets the time at which the server stored the object.
     *
     * @param creationTimestamp a time such as {@code 2026-01-31T12:00:00Z}, or {@code null} if it
     *     is not known
     * @return this builder
     */
    public Builder creationTimestamp(@Nullable String creationTimestamp) {
      this.creationTimestamp = creationTimestamp;
      return this;
    }

    /**
     * Sets the time since which the object is being deleted.
     *
     * @param deletionTimestamp a time such as {@code 2026-01-31T12:00:00Z}, or {@code null} if it
     *     is not
     * @return this builder
     */
    public Builder deletionTimestamp(@Nullable String deletionTimestamp) {
      this.deletionTimestamp = deletionTimestamp;
      return this;
    }

    /**
     * Adds a label to the object, or replaces the label with this key.
     *
     * @param key for example {@code topology.kubernetes.io/zone}
     * @param label the value of the label
     * @return this builder
     */
    public Builder label(String key, String label) {
      labels.put(key, label);
      return this;
    }

    /**
     * Replaces all labels of the object.
     *
     * @param values values by key
     * @return this builder
     */
    public Builder labels(Map<String, String> values) {
      labels.set(values);
      return this;
    }

    /**
     * Adds an annotation to the object, or replaces the annotation with this key.
     *
     * @param key the key of the annotation
     * @param annotation the value of the annotation
     * @return this builder
     */
    public Builder annotation(String key, String annotation) {
      annotations.put(key, annotation);
      return this;
    }

    /**
     * Replaces all annotations of the object.
     *
     * @param values values by key
     * @return this builder
     */
    public Builder annotations(Map<String, String> values) {
      annotations.set(values);
      return this;
    }

    /**
     * Replaces the owners of this object.
     *
     * @param values the owners
     * @return this builder
     */
    public Builder ownerReferences(List<OwnerReference> values) {
      ownerReferences = Checks.list("ObjectMeta.ownerReferences", values);
      return this;
    }

    /** {@return metadata with the fields set so far} */
    public ObjectMeta build() {
      return new ObjectMeta(
          name,
          namespace,
          uid,
          creationTimestamp,
          deletionTimestamp,
          labels.get(),
          annotations.get(),
          ownerReferences);
    }
  }
}
