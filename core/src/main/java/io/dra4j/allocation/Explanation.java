package io.dra4j.allocation;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why claims do not fit on a node, for the person who wrote them. Worked out each time it is asked
 * for, within the timeout of the allocator: a scheduler that merely goes on to the next node pays
 * nothing for it.
 *
 * <p>Keeps four references (32 bytes), to the allocator, the inventory, the node and the list of
 * claims, which is the caller's own if it is immutable. Explanations of any number of nodes share
 * all of them. Where the policy of the allocator refused, it keeps the reason besides.
 */
public final class Explanation {

  private final Allocator allocator;
  private final DeviceInventory inventory;
  private final Node node;
  private final List<ResourceClaim> claims;
  private final @Nullable String policyReason;

  Explanation(
      Allocator allocator, DeviceInventory inventory, Node node, List<ResourceClaim> claims) {
    this(allocator, inventory, node, claims, null);
  }

  /**
   * Makes an explanation.
   *
   * @param policyReason why the policy refused; null if it was not the policy
   */
  Explanation(
      Allocator allocator,
      DeviceInventory inventory,
      Node node,
      List<ResourceClaim> claims,
      @Nullable String policyReason) {
    this.policyReason = policyReason;
    this.allocator = allocator;
    this.inventory = inventory;
    this.node = node;
    this.claims = claims;
  }

  /**
   * The reasons, the most telling one first. Each is one sentence about one request, constraint or
   * pool; the last one may say that working out more took too long.
   *
   * @return at least one line
   */
  public List<String> lines() {
    return policyReason != null
        ? List.of(policyReason)
        : allocator.explain(inventory, node, claims);
  }

  /**
   * The most telling reason.
   *
   * @return one line
   */
  public String summary() {
    return lines().get(0);
  }

  /**
   * The pools of the node whose slices contradict each other. Where there are any, Kubernetes
   * reports an error of the node rather than a lack of devices.
   *
   * @return {@code driver/pool: reason} for each
   */
  public List<String> invalidPools() {
    return allocator.invalidPools(inventory, node);
  }

  /** All lines, one below the other. */
  @Override
  public String toString() {
    return String.join("\n", lines());
  }
}
