package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.Map;

/**
 * What the pods of a controller have in common. It stands for {@code PodTemplateSpec} of
 * Kubernetes.
 *
 * @param labels the labels of the pods
 * @param spec where the pods run and which claims they need
 */
public record PodTemplate(Map<String, String> labels, PodSpec spec) {

  /** Copies the map; refuses null. {@inheritDoc} */
  public PodTemplate {
    labels = Checks.map("PodTemplate.labels", labels);
    Checks.value("PodTemplate.spec", spec);
  }
}
