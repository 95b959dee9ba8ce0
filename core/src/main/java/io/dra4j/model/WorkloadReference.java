package io.dra4j.model;

import io.dra4j.internal.Checks;

/**
 * The template from which a PodGroup or CompositePodGroup was created ({@code spec.workloadRef}).
 *
 * @param workloadName the name of the {@link Workload}, in the namespace of the group
 * @param templateName the name of the template in it
 */
public record WorkloadReference(String workloadName, String templateName) {

  /** Rejects null. {@inheritDoc} */
  public WorkloadReference {
    Checks.value("WorkloadReference.workloadName", workloadName);
    Checks.value("WorkloadReference.templateName", templateName);
  }
}
