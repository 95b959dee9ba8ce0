package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A launcher and its workers ({@code kubeflow.org/v2beta1}). It has the fields that device
 * allocation needs.
 *
 * <p>Source: {@code pkg/apis/kubeflow/v2beta1} of github.com/kubeflow/mpi-operator.
 *
 * @param metadata namespace and name
 * @param launcher the template of the launcher; {@code null} if it is missing, which the operator
 *     rejects
 * @param workers the number of workers; 0 when not given
 * @param worker the template of the workers; {@code null} for none
 * @param launcherIsWorker whether the launcher is also a worker, with the first index
 * @param suspended whether currently no pods are created ({@code spec.runPolicy.suspend})
 * @param managedBy the controller that creates its pods ({@code spec.runPolicy.managedBy}); empty
 *     for the MPI operator
 * @param conditions the state that its controller reports
 */
public record MPIJob(
    ObjectMeta metadata,
    @Nullable PodTemplate launcher,
    int workers,
    @Nullable PodTemplate worker,
    boolean launcherIsWorker,
    boolean suspended,
    String managedBy,
    List<Condition> conditions)
    implements PodController {

  private static final String CONTROLLER = "kubeflow.org/mpi-operator";

  /** Copies the list; rejects null. {@inheritDoc} */
  public MPIJob {
    Checks.value("MPIJob.metadata", metadata);
    Checks.value("MPIJob.managedBy", managedBy);
    conditions = Checks.list("MPIJob.conditions", conditions);
  }

  /**
   * {@return a new job of the same size for the MPI operator, not suspended, without conditions}
   *
   * @param name namespace and name of the job
   * @param launching the template of the launcher, or {@code null}
   * @param working the template of the workers; {@code null} for none
   */
  public MPIJob copy(
      ObjectMeta name, @Nullable PodTemplate launching, @Nullable PodTemplate working) {
    Objects.requireNonNull(name, "name");
    return new MPIJob(name, launching, workers, working, launcherIsWorker, false, "", List.of());
  }

  /**
   * Returns whether another controller creates the pods, perhaps in another cluster.
   *
   * <p>Source: {@code managedByExternalController} in {@code pkg/controller} of
   * github.com/kubeflow/mpi-operator.
   *
   * @return whether {@link #managedBy} names another controller than the MPI operator
   */
  public boolean isManagedElsewhere() {
    return !managedBy.isEmpty() && !managedBy.equals(CONTROLLER);
  }

  /** {@return whether the job creates no more pods: a condition reports success or failure} */
  public boolean isFinished() {
    return conditions.stream()
        .anyMatch(
            one ->
                one.status().equals("True")
                    && (one.type().equals("Succeeded") || one.type().equals("Failed")));
  }

  @Override
  public List<PodSpec> podSpecs() {
    return PodTemplate.specs(launcher(), worker());
  }
}
