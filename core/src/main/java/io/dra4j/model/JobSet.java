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
 * @param replicatedJobs the jobs, each a number of times
 * @param suspended whether the jobs make no pods for now
 * @param conditions what its controller says of it
 */
public record JobSet(
    ObjectMeta metadata,
    List<ReplicatedJob> replicatedJobs,
    boolean suspended,
    List<Condition> conditions)
    implements PodController {

  /**
   * A job that is there a number of times.
   *
   * @param name the name of the job in its set
   * @param replicas how many jobs there are; 1 when not given
   * @param template labels, annotations and specification of each job
   */
  public record ReplicatedJob(String name, int replicas, Job template) {

    /** Refuses null. {@inheritDoc} */
    public ReplicatedJob {
      Checks.value("ReplicatedJob.name", name);
      Checks.value("ReplicatedJob.template", template);
    }
  }

  /** Copies the lists; refuses null. {@inheritDoc} */
  public JobSet {
    Checks.value("JobSet.metadata", metadata);
    replicatedJobs = Checks.list("JobSet.replicatedJobs", replicatedJobs);
    conditions = Checks.list("JobSet.conditions", conditions);
  }

  /**
   * Returns whether the set has ended and makes no more jobs.
   *
   * @return whether a condition says that it is complete or has failed
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
