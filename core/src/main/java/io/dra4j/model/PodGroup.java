package io.dra4j.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods that are scheduled together ({@code scheduling.k8s.io/v1alpha2}, Kubernetes 1.36; fields as
 * in {@code k8s.io/api/scheduling/v1alpha2/types.go}), as far as device allocation sees them.
 *
 * @param metadata namespace and name
 * @param minCount how many pods have to be schedulable at a time for any to be ({@code
 *     spec.schedulingPolicy.gang}), or {@code null} for a group that is no gang
 * @param topologyKeys node labels in whose value all nodes of the group have to agree ({@code
 *     spec.schedulingConstraints.topology})
 * @param resourceClaims the claims that its pods share, if they list them alike
 * @param resourceClaimNames names of the claims made for it, by the name of the entry ({@code
 *     status.resourceClaimStatuses})
 */
public record PodGroup(
    ObjectMeta metadata,
    @Nullable Integer minCount,
    List<String> topologyKeys,
    List<PodResourceClaim> resourceClaims,
    Map<String, String> resourceClaimNames)
    implements KubernetesObject {

  /** Copies lists and map, keeping their order. {@inheritDoc} */
  public PodGroup {
    topologyKeys = NoNulls.list("PodGroup.topologyKeys", topologyKeys);
    resourceClaims = NoNulls.list("PodGroup.resourceClaims", resourceClaims);
    resourceClaimNames = NoNulls.map("PodGroup.resourceClaimNames", resourceClaimNames);
  }
}
