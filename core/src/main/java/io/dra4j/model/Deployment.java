package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * A number of equal pods that are replaced step by step when the template changes ({@code
 * apps/v1}). It has the fields that device allocation needs. Its ReplicaSets make the pods.
 *
 * @param metadata namespace and name
 * @param replicas how many pods; 1 when not given
 * @param paused whether its controller makes no ReplicaSet for now ({@code spec.paused})
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template where its pods run and which claims they need
 */
public record Deployment(
    ObjectMeta metadata,
    int replicas,
    boolean paused,
    Map<String, String> templateLabels,
    PodSpec template)
    implements KubernetesObject {

  /** Copies the map, keeping its order; refuses null. {@inheritDoc} */
  public Deployment {
    Checks.value("Deployment.metadata", metadata);
    templateLabels = Checks.map("Deployment.templateLabels", templateLabels);
    Checks.value("Deployment.template", template);
  }
}
