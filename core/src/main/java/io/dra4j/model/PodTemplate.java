package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /** The specifications of those templates that there are. */
  static List<PodSpec> specs(@Nullable PodTemplate... templates) {
    return Stream.of(templates).filter(Objects::nonNull).map(PodTemplate::spec).toList();
  }
}
