package io.dra4j.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods that run until they are done ({@code batch/v1}), as far as device allocation sees them.
 *
 * @param metadata namespace and name
 * @param parallelism how many pods run at a time; 1 when not given
 * @param completions how many pods have to succeed; {@code null} when one that does is enough
 * @param suspended whether the Job has no pods for now ({@code spec.suspend})
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template where its pods run and which claims they need
 */
public record Job(
    ObjectMeta metadata,
    int parallelism,
    @Nullable Integer completions,
    boolean suspended,
    Map<String, String> templateLabels,
    PodSpec template)
    implements KubernetesObject {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public Job {
    templateLabels = NoNulls.map("Job.templateLabels", templateLabels);
  }

  /**
   * Returns how many pods of the Job run at a time at its start.
   *
   * @return the smaller of parallelism and completions; 0 while it is suspended
   */
  public int pods() {
    int wanted = completions == null ? parallelism : Math.min(parallelism, completions);
    return suspended ? 0 : Math.max(0, wanted);
  }
}
