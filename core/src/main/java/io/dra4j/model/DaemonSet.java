package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * One pod on each node that the template allows ({@code apps/v1}). It has the fields that device
 * allocation needs.
 *
 * @param metadata namespace and name
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template where its pods run and which claims they need
 */
public record DaemonSet(ObjectMeta metadata, Map<String, String> templateLabels, PodSpec template)
    implements KubernetesObject {

  /** Copies the map, keeping its order; refuses null. {@inheritDoc} */
  public DaemonSet {
    Checks.value("DaemonSet.metadata", metadata);
    templateLabels = Checks.map("DaemonSet.templateLabels", templateLabels);
    Checks.value("DaemonSet.template", template);
  }
}
