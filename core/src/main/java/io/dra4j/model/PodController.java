package io.dra4j.model;

import java.util.List;

/**
 * An object of which a controller makes pods. Each kind has its template, or its templates, and its
 * own way to say how many pods there are and what their names are.
 */
public sealed interface PodController extends KubernetesObject
    permits DaemonSet, Deployment, Job, JobSet, LeaderWorkerSet, MPIJob, ReplicaSet, StatefulSet {

  /**
   * Returns what its pods are made of.
   *
   * @return the specification in each of its templates, in the order of its fields
   */
  List<PodSpec> podSpecs();
}
