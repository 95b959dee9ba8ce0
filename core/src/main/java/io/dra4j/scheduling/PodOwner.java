package io.dra4j.scheduling;

import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.PodController;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.StatefulSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The controller of a pod. Two values are equal if they identify the same object.
 *
 * @param kind the kind of the controller
 * @param namespace the namespace of the controller and its pods
 * @param name the name of the controller
 */
record PodOwner(Kind kind, String namespace, String name) {

  /** The kinds of controllers that create pods. */
  enum Kind {
    STATEFUL_SET(StatefulSet.class, "apps/", true),
    REPLICA_SET(ReplicaSet.class, "apps/", false),
    DEPLOYMENT(Deployment.class, "apps/", false),
    DAEMON_SET(DaemonSet.class, "apps/", false),
    JOB(Job.class, "batch/", true),
    MPI_JOB(MPIJob.class, "kubeflow.org/", true),
    JOB_SET(JobSet.class, "jobset.x-k8s.io/", true),
    LEADER_WORKER_SET(LeaderWorkerSet.class, "leaderworkerset.x-k8s.io/", true);

    private static final Map<String, Kind> BY_NAME = new HashMap<>();

    static {
      for (Kind kind : values()) {
        BY_NAME.put(kind.type.getSimpleName(), kind);
      }
    }

    private final Class<? extends PodController> type;
    private final String group; // with the slash that ends it
    private final boolean isGang;

    Kind(Class<? extends PodController> type, String group, boolean isGang) {
      this.type = type;
      this.group = group;
      this.isGang = isGang;
    }

    /** Returns the name of the kind in manifests. */
    @Override
    public String toString() {
      return type.getSimpleName();
    }

    static Kind of(PodController object) {
      for (Kind kind : values()) {
        if (kind.type.isInstance(object)) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind for " + object.getClass());
    }
  }

  /** The owner of the pods of an object. */
  static PodOwner of(PodController object) {
    ObjectMeta metadata = object.metadata();
    return new PodOwner(Kind.of(object), metadata.namespaceOrDefault(), metadata.name());
  }

  /** The owner that a reference names, if it is the controller and of a kind that creates pods. */
  static Optional<PodOwner> of(OwnerReference owner, String namespace) {
    Kind kind = Kind.BY_NAME.get(owner.kind());
    if (kind == null || !owner.controller()) {
      return Optional.empty();
    }
    boolean isOfGroup = owner.apiVersion().isEmpty() || owner.apiVersion().startsWith(kind.group);
    return isOfGroup ? Optional.of(new PodOwner(kind, namespace, owner.name())) : Optional.empty();
  }

  /** Whether the controller's pods belong together, as those of a StatefulSet or of any job do. */
  boolean isGang() {
    return kind.isGang;
  }

  /** Returns the name of the controller in messages: {@code Job default/train}. */
  @Override
  public String toString() {
    return kind + " " + namespace + "/" + name;
  }
}
