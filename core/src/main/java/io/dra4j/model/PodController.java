package io.dra4j.model;

/**
 * An object of which a controller makes pods. Each kind has its template, or its templates, and its
 * own way to say how many pods there are and what their names are.
 */
public sealed interface PodController extends KubernetesObject
    permits DaemonSet, Deployment, Job, JobSet, LeaderWorkerSet, MPIJob, ReplicaSet, StatefulSet {}
