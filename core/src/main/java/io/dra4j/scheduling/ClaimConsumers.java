package io.dra4j.scheduling;

import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import java.util.HashSet;
import java.util.Set;

/**
 * The consumers for which a claim is reserved: the consumers in its status, and later ones.
 * kube-scheduler does not count them, but the API server rejects more of them when it binds the
 * pod.
 */
final class ClaimConsumers {

  private final Set<String> known = new HashSet<>(); // UIDs, or resources with names
  private int count;

  ClaimConsumers(ResourceClaim claim) {
    claim
        .status()
        .reservedFor()
        .forEach(
            consumer -> {
              known.add(consumer.uid());
              known.add(id(consumer.resource(), consumer.name(), ""));
              count++;
            });
  }

  /** The identity of a consumer: its UID, or its name if no UID is given. */
  static String id(String resource, String name, String uid) {
    return uid.isEmpty() ? resource + "/" + name : uid;
  }

  /** The number of consumers for which the claim is reserved. */
  int count() {
    return count;
  }

  /** Whether the claim is reserved for a consumer. */
  boolean has(String id) {
    return known.contains(id);
  }

  /** Whether the claim is reserved for a consumer, or can be. */
  boolean canTake(String id) {
    return count < ResourceClaimStatus.MAX_CONSUMERS || has(id);
  }

  /** Reserves the claim for a consumer that {@link #canTake} accepts. */
  void take(String id) {
    count += known.add(id) ? 1 : 0;
  }
}
