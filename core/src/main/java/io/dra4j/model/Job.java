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

  /** Copies the map, keeping its order; refuses null. {@inheritDoc} */
  public Job {
    NoNulls.value("Job.metadata", metadata);
    templateLabels = NoNulls.map("Job.templateLabels", templateLabels);
    NoNulls.value("Job.template", template);
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

  /**
   * Starts a job of one pod, which may run on any node and needs no claims.
   *
   * @param namespace the namespace of the job and its pods
   * @param name the name of the job
   * @return a builder of jobs
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /**
   * Starts a builder with everything that this job has, to change some of it.
   *
   * @return a builder of jobs
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.parallelism = parallelism;
    builder.completions = completions;
    builder.suspended = suspended;
    builder.templateLabels.set(templateLabels);
    builder.template = template;
    return builder;
  }

  /** Collects the fields of a job. */
  public static final class Builder {

    private ObjectMeta metadata = ObjectMeta.named("");
    private int parallelism = 1;
    private @Nullable Integer completions;
    private boolean suspended;
    private final MapField<String> templateLabels = new MapField<>("Job.templateLabels");
    private PodSpec template = PodSpec.ANYWHERE;

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param value the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta value) {
      this.metadata = NoNulls.value("Job.metadata", value);
      return this;
    }

    /**
     * Sets how many pods run at a time.
     *
     * @param value the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder parallelism(int value) {
      this.parallelism = notNegative("parallelism", value);
      return this;
    }

    /**
     * Sets how many pods have to succeed.
     *
     * @param value the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder completions(int value) {
      this.completions = notNegative("completions", value);
      return this;
    }

    /**
     * Sets whether the job has no pods for now.
     *
     * @param value whether it waits
     * @return this builder
     */
    public Builder suspended(boolean value) {
      this.suspended = value;
      return this;
    }

    /**
     * Replaces the labels of the pods.
     *
     * @param values values by the keys of the labels
     * @return this builder
     */
    public Builder templateLabels(Map<String, String> values) {
      templateLabels.set(values);
      return this;
    }

    /**
     * Sets where the pods run and which claims they need.
     *
     * @param value the specification of each pod
     * @return this builder
     */
    public Builder template(PodSpec value) {
      this.template = NoNulls.value("Job.template", value);
      return this;
    }

    private static int notNegative(String field, int value) {
      if (value < 0) {
        throw new IllegalArgumentException(
            "Job.%s: want 0 or more, not %d".formatted(field, value));
      }
      return value;
    }

    /**
     * Makes the job.
     *
     * @return a job with the fields set so far
     */
    public Job build() {
      return new Job(metadata, parallelism, completions, suspended, templateLabels.get(), template);
    }
  }
}
