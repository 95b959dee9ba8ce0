package io.dra4j.model;

/** An object of a cluster, with metadata. Each supported kind implements this interface. */
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

  /** {@return the object's metadata: its name, namespace, labels and annotations} */
  ObjectMeta metadata();
}
