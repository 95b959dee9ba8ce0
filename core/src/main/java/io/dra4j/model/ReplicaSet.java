package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * A number of equal pods ({@code apps/v1}). It has the fields that device allocation needs. Its
 * pods run and are replaced one by one.
 *
 * @param metadata namespace and name
 * @param replicas how many pods; 1 when not given
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template where its pods run and which claims they need
 */
public record ReplicaSet(
    ObjectMeta metadata, int replicas, Map<String, String> templateLabels, PodSpec template)
    implements KubernetesObject {

  /** Copies the map, keeping its order; refuses null. {@inheritDoc} */
  public ReplicaSet {
    Checks.value("ReplicaSet.metadata", metadata);
    templateLabels = Checks.map("ReplicaSet.templateLabels", templateLabels);
    Checks.value("ReplicaSet.template", template);
  }
}
