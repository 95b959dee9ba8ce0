package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods that run until they are done ({@code batch/v1}), with the parts that device allocation
 * reads.
 *
 * @param metadata namespace and name
 * @param parallelism how many pods run at a time; 1 when not given
 * @param completions how many pods have to succeed; {@code null} when one that does is enough
 * @param suspended whether the Job has no pods for now ({@code spec.suspend})
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template where its pods run and which claims they need
 * @param succeeded how many of its pods have succeeded ({@code status.succeeded})
 * @param conditions its state ({@code status.conditions}), for example {@code Complete}
 */
public record Job(
    ObjectMeta metadata,
    int parallelism,
    @Nullable Integer completions,
    boolean suspended,
    Map<String, String> templateLabels,
    PodSpec template,
    int succeeded,
    List<Condition> conditions)
    implements PodController {

  /** After one of these the controller of Jobs makes no more pods. */
  private static final Set<String> ENDS =
      Set.of("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget");

  /** Copies the collections, keeping their order; refuses null. {@inheritDoc} */
  public Job {
    Checks.value("Job.metadata", metadata);
    templateLabels = Checks.map("Job.templateLabels", templateLabels);
    Checks.value("Job.template", template);
    conditions = Checks.list("Job.conditions", conditions);
  }

  /**
   * Returns whether the Job makes no more pods.
   *
   * @return whether it is complete, has failed, or is about to ({@code Complete}, {@code Failed},
   *     {@code SuccessCriteriaMet} or {@code FailureTarget} is {@code True})
   */
  public boolean isFinished() {
    return conditions.stream()
        .anyMatch(one -> one.status().equals("True") && ENDS.contains(one.type()));
  }

  /**
   * Returns how many pods of the Job run at a time, by its status.
   *
   * @return {@link #pods(int)} for {@link #succeeded}
   */
  public int pods() {
    return pods(succeeded);
  }

  /**
   * Returns how many pods of the Job run at a time when some have succeeded.
   *
   * <p>Source: {@code manageJob} in {@code pkg/controller/job} of Kubernetes, which makes no pods
   * after a first success where no completions are wanted.
   *
   * @param succeededSoFar how many of its pods have succeeded
   * @return the smaller of parallelism and of the completions that are missing; 0 while it is
   *     suspended and when it is finished
   */
  public int pods(int succeededSoFar) {
    if (suspended || isFinished() || (completions == null && succeededSoFar > 0)) {
      return 0;
    }
    int wanted =
        completions == null ? parallelism : Math.min(parallelism, completions - succeededSoFar);
    return Math.max(0, wanted);
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
    builder.succeeded = succeeded;
    builder.conditions.set(conditions);
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
    private int succeeded;
    private final ListField<Condition> conditions = new ListField<>("Job.conditions");

    private Builder() {}

    /**
     * Sets the name, the labels and the rest of the metadata.
     *
     * @param metadata the metadata
     * @return this builder
     */
    public Builder metadata(ObjectMeta metadata) {
      this.metadata = Checks.value("Job.metadata", metadata);
      return this;
    }

    /**
     * Sets how many pods run at a time.
     *
     * @param parallelism the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder parallelism(int parallelism) {
      this.parallelism = notNegative("parallelism", parallelism);
      return this;
    }

    /**
     * Sets how many pods have to succeed.
     *
     * @param completions the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder completions(int completions) {
      this.completions = notNegative("completions", completions);
      return this;
    }

    /**
     * Sets whether the job has no pods for now.
     *
     * @param suspended whether it waits
     * @return this builder
     */
    public Builder suspended(boolean suspended) {
      this.suspended = suspended;
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
     * @param template the specification of each pod
     * @return this builder
     */
    public Builder template(PodSpec template) {
      this.template = Checks.value("Job.template", template);
      return this;
    }

    /**
     * Sets how many pods have succeeded.
     *
     * @param succeeded the number, 0 or more
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public Builder succeeded(int succeeded) {
      this.succeeded = notNegative("succeeded", succeeded);
      return this;
    }

    /**
     * Adds a condition, {@code Complete} for example.
     *
     * @param condition a condition of the job
     * @return this builder
     */
    public Builder condition(Condition condition) {
      conditions.add(condition);
      return this;
    }

    /**
     * Replaces the conditions.
     *
     * @param values the conditions of the job
     * @return this builder
     */
    public Builder conditions(List<Condition> values) {
      conditions.set(values);
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
      return new Job(
          metadata,
          parallelism,
          completions,
          suspended,
          templateLabels.get(),
          template,
          succeeded,
          conditions.get());
    }
  }

  @Override
  public List<PodSpec> podSpecs() {
    return List.of(template());
  }
}
