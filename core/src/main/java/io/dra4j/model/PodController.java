package io.dra4j.model;

import java.util.List;

/**
 * An object from which a controller creates pods. Each kind has one or more templates, and its own
 * rules for the number and the names of the pods.
 */
public sealed interface PodController extends KubernetesObject
    permits DaemonSet, Deployment, Job, JobSet, LeaderWorkerSet, MPIJob, ReplicaSet, StatefulSet {

  /** {@return the pod specification in each of its templates, in the order of its fields} */
  List<PodSpec> podSpecs();
}
