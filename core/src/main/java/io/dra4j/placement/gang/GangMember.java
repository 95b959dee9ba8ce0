package io.dra4j.placement.gang;

import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A pod of a gang.
 *
 * @param name the name of the pod in messages
 * @param claims the claims that the pod uses. Claims with an allocation stay unchanged, and
 *     determine where the pod may run. If members share a claim, their copies of the claim must be
 *     equal
 * @param nodes returns whether the pod may run on a node, apart from its claims. Placement is
 *     faster if members that may run on the same nodes have equal predicates
 */
public record GangMember(String name, List<ResourceClaim> claims, Predicate<Node> nodes) {

  /** Copies the list. {@inheritDoc} */
  public GangMember {
    Objects.requireNonNull(name, "name");
    claims = List.copyOf(Objects.requireNonNull(claims, "claims"));
    Objects.requireNonNull(nodes, "nodes");
  }

  /**
   * {@return a member that may run on any node}
   *
   * @param name the name of the pod in messages
   * @param claims the claims that it uses
   */
  public static GangMember anywhere(String name, List<ResourceClaim> claims) {
    return new GangMember(name, claims, GangMember::anyNode);
  }

  private static boolean anyNode(Node node) {
    return true;
  }
}
