package io.dra4j.model;

/** An object of the cluster that dra4j knows: it has metadata, and a kind that is its type here. */
public sealed interface KubernetesObject
    permits DeviceClass,
        DeviceTaintRule,
        GenericPodGroup,
        Node,
        Pod,
        PodController,
        ResourceClaim,
        ResourceClaimTemplate,
        ResourceQuota,
        ResourceSlice,
        Workload {

  /**
   * The object's name, namespace, labels and annotations.
   *
   * @return the metadata
   */
  ObjectMeta metadata();
}
