package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Objects;

/**
 * Jobs that belong together ({@code jobset.x-k8s.io/v1alpha2}). It has the fields that device
 * allocation needs.
 *
 * <p>Source: {@code api/jobset/v1alpha2} of sigs.k8s.io/jobset.
 *
 * @param metadata namespace and name
 * @param replicatedJobs the jobs with their numbers of replicas
 * @param suspended whether the jobs currently create no pods
 * @param managedBy the controller that creates its jobs ({@code spec.managedBy}); empty for the
 *     JobSet controller
 * @param conditions the state that its controller reports
 */
public record JobSet(
    ObjectMeta metadata,
    List<ReplicatedJob> replicatedJobs,
    boolean suspended,
    String managedBy,
    List<Condition> conditions)
    implements PodController {

  private static final String CONTROLLER = "jobset.sigs.k8s.io/jobset-controller";

  /**
   * A job with a number of replicas.
   *
   * @param name the name of the job in its set
   * @param replicas the number of jobs; 1 when not given
   * @param template labels, annotations and specification of each job
   */
  public record ReplicatedJob(String name, int replicas, Job template) {

    /** Rejects null. {@inheritDoc} */
    public ReplicatedJob {
      Checks.value("ReplicatedJob.name", name);
      Checks.value("ReplicatedJob.template", template);
    }
  }

  /** Copies the lists; rejects null. {@inheritDoc} */
  public JobSet {
    Checks.value("JobSet.metadata", metadata);
    replicatedJobs = Checks.list("JobSet.replicatedJobs", replicatedJobs);
    Checks.value("JobSet.managedBy", managedBy);
    conditions = Checks.list("JobSet.conditions", conditions);
  }

  /**
   * {@return a new set of other jobs for the JobSet controller, not suspended, without conditions}
   *
   * @param name namespace and name of the set
   * @param jobs its jobs with their numbers of replicas
   */
  public JobSet copy(ObjectMeta name, List<ReplicatedJob> jobs) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(jobs, "jobs");
    return new JobSet(name, jobs, false, "", List.of());
  }

  /** {@return whether the set creates no more jobs: a condition reports completion or failure} */
  public boolean isFinished() {
    return conditions.stream()
        .anyMatch(
            one ->
                one.status().equals("True")
                    && (one.type().equals("Completed") || one.type().equals("Failed")));
  }

  /**
   * Returns whether another controller creates the jobs, perhaps in another cluster.
   *
   * <p>Source: {@code managedByExternalController} in {@code pkg/controllers} of
   * sigs.k8s.io/jobset.
   *
   * @return whether {@link #managedBy} names another controller than the JobSet controller
   */
  public boolean isManagedElsewhere() {
    return !managedBy.isEmpty() && !managedBy.equals(CONTROLLER);
  }

  @Override
  public List<PodSpec> podSpecs() {
    return replicatedJobs().stream().flatMap(job -> job.template().podSpecs().stream()).toList();
  }
}
