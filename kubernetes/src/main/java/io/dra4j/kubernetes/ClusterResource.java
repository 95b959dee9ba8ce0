package io.dra4j.kubernetes;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A resource of the Kubernetes API on which answers about devices depend. Its versions are the ones
 * that {@link io.dra4j.manifest.ManifestReader} reads, the preferred one first.
 */
public enum ClusterResource {
  /** Nodes: names, labels, taints. */
  NODES("", "v1", "nodes", "Node", false),
  /** ResourceSlices: the devices that drivers publish. */
  RESOURCE_SLICES(
      "resource.k8s.io", "v1 v1beta2 v1beta1", "resourceslices", "ResourceSlice", false),
  /** DeviceClasses. */
  DEVICE_CLASSES("resource.k8s.io", "v1 v1beta2 v1beta1", "deviceclasses", "DeviceClass", false),
  /** ResourceClaims of all namespaces; allocated claims hold devices. */
  RESOURCE_CLAIMS("resource.k8s.io", "v1 v1beta2 v1beta1", "resourceclaims", "ResourceClaim", true),
  /** DeviceTaintRules. Clusters before Kubernetes 1.37 serve them only if they are enabled. */
  DEVICE_TAINT_RULES(
      "resource.k8s.io", "v1 v1beta2 v1alpha3", "devicetaintrules", "DeviceTaintRule", false),
  /** ResourceClaimTemplates, for pods whose claims do not exist yet. */
  RESOURCE_CLAIM_TEMPLATES(
      "resource.k8s.io",
      "v1 v1beta2 v1beta1",
      "resourceclaimtemplates",
      "ResourceClaimTemplate",
      true),
  /** Pods. */
  PODS("", "v1", "pods", "Pod", true),
  /** PodGroups. Clusters serve them only if they are enabled. */
  POD_GROUPS("scheduling.k8s.io", "v1beta1 v1alpha3 v1alpha2", "podgroups", "PodGroup", true),
  /** Groups of PodGroups, since Kubernetes 1.37. Clusters serve them only if they are enabled. */
  COMPOSITE_POD_GROUPS(
      "scheduling.k8s.io", "v1beta1 v1alpha3", "compositepodgroups", "CompositePodGroup", true),
  /** ResourceQuotas, which limit the claims of namespaces. */
  RESOURCE_QUOTAS("", "v1", "resourcequotas", "ResourceQuota", true),
  /** Deployments. */
  DEPLOYMENTS("apps", "v1", "deployments", "Deployment", true),
  /** ReplicaSets, mostly created by Deployments. */
  REPLICA_SETS("apps", "v1", "replicasets", "ReplicaSet", true),
  /** StatefulSets. */
  STATEFUL_SETS("apps", "v1", "statefulsets", "StatefulSet", true),
  /** DaemonSets. */
  DAEMON_SETS("apps", "v1", "daemonsets", "DaemonSet", true),
  /** Jobs. */
  JOBS("batch", "v1", "jobs", "Job", true),
  /** MPIJobs, where the MPI Operator is installed. */
  MPI_JOBS("kubeflow.org", "v2beta1", "mpijobs", "MPIJob", true),
  /** JobSets, where their controller is installed. */
  JOB_SETS("jobset.x-k8s.io", "v1alpha2", "jobsets", "JobSet", true),
  /** LeaderWorkerSets, where their controller is installed. */
  LEADER_WORKER_SETS("leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "LeaderWorkerSet", true);

  private static final Set<ClusterResource> WORKLOADS =
      EnumSet.range(DEPLOYMENTS, LEADER_WORKER_SETS);

  private final String group;
  private final String versions; // the preferred one first, separated by blanks
  private final String plural;
  private final String kind;
  private final boolean isNamespaced;

  ClusterResource(String group, String versions, String plural, String kind, boolean isNamespaced) {
    this.group = group;
    this.versions = versions;
    this.plural = plural;
    this.kind = kind;
    this.isNamespaced = isNamespaced;
  }

  /** {@return the API group, for example {@code resource.k8s.io}; empty for the core group} */
  public String group() {
    return group;
  }

  /** {@return the name in paths and in access rules, for example {@code resourceslices}} */
  public String plural() {
    return plural;
  }

  /** {@return the kind of its objects, for example {@code ResourceSlice}} */
  public String kind() {
    return kind;
  }

  List<String> versions() {
    return List.of(versions.split(" "));
  }

  boolean isNamespaced() {
    return isNamespaced;
  }

  /** Whether a cluster may lack this resource: it is new, or not a part of Kubernetes itself. */
  boolean isOptional() {
    return this == DEVICE_TAINT_RULES
        || this == POD_GROUPS
        || this == COMPOSITE_POD_GROUPS
        || isWorkload();
  }

  /** Whether controllers create pods for its objects. */
  boolean isWorkload() {
    return WORKLOADS.contains(this);
  }

  /** {@return the name for {@code kubectl}, for example {@code resourceslices.resource.k8s.io}} */
  @Override
  public String toString() {
    return (group.isEmpty() ? plural : plural + "." + group).toLowerCase(Locale.ROOT);
  }
}
