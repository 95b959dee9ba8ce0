package io.dra4j.placement;

import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.policy.PlacementPreference;
import io.dra4j.placement.internal.policy.PolicyEngine;
import io.dra4j.placement.internal.policy.PolicyName;
import io.dra4j.topology.TopologyOverlay;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses GPUs and NICs by the paths between them, which it derives from the attributes that their
 * drivers publish:
 *
 * <pre>{@code
 * Allocator allocator =
 *     Allocator.builder().selectors(CelSelectors.create()).policy(PlacementPolicy.best()).build();
 * }</pre>
 *
 * <p>Kubernetes could have made each allocation that a policy chooses, if it had tried the devices
 * in another order. The policy finds the best set exactly if all of these conditions hold: the node
 * has at most 64 GPUs and 64 NICs, the candidate GPUs are equal, the candidate NICs are equal, and
 * pairs share at most the link between sockets. In all other cases, the policy first finds by flows
 * the pairs with the most bandwidth of their own. It then examines sets one by one, in at most
 * 20,000 steps. If this does not show that no other set is faster, the score states that. The other
 * cases are: devices with different rates; requests for different devices of a kind; requests that
 * are tied by attributes that are not a level of the topology; pairs that share ports or fill the
 * uplinks of switches. If the policy finds no better set, it keeps the set that Kubernetes would
 * choose. Devices of requests without a choice, such as requests for all devices, count as parts of
 * the set.
 *
 * <p>A claim can state its preferences in its configuration for the driver {@code dra4j.io}: a JSON
 * object with {@code apiVersion: dra4j.io/v1alpha1}, {@code kind: Placement}, {@code policy} (one
 * of {@link #names()}) and {@code alignment}, which has {@code within} (the type of a path) and
 * {@code mode} ({@code Preferred} or {@code Required}). A claim with unknown fields is rejected.
 * Several claims of a pod are placed together: the first policy that a claim names applies, with
 * the nearest {@code within} that a claim requires, and the nearest {@code within} that a claim
 * prefers. A claim that requires devices near to each other does not fit on a node that is known to
 * have no such devices. If constraints, counters or too many devices prevent that knowledge, the
 * outcome is undecided.
 *
 * <p>Immutable, except for its caches of nodes; thread-safe.
 */
public final class PlacementPolicy implements AllocationPolicy {

  /** The driver whose configuration in a claim holds the preferences for policies. */
  public static final String PREFERENCES_DRIVER = PlacementPreference.DRIVER;

  static {
    PolicyEngine.giveAccess(policy -> ((PlacementPolicy) policy).engine);
  }

  private final PolicyEngine engine;

  private PlacementPolicy(
      PolicyName name, LinkModel model, Function<String, List<TopologyOverlay>> overlays) {
    this.engine = new PolicyEngine(name, model, overlays);
  }

  /**
   * {@return the policy {@code best}, which maximizes the bandwidth between GPUs and NICs} Among
   * equally fast sets, it prefers the nearest pairs, then the fewest NUMA nodes, then the set that
   * keeps the rest of the server most useful, then the devices that Kubernetes tries first.
   */
  public static PlacementPolicy best() {
    return of(PolicyName.BEST);
  }

  /**
   * {@return the policy {@code pack}, which keeps as much of the server as possible useful for
   * others: whole pairs, whole groups, whole NUMA nodes} Bandwidth counts only after that. On a
   * node with more than 64 GPUs or NICs only bandwidth counts, and the score states that.
   */
  public static PlacementPolicy pack() {
    return of(PolicyName.PACK);
  }

  /**
   * {@return the policy {@code spread}, which maximizes bandwidth and, among equally fast sets,
   * prefers the one spread over the most groups} On a node with more than 64 GPUs or NICs only
   * bandwidth counts, and the score states that.
   */
  public static PlacementPolicy spread() {
    return of(PolicyName.SPREAD);
  }

  /** {@return the policy {@code first-fit}: it chooses as Kubernetes does, and scores devices} */
  public static PlacementPolicy firstFit() {
    return of(PolicyName.FIRST_FIT);
  }

  /**
   * {@return the policy with a name}
   *
   * @param name one of {@link #names()}
   * @throws IllegalArgumentException if there is no such policy
   */
  public static PlacementPolicy of(String name) {
    Objects.requireNonNull(name, "name");
    return of(
        PolicyName.of(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "policy: expected one of "
                            + String.join(", ", names())
                            + ", found "
                            + name)));
  }

  private static PlacementPolicy of(PolicyName name) {
    return new PlacementPolicy(name, LinkModel.nccl(), node -> List.of());
  }

  /**
   * {@return whether a claim has parameters for the driver {@value #PREFERENCES_DRIVER}, which
   * state its preferences for policies} Does not check the parameters.
   *
   * @param claim the claim
   */
  public static boolean hasPreferences(ResourceClaim claim) {
    Objects.requireNonNull(claim, "claim");
    return claim.spec().config().stream()
        .anyMatch(
            config ->
                config.opaque() != null && config.opaque().driver().equals(PREFERENCES_DRIVER));
  }

  /** {@return the names {@code first-fit}, {@code best}, {@code pack}, {@code spread}} */
  public static List<String> names() {
    return PolicyName.NAMES;
  }

  /**
   * {@return the same policy with other link rates}
   *
   * @param rates the bandwidths of paths
   */
  public PlacementPolicy withLinkModel(LinkModel rates) {
    return new PlacementPolicy(
        engine.name(), Objects.requireNonNull(rates, "rates"), engine.overlays());
  }

  /**
   * {@return the same policy with overlays of nodes} Facts in an overlay override the attributes
   * that drivers publish.
   *
   * @param byNode returns the overlays for the name of a node; the last overlay wins. The policy
   *     calls it again when the slices of the node change. It must be thread-safe if several
   *     threads use the policy
   */
  public PlacementPolicy withOverlays(Function<String, List<TopologyOverlay>> byNode) {
    return new PlacementPolicy(
        engine.name(), engine.model(), Objects.requireNonNull(byNode, "byNode"));
  }

  /** {@return the name of this policy, one of {@link #names()}} */
  public String name() {
    return engine.name().toString();
  }

  @Override
  public boolean comparesNodes() {
    return engine.name() != PolicyName.FIRST_FIT;
  }

  @Override
  public Choice choose(PolicyContext question) throws BudgetExceededException {
    Objects.requireNonNull(question, "question");
    return engine.choose(question);
  }

  @Override
  public Optional<String> refuses(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    Objects.requireNonNull(question, "question");
    Objects.requireNonNull(devices, "devices");
    return engine.refuses(question, devices);
  }

  @Override
  public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
      throws BudgetExceededException {
    Objects.requireNonNull(question, "question");
    Objects.requireNonNull(devices, "devices");
    return engine.score(question, devices);
  }
}
