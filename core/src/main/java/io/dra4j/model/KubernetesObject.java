package io.dra4j.model;

/** An object of the cluster that dra4j knows: it has metadata, and a kind that is its type here. */
public sealed interface KubernetesObject
    permits DaemonSet,
        Deployment,
        DeviceClass,
        DeviceTaintRule,
        Job,
        Node,
        Pod,
        PodGroup,
        ReplicaSet,
        ResourceClaim,
        ResourceClaimTemplate,
        ResourceSlice,
        StatefulSet {

  /**
   * The object's name, namespace, labels and annotations.
   *
   * @return the metadata
   */
  ObjectMeta metadata();
}
