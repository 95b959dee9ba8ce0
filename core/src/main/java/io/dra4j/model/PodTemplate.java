package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The template of the pods of a controller ({@code PodTemplateSpec} of Kubernetes).
 *
 * @param labels the labels of the pods
 * @param spec the specification of the pods
 */
public record PodTemplate(Map<String, String> labels, PodSpec spec) {

  /** Copies the map; rejects null. {@inheritDoc} */
  public PodTemplate {
    labels = Checks.map("PodTemplate.labels", labels);
    Checks.value("PodTemplate.spec", spec);
  }

  /** The specifications of the templates that are not null. */
  static List<PodSpec> specs(@Nullable PodTemplate... templates) {
    return Stream.of(templates).filter(Objects::nonNull).map(PodTemplate::spec).toList();
  }
}
