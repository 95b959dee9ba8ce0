package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;

/**
 * Jobs that belong together ({@code jobset.x-k8s.io/v1alpha2}). It has the fields that device
 * allocation needs.
 *
 * <p>Source: {@code api/jobset/v1alpha2} of sigs.k8s.io/jobset.
 *
 * @param metadata namespace and name
 * @param replicatedJobs the jobs with their numbers of replicas
 * @param suspended whether the jobs currently create no pods
 * @param conditions the state that its controller reports
 */
public record JobSet(
    ObjectMeta metadata,
    List<ReplicatedJob> replicatedJobs,
    boolean suspended,
    List<Condition> conditions)
    implements PodController {

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
    conditions = Checks.list("JobSet.conditions", conditions);
  }

  /**
   * Returns whether the set has ended and no longer creates jobs.
   *
   * @return whether a condition reports that it is complete or has failed
   */
  public boolean isFinished() {
    return conditions.stream()
        .anyMatch(
            one ->
                one.status().equals("True")
                    && (one.type().equals("Completed") || one.type().equals("Failed")));
  }

  @Override
  public List<PodSpec> podSpecs() {
    return replicatedJobs().stream().flatMap(job -> job.template().podSpecs().stream()).toList();
  }
}
