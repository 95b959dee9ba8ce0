package io.dra4j.model;

/**
 * An object of a cluster, with metadata. Each supported kind is a type that implements this
 * interface.
 */
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
   * Returns the object's name, namespace, labels and annotations.
   *
   * @return the metadata
   */
  ObjectMeta metadata();
}
