package io.dra4j.placement.gang;

import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A pod of a gang.
 *
 * @param name how messages name the pod
 * @param claims the claims that it uses; those with an allocation stay as they are, and determine
 *     where the pod may run. Members may share claims, which then have to be equal
 * @param nodes where else the pod may run; equal predicates for members that may run on the same
 *     nodes make gangs faster
 */
public record GangMember(String name, List<ResourceClaim> claims, Predicate<Node> nodes) {

  /** Copies the list. {@inheritDoc} */
  public GangMember {
    Objects.requireNonNull(name, "name");
    claims = List.copyOf(Objects.requireNonNull(claims, "claims"));
    Objects.requireNonNull(nodes, "nodes");
  }

  /**
   * Makes a member that may run on any node.
   *
   * @param name how messages name the pod
   * @param claims the claims that it uses
   * @return the member
   */
  public static GangMember anywhere(String name, List<ResourceClaim> claims) {
    return new GangMember(name, claims, GangMember::anyNode);
  }

  private static boolean anyNode(Node node) {
    return true;
  }
}
