package io.dra4j.model;

import com.google.common.collect.ImmutableMap;
import java.util.Map;

/**
 * A pod, as far as device allocation sees it.
 *
 * @param metadata namespace and name
 * @param spec where it runs and which claims it needs
 * @param resourceClaimNames names of the claims made for it, by the name of the entry in {@code
 *     spec.resourceClaims} ({@code status.resourceClaimStatuses}); empty text for an entry that
 *     needs no claim
 */
public record Pod(ObjectMeta metadata, PodSpec spec, Map<String, String> resourceClaimNames)
    implements KubernetesObject {

  /** Copies the map, keeping its order. {@inheritDoc} */
  public Pod {
    resourceClaimNames = ImmutableMap.copyOf(resourceClaimNames);
  }
}
