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
 * Chooses GPUs and NICs by what lies between them, from what their drivers publish:
 *
 * <pre>{@code
 * Allocator allocator =
 *     Allocator.builder().selectors(CelSelectors.create()).policy(PlacementPolicy.best()).build();
 * }</pre>
 *
 * <p>An allocation that a policy chooses is one that Kubernetes might have made, with other devices
 * in another order. Where a node has at most 64 GPUs and 64 NICs, the GPUs in question are equal,
 * and so are the NICs, and pairs share no more than the link between sockets, the best set is found
 * exactly. In all other cases, the pairs that carry most by themselves are found by flows, and then
 * sets are looked at one by one, 20,000 steps at most; the score says so where that does not show
 * that no other set is faster. These are devices that differ in their rates, requests that want
 * different devices of a kind or are tied by attributes that are no level of the topology, and
 * pairs that share ports or fill the uplinks of switches. What Kubernetes would choose stays where
 * nothing better is found, and devices of requests that leave no choice, as those for all devices,
 * count as parts of the set.
 *
 * <p>A claim can say what it wants in its configuration for the driver {@code dra4j.io}: a JSON
 * object with {@code apiVersion: dra4j.io/v1alpha1}, {@code kind: Placement}, {@code policy} (one
 * of {@link #names()}) and {@code alignment}, which has {@code within} (the type of a path) and
 * {@code mode} ({@code Preferred} or {@code Required}). Unknown fields are a fault of the claim.
 * Several claims of a pod are placed together: the first policy that one names counts, the nearest
 * {@code within} that one requires, and the nearest one that one prefers. A claim that requires
 * devices near to each other does not fit where it is known that there are none; where that is not
 * known, since constraints, counters or too many devices stand against it, it is undecided.
 *
 * <p>Immutable, except for what is remembered of nodes; thread-safe.
 */
public final class PlacementPolicy implements AllocationPolicy {

  /** The driver in whose configuration a claim says what it wants of policies. */
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
   * Returns the policy that wants the most bandwidth between GPUs and NICs; of equally fast sets
   * the nearest pairs, then the fewest NUMA nodes, then what keeps the rest of the server most
   * useful, then the devices that Kubernetes tries first.
   *
   * @return the policy {@code best}
   */
  public static PlacementPolicy best() {
    return of(PolicyName.BEST);
  }

  /**
   * Returns the policy that keeps most of the server useful for others: whole pairs, whole groups,
   * whole NUMA nodes. Only then does bandwidth count. On a node with more than 64 GPUs or NICs
   * bandwidth alone counts, which the score says.
   *
   * @return the policy {@code pack}
   */
  public static PlacementPolicy pack() {
    return of(PolicyName.PACK);
  }

  /**
   * Returns the policy that wants the most bandwidth, and of equally fast sets the one that is
   * spread over most groups of devices. On a node with more than 64 GPUs or NICs bandwidth alone
   * counts, which the score says.
   *
   * @return the policy {@code spread}
   */
  public static PlacementPolicy spread() {
    return of(PolicyName.SPREAD);
  }

  /**
   * Returns the policy that chooses as Kubernetes does, and scores what that is worth.
   *
   * @return the policy {@code first-fit}
   */
  public static PlacementPolicy firstFit() {
    return of(PolicyName.FIRST_FIT);
  }

  /**
   * Returns a policy by its name.
   *
   * @param name one of {@link #names()}
   * @return the policy
   * @throws IllegalArgumentException if there is no such policy
   */
  public static PlacementPolicy of(String name) {
    Objects.requireNonNull(name, "name");
    return of(
        PolicyName.of(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "policy: want one of " + String.join(", ", names()) + ", got " + name)));
  }

  private static PlacementPolicy of(PolicyName name) {
    return new PlacementPolicy(name, LinkModel.nccl(), node -> List.of());
  }

  /**
   * Returns whether a claim says what it wants of a policy: whether it has parameters for the
   * driver {@value #PREFERENCES_DRIVER}, whatever they say.
   *
   * @param claim the claim
   * @return whether it has any
   */
  public static boolean hasPreferences(ResourceClaim claim) {
    Objects.requireNonNull(claim, "claim");
    return claim.spec().config().stream()
        .anyMatch(
            config ->
                config.opaque() != null && config.opaque().driver().equals(PREFERENCES_DRIVER));
  }

  /**
   * Returns the names of all policies.
   *
   * @return {@code first-fit}, {@code best}, {@code pack}, {@code spread}
   */
  public static List<String> names() {
    return PolicyName.NAMES;
  }

  /**
   * Returns the same policy with other link rates.
   *
   * @param rates what paths carry
   * @return the policy
   */
  public PlacementPolicy withLinkModel(LinkModel rates) {
    return new PlacementPolicy(
        engine.name(), Objects.requireNonNull(rates, "rates"), engine.overlays());
  }

  /**
   * Returns the same policy that also knows what others recorded about nodes, which wins over what
   * drivers publish.
   *
   * @param byNode gives the overlays of the node of some name, the last one wins; asked again when
   *     the slices of the node change. Must be thread-safe if the policy is used so
   * @return the policy
   */
  public PlacementPolicy withOverlays(Function<String, List<TopologyOverlay>> byNode) {
    return new PlacementPolicy(
        engine.name(), engine.model(), Objects.requireNonNull(byNode, "byNode"));
  }

  /**
   * Returns the name of this policy.
   *
   * @return one of {@link #names()}
   */
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
