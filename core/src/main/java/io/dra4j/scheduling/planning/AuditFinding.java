package io.dra4j.scheduling.planning;

import io.dra4j.common.PrintableText;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceId;
import java.util.List;

/** An inconsistency in a cluster. There are six kinds. */
public sealed interface AuditFinding {

  /** {@return the object and its inconsistency, in one sentence for readers} */
  String text();

  /**
   * Several claims have a device that only one claim can have: none of them has it as a share or
   * for admin access.
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
   * A claim has devices, but all pods that used them have ended or no longer exist.
   *
   * @param claim the claim
   * @param pods the pods for which it was reserved or created; empty if there were none
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
          : "ResourceClaim %s: has devices, and its pods have ended or no longer exist: %s"
              .formatted(claim, list(pods));
    }
  }

  /**
   * The number of slices of a pool differs from the published number, so that its devices cannot be
   * allocated.
   *
   * @param pool the pool
   * @param slices the number of existing slices of its newest generation
   * @param wanted the number of slices that the pool publishes
   */
  record IncompletePool(PoolId pool, int slices, long wanted) implements AuditFinding {

    @Override
    public String text() {
      return "pool %s: has %d ResourceSlices of its newest generation, but its slices state resourceSliceCount %d"
          .formatted(pool, slices, wanted);
    }
  }

  /**
   * Drift: the allocation of a claim is no longer valid. The allocator would refuse these devices
   * on their node now, with all other claims unchanged.
   *
   * @param claim the claim
   * @param node the node of its devices
   * @param reason the reason of the refusal
   */
  record Drift(ClaimKey claim, String node, String reason) implements AuditFinding {

    @Override
    public String text() {
      return "ResourceClaim %s: would not get its devices on node %s again: %s"
          .formatted(claim, node, reason);
    }
  }

  /**
   * It is not known whether the allocation of a claim is still valid.
   *
   * @param claim the claim
   * @param reason the reason why it is not known
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
