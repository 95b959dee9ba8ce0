package io.dra4j.scheduling.planning;

import io.dra4j.common.PrintableText;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.List;

/** What is amiss in a cluster. Exactly one of six. */
public sealed interface AuditFinding {

  /**
   * Says what is amiss and about which object.
   *
   * @return one sentence, for people
   */
  String text();

  /**
   * Several claims have a device that can be in one only: none of them has it as a share or for
   * admin access.
   *
   * @param device the device
   * @param claims the claims, in the order of the cluster
   */
  record HeldTwice(DeviceId device, List<ClaimKey> claims) implements AuditFinding {

    /** Copies the list. {@inheritDoc} */
    public HeldTwice {
      claims = List.copyOf(claims);
    }

    @Override
    public String text() {
      return "device " + device + ": is held by " + claims.size() + " claims: " + list(claims);
    }
  }

  /**
   * A claim has a device that no ResourceSlice publishes.
   *
   * @param claim the claim
   * @param device the device
   */
  record NotPublished(ClaimKey claim, DeviceId device) implements AuditFinding {

    @Override
    public String text() {
      return "ResourceClaim %s: has the device %s, which no ResourceSlice publishes"
          .formatted(claim, device);
    }
  }

  /**
   * A claim has devices, and no pod that uses them is there.
   *
   * @param claim the claim
   * @param pods the pods that it was reserved or made for; none if there were none
   */
  record WithoutPod(ClaimKey claim, List<String> pods) implements AuditFinding {

    /** Copies the list. {@inheritDoc} */
    public WithoutPod {
      pods = List.copyOf(pods);
    }

    @Override
    public String text() {
      return pods.isEmpty()
          ? "ResourceClaim %s: has devices and is reserved for no pod".formatted(claim)
          : "ResourceClaim %s: has devices, and its pods are gone: %s".formatted(claim, list(pods));
    }
  }

  /**
   * The slices of a pool are not those that it says it has, so that its devices cannot be
   * allocated.
   *
   * @param pool the pool
   * @param slices how many slices of its newest generation are there
   * @param wanted how many it says it has
   */
  record IncompletePool(PoolId pool, int slices, long wanted) implements AuditFinding {

    @Override
    public String text() {
      return "pool %s: has %d ResourceSlices of its newest generation and says it has %d"
          .formatted(pool, slices, wanted);
    }
  }

  /**
   * The allocation of a claim would not be made again: the allocator refuses these devices on their
   * node, with all other claims as they are.
   *
   * @param claim the claim
   * @param node the node of its devices
   * @param reason why they are refused
   */
  record Drift(ClaimKey claim, String node, String reason) implements AuditFinding {

    @Override
    public String text() {
      return "ResourceClaim %s: would not get its devices on node %s again: %s"
          .formatted(claim, node, reason);
    }
  }

  /**
   * It is not known whether the allocation of a claim would be made again.
   *
   * @param claim the claim
   * @param reason why it is not known
   */
  record NotReplayed(ClaimKey claim, String reason) implements AuditFinding {

    @Override
    public String text() {
      return "ResourceClaim %s: was not replayed: %s".formatted(claim, reason);
    }
  }

  private static String list(List<?> names) {
    return PrintableText.some(names, 8, String::valueOf);
  }
}
