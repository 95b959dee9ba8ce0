package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pods that run to completion ({@code batch/v1}), with the fields that device allocation needs.
 *
 * @param metadata namespace and name
 * @param parallelism the number of pods that run at the same time; 1 when not given
 * @param completions the number of pods that must succeed; {@code null} if one success is enough
 * @param suspended whether the Job currently has no pods ({@code spec.suspend})
 * @param templateLabels the labels of its pods ({@code spec.template.metadata.labels})
 * @param template the specification of its pods
 * @param managedBy the controller that creates its pods ({@code spec.managedBy}); empty for the
 *     controller of Kubernetes
 * @param indexes the finished indexes of an Indexed Job ({@code spec.completionMode}); {@code null}
 *     if its pods have no index
 * @param succeeded the number of its pods that have succeeded ({@code status.succeeded})
 * @param conditions its state ({@code status.conditions}), for example {@code Complete}
 */
public record Job(
    ObjectMeta metadata,
    int parallelism,
    @Nullable Integer completions,
    boolean suspended,
    Map<String, String> templateLabels,
    PodSpec template,
    String managedBy,
    @Nullable Indexes indexes,
    int succeeded,
    List<Condition> conditions)
    implements PodController {

  private static final String CONTROLLER = "kubernetes.io/job-controller";

  /**
   * The finished indexes of an Indexed Job, as numbers and ranges: {@code 0,2-4}.
   *
   * @param completed the indexes whose pods have succeeded ({@code status.completedIndexes})
   * @param failed the indexes that get no further pods ({@code status.failedIndexes})
   */
  public record Indexes(String completed, String failed) {

    /** No index is finished. */
    public static final Indexes NONE = new Indexes("", "");

    /** Rejects null. {@inheritDoc} */
    public Indexes {
      Checks.value("Job.Indexes.completed", completed);
      Checks.value("Job.Indexes.failed", failed);
    }
  }

  /** The conditions after which the Job controller creates no further pods. */
  private static final Set<String> ENDS =
      Set.of("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget");

  /** Copies the collections, keeping their order; rejects null. {@inheritDoc} */
  public Job {
    Checks.value("Job.metadata", metadata);
    templateLabels = Checks.map("Job.templateLabels", templateLabels);
    Checks.value("Job.template", template);
    Checks.value("Job.managedBy", managedBy);
    conditions = Checks.list("Job.conditions", conditions);
  }

  /**
   * {@return whether the Job has ended or is about to, and creates no more pods: {@code Complete},
   * {@code Failed}, {@code SuccessCriteriaMet} or {@code FailureTarget} is {@code True}}
   */
  public boolean isFinished() {
    return conditions.stream()
        .anyMatch(one -> one.status().equals("True") && ENDS.contains(one.type()));
  }

  /**
   * Returns whether another controller creates the pods, perhaps in another cluster.
   *
   * <p>Source: {@code managedByExternalController} in {@code pkg/controller/job} of Kubernetes.
   *
   * @return whether {@link #managedBy} names another controller than that of Kubernetes
   */
  public boolean isManagedElsewhere() {
    return !managedBy.isEmpty() && !managedBy.equals(CONTROLLER);
  }

  /** {@return the number of pods at a time: {@link #pods(int)} for {@link #succeeded} pods} */
  public int pods() {
    return pods(succeeded);
  }

  /**
   * Returns the number of pods of the Job that run at the same time after some have succeeded.
   *
   * <p>Source: {@code manageJob} in {@code pkg/controller/job} of Kubernetes, which creates no pods
   * after a first success if {@code completions} is not set.
   *
   * @param succeededSoFar the number of its pods that have succeeded
   * @return the smaller of parallelism and the remaining completions; 0 while it is suspended, when
   *     it is finished, and if another controller creates the pods
   */
  public int pods(int succeededSoFar) {
    if (suspended
        || isManagedElsewhere()
        || isFinished()
        || (completions == null && succeededSoFar > 0)) {
      return 0;
    }
    int wanted =
        completions == null ? parallelism : Math.min(parallelism, completions - succeededSoFar);
    return Math.max(0, wanted);
  }

  /**
   * {@return a builder of a job of one pod, which may run on any node and needs no claims}
   *
   * @param namespace the namespace of the job and its pods
   * @param name the name of the job
   */
  public static Builder named(String namespace, String name) {
    return new Builder().metadata(ObjectMeta.named(namespace, name));
  }

  /** {@return a builder with all fields of this job} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.metadata = metadata;
    builder.parallelism = parallelism;
    builder.completions = completions;
    builder.suspended = suspended;
    builder.templateLabels.set(templateLabels);
    builder.template = template;
    builder.managedBy = managedBy;
    builder.indexes = indexes;
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
    private String managedBy = "";
    private @Nullable Indexes indexes;
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
     * Sets the number of pods that run at the same time.
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
     * Sets the number of pods that must succeed.
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
     * Sets whether the job is suspended, and so has no pods.
     *
     * @param suspended whether it is suspended
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
     * Sets the specification of the pods.
     *
     * @param template the specification of each pod
     * @return this builder
     */
    public Builder template(PodSpec template) {
      this.template = Checks.value("Job.template", template);
      return this;
    }

    /**
     * Sets the controller that creates the pods.
     *
     * @param managedBy its name; empty for the controller of Kubernetes
     * @return this builder
     */
    public Builder managedBy(String managedBy) {
      this.managedBy = Checks.value("Job.managedBy", managedBy);
      return this;
    }

    /**
     * Sets the finished indexes of an Indexed Job.
     *
     * @param indexes the indexes; {@code null} if the pods have no index
     * @return this builder
     */
    public Builder indexes(@Nullable Indexes indexes) {
      this.indexes = indexes;
      return this;
    }

    /**
     * Sets the number of pods that have succeeded.
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
            "Job.%s: expected 0 or more, found %d".formatted(field, value));
      }
      return value;
    }

    /** {@return a job with the fields set so far} */
    public Job build() {
      return new Job(
          metadata,
          parallelism,
          completions,
          suspended,
          templateLabels.get(),
          template,
          managedBy,
          indexes,
          succeeded,
          conditions.get());
    }
  }

  @Override
  public List<PodSpec> podSpecs() {
    return List.of(template());
  }
}
