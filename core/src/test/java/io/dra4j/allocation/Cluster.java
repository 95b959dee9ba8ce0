package io.dra4j.allocation;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.internal.explain.AdvisorRun;
import io.dra4j.allocation.internal.explain.ExplanationSource;
import io.dra4j.allocation.internal.request.Quirk;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.HeldDevices;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A small cluster for tests: one node {@code n}, whose devices are given by the test. */
public final class Cluster {

  /**
   * A language of its own, so that these tests need no CEL: {@code any}, {@code driver=X}, {@code
   * NAME} (a boolean attribute that is an error where it is missing), {@code broken}; and for
   * derived attributes the name of the attribute to copy.
   */
  public static final class Words implements SelectorCompiler {

    public final AtomicInteger evaluations = new AtomicInteger();

    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      if (expression.equals("broken")) {
        throw new SelectorException("syntax error");
      }
      return (driver, device) -> {
        evaluations.incrementAndGet();
        if (expression.equals("any")) {
          return true;
        }
        if (expression.startsWith("driver=")) {
          return driver.equals(expression.substring("driver=".length()));
        }
        DeviceAttribute value = device.attributes().get(expression);
        if (value == null) {
          throw new SelectorException("no such key: " + expression);
        }
        return value.equals(DeviceAttribute.of(true));
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      if (expression.equals("broken")) {
        throw new SelectorException("syntax error");
      }
      return (driver, device) -> {
        DeviceAttribute value = device.attributes().get(expression);
        if (value == null) {
          throw new SelectorException("no such key: " + expression);
        }
        return value;
      };
    }
  }

  private final List<KubernetesObject> objects = new ArrayList<>();
  public final Words words = new Words();

  public Cluster() {
    add(Node.named("n"), DeviceClass.named("any"));
    add(DeviceClass.named("gpu", "driver=gpu"), DeviceClass.named("nic", "driver=nic"));
  }

  public static Cluster of(KubernetesObject... objects) {
    return new Cluster().add(objects);
  }

  /** A cluster whose node has one pool of these devices of the driver {@code gpu}. */
  public static Cluster withDevices(Device... devices) {
    return of(ResourceSlice.onNode("slice", "gpu", "n", List.of(devices)));
  }

  /** A cluster whose node has this many plain devices {@code d0}, {@code d1} and so on. */
  public static Cluster withDevices(int count) {
    return withDevices(
        IntStream.range(0, count)
            .mapToObj(i -> Device.named("d" + i).build())
            .toArray(Device[]::new));
  }

  public Cluster add(KubernetesObject... more) {
    objects.addAll(Arrays.asList(more));
    return this;
  }

  public DeviceInventory inventory() {
    return DeviceInventory.of(ClusterSnapshot.of(objects));
  }

  public AllocationOutcome allocate(ResourceClaim... claims) {
    return allocate(Allocator.builder(), claims);
  }

  public AllocationOutcome allocate(Allocator.Builder allocator, ResourceClaim... claims) {
    AtomicInteger shares = new AtomicInteger();
    return allocator
        .selectors(words)
        .shareIds(() -> "share-" + shares.incrementAndGet())
        .build()
        .allocate(inventory(), "n", List.of(claims));
  }

  /** What explanations ask of an allocator. */
  public static ExplanationSource sourceOf(Allocator allocator) {
    return allocator.engine;
  }

  /** That these claims do not fit on the node, for advisors. */
  public AdvisorRun problem(List<Reason> refusals, ResourceClaim... claims) {
    return new AdvisorRun(
        sourceOf(Allocator.builder().selectors(words).build()),
        inventory(),
        "n",
        List.of(claims),
        refusals,
        Budget.unlimited());
  }

  /** What a search on the node works with. */
  public SearchContext context(DeviceInventory inventory, Compatibility compatibility)
      throws NodeSelectorException, BudgetExceededException {
    return context(inventory, Feature.kubernetes(), compatibility);
  }

  public SearchContext context(
      DeviceInventory inventory, Set<Feature> features, Compatibility compatibility)
      throws NodeSelectorException, BudgetExceededException {
    return context(inventory, features, compatibility, List.of());
  }

  public SearchContext context(
      DeviceInventory inventory,
      Set<Feature> features,
      Compatibility compatibility,
      List<ClaimRule> rules)
      throws NodeSelectorException, BudgetExceededException {
    return context(inventory, features, compatibility, rules, Budget.unlimited());
  }

  public SearchContext context(
      DeviceInventory inventory,
      Set<Feature> features,
      Compatibility compatibility,
      List<ClaimRule> rules,
      Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    NodeView view =
        Objects.requireNonNull(
            InventoryAccess.stateOf(inventory).view("n", features, budget),
            "a node in each cluster");
    return SearchContext.of(
        inventory,
        view,
        words,
        features,
        Quirk.fixed(compatibility, KubernetesVersion.DEFAULT),
        rules,
        budget);
  }

  /** The same for somebody who waits only so long, once the node has been put together. */
  public SearchContext context(Budget budget)
      throws NodeSelectorException, BudgetExceededException {
    SearchContext known = context(inventory(), Compatibility.REFERENCE);
    return SearchContext.of(
        known.inventory(),
        known.view(),
        known.compiler(),
        known.features(),
        known.fixed(),
        known.rules(),
        budget);
  }

  /** A claim that has the devices of these names of the pool that {@link #withDevices} makes. */
  public static ResourceClaim holding(String claim, String... devices) {
    return HeldDevices.holding(
        claim, Arrays.stream(devices).map(Cluster::id).toArray(DeviceId[]::new));
  }

  /** A claim that has a share of a device of that pool, which consumes this. */
  public static ResourceClaim sharing(String claim, String device, Map<String, Quantity> consumed) {
    return HeldDevices.sharing(claim, id(device), consumed);
  }

  private static DeviceId id(String device) {
    return new DeviceId("gpu", "n", device);
  }

  /** The slice of counter sets of a pool that {@link #partitioned} makes. */
  public static ResourceSlice counters(CounterSet... sets) {
    ResourceSlice.Builder slice =
        ResourceSlice.named("counters", "gpu")
            .pool("n", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"));
    Arrays.asList(sets).forEach(slice::counterSet);
    return slice.build();
  }

  /** A cluster whose node has one pool of these devices, and of these counters. */
  public static Cluster partitioned(ResourceSlice counters, Device... devices) {
    return of(
        counters,
        ResourceSlice.named("slice", "gpu")
            .pool("n", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .devices(List.of(devices))
            .build());
  }

  /** The outcome in a few words: the devices of all claims, or what went wrong. */
  public String devicesOf(ResourceClaim... claims) {
    return textOf(allocate(claims));
  }

  public static String textOf(AllocationOutcome outcome) {
    return outcome.fold(
        allocated ->
            String.join(
                " | ",
                allocated.allocations().stream()
                    .map(
                        claim ->
                            String.join(
                                " ",
                                claim.result().results().stream()
                                    .map(result -> result.device())
                                    .toList()))
                    .toList()),
        unallocatable -> "does not fit",
        rejected -> "rejected: " + rejected.error(),
        undecided -> "undecided: " + undecided.reason());
  }
}
