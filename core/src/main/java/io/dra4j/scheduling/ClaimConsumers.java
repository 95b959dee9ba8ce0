package io.dra4j.scheduling;

import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import java.util.HashSet;
import java.util.Set;

/**
 * For whom a claim is reserved: those of its status, and those who come to use it. kube-scheduler
 * does not count them, but the API server refuses to write more of them when it binds the pod.
 */
final class ClaimConsumers {

  private final Set<String> known = new HashSet<>(); // UIDs, and names behind their resources
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

  /** What a consumer is known by: its UID, where none is given its name. */
  static String id(String resource, String name, String uid) {
    return uid.isEmpty() ? resource + "/" + name : uid;
  }

  /** For how many the claim is reserved. */
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

  /** Reserves the claim for a consumer that it can take. */
  void take(String id) {
    count += known.add(id) ? 1 : 0;
  }
}
