package io.dra4j.allocation;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.allocation.internal.access.NodeSight;
import io.dra4j.allocation.internal.explain.NodeExplanation;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeSignature;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.inventory.internal.RelevantAttributes;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where in a cluster some claims fit. Works nodes out when they are asked for, and nodes that look
 * the same to the claims once: of a thousand servers that are full, few have to be searched.
 *
 * <pre>{@code
 * allocator.query(inventory, claims).firstAllocated().ifPresent(fit -> bind(pod, fit.node()));
 * }</pre>
 *
 * <p>{@link #first} reports faults, too: it stops where kube-scheduler does.
 *
 * <p>Thread-safe if the allocator's policy, rules and observer are.
 */
public final class ClusterQuery {

  private final AllocationEngine engine;
  private final DeviceInventory inventory;
  private final List<ResourceClaim> claims;
  private final Predicate<Node> among;
  private final boolean parallel;
  private final ClaimFootprint traits;
  private final SignatureCache<Boolean> unfit;
  private final Budget budget;

  ClusterQuery(
      AllocationEngine engine,
      DeviceInventory inventory,
      List<ResourceClaim> claims,
      ClaimFootprint traits) {
    this(
        engine,
        inventory,
        List.copyOf(claims),
        node -> true,
        false,
        traits,
        new SignatureCache<>(),
        Budget.unlimited());
  }

  private ClusterQuery(
      AllocationEngine engine,
      DeviceInventory inventory,
      List<ResourceClaim> claims,
      Predicate<Node> among,
      boolean parallel,
      ClaimFootprint traits,
      SignatureCache<Boolean> unfit,
      Budget budget) {
    this.engine = engine;
    this.inventory = inventory;
    this.claims = claims;
    this.among = among;
    this.parallel = parallel;
    this.traits = traits;
    this.unfit = unfit;
    this.budget = budget;
  }

  /**
   * The outcome of the claims on one node.
   *
   * @param node the name of the node
   * @param outcome the devices there, or why there are none
   */
  public record OnNode(String node, AllocationOutcome outcome) {}

  /**
   * Returns the same question about some of the nodes.
   *
   * @param nodes which nodes come into question
   * @return the question, which shares what is known of nodes with this one
   */
  public ClusterQuery among(Predicate<Node> nodes) {
    Objects.requireNonNull(nodes, "nodes");
    return new ClusterQuery(
        engine, inventory, claims, among.and(nodes), parallel, traits, unfit, budget);
  }

  /**
   * Returns the same question, to be answered within what the caller waits for all nodes together.
   * The {@link Allocator.Builder#timeout} of each node holds besides. Nodes that are asked after
   * that answer {@code Undecided}, which {@link #first} and {@link #fitting} give as any other
   * answer that is no lack of devices.
   *
   * @param budget how long the caller waits, and how the question is cancelled
   * @return the question, which shares what is known of nodes with this one
   */
  public ClusterQuery withBudget(Budget budget) {
    Objects.requireNonNull(budget, "budget");
    return new ClusterQuery(engine, inventory, claims, among, parallel, traits, unfit, budget);
  }

  /**
   * Returns the same question, asked of several nodes at a time, by the common pool of threads. The
   * answer is the same, except that IDs of shares may be given in another order.
   *
   * @return the question, which shares what is known of nodes with this one
   */
  public ClusterQuery parallel() {
    return new ClusterQuery(engine, inventory, claims, among, true, traits, unfit, budget);
  }

  /**
   * Finds the first node that does not lack devices: as kube-scheduler, which stops at a fault of
   * the claims too, and so says this method by an outcome that is not {@code Allocated}.
   *
   * @return the first node in the order of the inventory whose outcome is not {@code
   *     Unallocatable}; empty if there is none. Where it is {@code Rejected} or {@code Undecided},
   *     the claims have no devices there
   */
  public Optional<OnNode> first() {
    return fitting().findFirst();
  }

  /**
   * Finds the first node on which the claims get their devices, unless the claims or their
   * selectors are at fault on a node before it: kube-scheduler gives up on the pod there, and so
   * does this method.
   *
   * @return the first node that {@link #first} finds, if its outcome is {@code Allocated}; empty if
   *     it is another one, or there is none
   */
  public Optional<OnNode> firstAllocated() {
    return first().filter(fit -> fit.outcome() instanceof Allocated);
  }

  /**
   * Finds all nodes that do not lack devices, each for itself: as if the others did not exist.
   *
   * @return nodes whose outcome is not {@code Unallocatable}, in the order of the inventory, worked
   *     out as the stream is read
   */
  public Stream<OnNode> fitting() {
    Stream<Node> nodes = inventory.nodes().stream().filter(among);
    return (parallel ? nodes.parallel() : nodes).mapMulti(this::addUnlessMisfit);
  }

  /**
   * Asks about one node.
   *
   * @param node the name of the node
   * @return the devices, or why there are none
   */
  public AllocationOutcome on(String node) {
    Objects.requireNonNull(node, "node");
    AllocationOutcome outcome = unlessMisfit(node);
    return outcome == null ? engine.unfit(inventory, node, claims) : outcome;
  }

  private void addUnlessMisfit(Node node, Consumer<OnNode> fitting) {
    AllocationOutcome outcome = unlessMisfit(node.name());
    if (outcome != null && !(outcome instanceof Unallocatable)) {
      fitting.accept(new OnNode(node.name(), outcome));
    }
  }

  /** The outcome of the claims on a node, mostly without a search; null if they lack devices. */
  private @Nullable AllocationOutcome unlessMisfit(String node) {
    Budget forNode = engine.forOneNode(budget);
    NodeSignature shape = sight(node, forNode).flatMap(NodeSight::shape).orElse(null);
    if (shape != null && unfit.get(shape) != null) {
      engine.skipped(node);
      return null;
    }
    AllocationOutcome outcome = engine.search(inventory, node, claims, forNode);
    if (shape != null
        && outcome instanceof Unallocatable lacking
        && lacking.explanation() instanceof NodeExplanation explanation
        && explanation.isAboutDevices()) {
      unfit.put(shape, true);
    }
    return outcome;
  }

  /**
   * Says why the claims do not fit, over all nodes in question: those that look the same to the
   * claims are asked once.
   *
   * @param budget how long the caller waits; nodes that are not asked by then are counted as such
   * @return the reasons, each with its nodes
   */
  public ClusterExplanation explain(Budget budget) {
    Objects.requireNonNull(budget, "budget");
    return ClusterExplainer.explain(
        this, inventory.nodes().stream().filter(among).toList(), budget);
  }

  /** Explains an outcome that is no allocation. */
  Explanation explain(Node node, AllocationOutcome outcome) {
    return engine.explain(inventory, node, claims, outcome, engine.forOneNode(budget));
  }

  /** What the claims see of a node; null if it is like no other. */
  @Nullable NodeSignature shapeOf(String node) {
    return sight(node).flatMap(NodeSight::shape).orElse(null);
  }

  /** As {@link AllocatorAccess#sight}. */
  Optional<NodeSight> sight(String node) {
    Objects.requireNonNull(node, "node");
    return sight(node, engine.forOneNode(budget));
  }

  private Optional<NodeSight> sight(String node, Budget forNode) {
    try {
      forNode.check();
      NodeView view = engine.view(inventory, node, forNode);
      if (view == null) {
        return Optional.empty();
      }
      RelevantAttributes seen = traits.traits(forNode).orElse(null);
      NodeSignature shape =
          seen == null ? null : view.shape(InventoryAccess.stateOf(inventory), seen, forNode);
      return Optional.of(new NodeSight(view, Optional.ofNullable(shape)));
    } catch (NodeSelectorException | BudgetExceededException e) {
      return Optional.empty();
    }
  }
}
