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
 * A query for the nodes of a cluster on which some claims fit. Searches nodes on demand, and nodes
 * that are equivalent for the claims only once: of a thousand full servers, few have to be
 * searched.
 *
 * <pre>{@code
 * allocator.query(inventory, claims).firstAllocated().ifPresent(fit -> bind(pod, fit.node()));
 * }</pre>
 *
 * <p>{@link #first} also reports errors of the claims: it stops at the same node as kube-scheduler.
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
    this.engine = engine;
    this.inventory = inventory;
    this.claims = List.copyOf(claims);
    this.among = node -> true;
    this.parallel = false;
    this.traits = traits;
    this.unfit = new SignatureCache<>();
    this.budget = Budget.unlimited();
  }

  private ClusterQuery(ClusterQuery query, Predicate<Node> among, boolean parallel, Budget budget) {
    this.engine = query.engine;
    this.inventory = query.inventory;
    this.claims = query.claims;
    this.among = among;
    this.parallel = parallel;
    this.traits = query.traits;
    this.unfit = query.unfit;
    this.budget = budget;
  }

  /**
   * The outcome of the claims on one node.
   *
   * @param node the name of the node
   * @param outcome the devices there, or the reason why there are none
   */
  public record OnNode(String node, AllocationOutcome outcome) {}

  /**
   * {@return a query for some of the nodes, which shares the results of nodes with this one}
   *
   * @param nodes returns whether a node is a candidate
   */
  public ClusterQuery among(Predicate<Node> nodes) {
    Objects.requireNonNull(nodes, "nodes");
    return new ClusterQuery(this, among.and(nodes), parallel, budget);
  }

  /**
   * {@return this query with a budget for all nodes together; it shares the results of nodes} The
   * {@link Allocator.Builder#timeout} of each node applies in addition. Once the budget is used up,
   * every further node is {@code Undecided}; {@link #first} and {@link #fitting} return such nodes.
   *
   * @param budget the limit of the caller, which can also cancel the query
   */
  public ClusterQuery withBudget(Budget budget) {
    Objects.requireNonNull(budget, "budget");
    return new ClusterQuery(this, among, parallel, budget);
  }

  /**
   * {@return this query, which then searches several nodes at the same time in the common thread
   * pool, and shares the results of nodes with this one} The answers are equal, except that IDs of
   * shares may be assigned in another order.
   */
  public ClusterQuery parallel() {
    return new ClusterQuery(this, among, true, budget);
  }

  /**
   * {@return the first node in the order of the inventory whose outcome is not {@code
   * Unallocatable}; empty if there is none} Like kube-scheduler, it also stops at an error of the
   * claims: if the outcome is {@code Rejected} or {@code Undecided}, the claims have no devices
   * there.
   */
  public Optional<OnNode> first() {
    return fitting().findFirst();
  }

  /**
   * {@return the node that {@link #first} finds, if its outcome is {@code Allocated}; otherwise
   * empty} Thus it is empty if the claims or their selectors have an error on an earlier node,
   * because kube-scheduler also stops there.
   */
  public Optional<OnNode> firstAllocated() {
    return first().filter(fit -> fit.outcome() instanceof Allocated);
  }

  /**
   * {@return the nodes whose outcome is not {@code Unallocatable}, in the order of the inventory}
   * Each node is searched independently of the others, as the stream is read.
   */
  public Stream<OnNode> fitting() {
    Stream<Node> nodes = inventory.nodes().stream().filter(among);
    return (parallel ? nodes.parallel() : nodes).mapMulti(this::addUnlessMisfit);
  }

  /**
   * {@return the outcome for one node: the devices, or the reason why there are none}
   *
   * @param node the name of the node
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

  /** The outcome of the claims on a node, usually without a search; null if devices are lacking. */
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
   * {@return the reasons why the claims do not fit on the candidate nodes, each with its nodes}
   * Nodes that are equivalent for the claims are explained once.
   *
   * @param budget the limit of the caller; nodes not checked by then are counted separately
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

  /** A node's properties that the claims depend on; null if it must not be compared with others. */
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
