package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.NodePut;
import io.dra4j.inventory.NodeAffinity;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.inventory.internal.RelevantAttributes;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.PodSpec;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.defragmentation.Defragmentation;
import io.dra4j.scheduling.defragmentation.DefragmentationOutcome;
import io.dra4j.scheduling.defragmentation.MovablePod;
import io.dra4j.scheduling.defragmentation.MoveAdvisor;
import io.dra4j.scheduling.reservation.Reservations;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What callers give that is null is named, and not found somewhere inside. */
@SuppressWarnings({"NullAway", "DataFlowIssue"}) // which is what is tried
class PublicDoorsTest {

  private static final SelectorCompiler ALL =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) {
          return (driver, device) -> true;
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) {
          throw new UnsupportedOperationException();
        }
      };

  private final Allocator allocator = Allocator.builder().selectors(ALL).build();
  private final DeviceInventory inventory = DeviceInventory.empty();
  private final NodeDevices devices =
      inventory.apply(List.of(new NodePut(Node.named("n")))).devicesOf("n").orElseThrow();
  private final ResourceClaim claim = ResourceClaim.named("c").build();
  private final ClusterQuery fit = allocator.allocate(inventory, List.of(claim));
  private final Gang gang = new Gang("Job default/j", List.of(), 1, List.of());
  private final ClusterOutcome nothing = new ClusterOutcome(List.of(), Map.of(), Map.of());
  private final Reservations reservations = new Reservations(allocator, inventory);

  @Test
  void nullIsNamed() {
    Stream<ThrowingCallable> calls =
        Stream.of(
            () -> allocator.allocate(inventory, (List<ResourceClaim>) null),
            () -> allocator.allocate(inventory, Arrays.asList((ResourceClaim) null)),
            () -> allocator.explain(null, "n", List.of(claim)),
            () -> allocator.explain(inventory, null, List.of(claim)),
            () -> allocator.headroom(null, claim, 1),
            () -> allocator.headroom(inventory, null, 1),
            () -> Allocator.builder().timeout(null),
            () -> Allocator.builder().features(null),
            () -> fit.on(null),
            () -> fit.withBudget(null),
            () -> fit.explain(null),
            () -> DeviceInventory.of(null),
            () -> inventory.apply(null),
            () -> inventory.hold(null),
            () -> inventory.hold(Arrays.asList((ResourceClaim) null)),
            () -> inventory.node(null),
            () -> inventory.deviceClass(null),
            () -> inventory.devicesOf(null),
            () -> inventory.device(null),
            () -> inventory.slice(null),
            () -> inventory.holdersOf(null),
            () -> inventory.heldBy(null),
            () -> inventory.nodesOf(null),
            () -> devices.ofDriver(null),
            () -> devices.ofClass(null, ALL),
            () -> devices.ofClass(DeviceClass.named("c", "x"), null),
            () -> NodeAffinity.matches(null, Node.named("n")),
            () -> NodeAffinity.matches(NodeSelector.ofNode("n"), null),
            () -> NodeAffinity.required(null),
            () -> RelevantAttributes.of(null),
            () -> allocator.allocate(null, "n", List.of(claim)),
            () -> allocator.allocate(inventory, null, List.of(claim)),
            () -> allocator.allocate(inventory, "n", null),
            () -> allocator.allocate(inventory, "n", List.of(claim), (Budget) null),
            () -> allocator.allocate(inventory, "n", List.of(claim), (BooleanSupplier) null),
            () -> allocator.withPolicy(null),
            () -> Allocator.builder().selectors(null),
            () -> Allocator.builder().shareIds(null),
            () -> Allocator.builder().policy(null),
            () -> Allocator.builder().observer(null),
            () -> Allocator.builder().addAdvisor(null),
            () -> Allocator.builder().addRule(null),
            () -> Allocator.builder().compatibility(null),
            () -> fit.among(null),
            () -> Budget.of(null),
            () -> Budget.unlimited().atMost(null),
            () -> reservations.reserve((String) null, List.of(claim)),
            () -> reservations.reserve("n", null),
            () -> reservations.reserve("n", List.of(claim), null),
            () -> reservations.reserve("n", Arrays.asList((ResourceClaim) null)),
            () -> reservations.reserve(question -> null, List.of(claim)),
            () -> reservations.apply(null),
            () -> reservations.commit(null),
            () -> reservations.release(null),
            () -> PodQueue.of(null),
            () -> ClusterRun.with(null),
            () -> ClusterRun.with(allocator).place(null, inventory),
            () -> ClusterRun.with(allocator).withNode(null),
            () -> ClusterRun.with(allocator).withObserver(null),
            () -> ClusterRun.with(allocator).withBudget(null),
            () -> ClusterRun.with(allocator).withGangs(null, Duration.ZERO),
            () -> ClusterRun.with(allocator).withGangs(GangPlacement.with(allocator), null),
            () -> new PendingPod(null, PodSpec.ANYWHERE, List.of()),
            () -> new PendingPod("default/p", null, List.of()),
            () -> new PendingPod("default/p", PodSpec.ANYWHERE, null),
            () -> new NodeReason(null, List.of("n"), "x"),
            () -> new NodeReason(NodeRefusal.Cause.TAINT, null, "x"),
            () -> new NodeReason(NodeRefusal.Cause.TAINT, List.of("n"), null),
            () -> new Gang(null, List.of(), 1, List.of()),
            () -> new Gang("Job default/j", null, 1, List.of()),
            () -> new Gang("Job default/j", List.of(), 1, null),
            () -> gang.members(0, null, node -> true),
            () -> gang.members(0, Map.of(), null),
            () -> new MovablePod(null, List.of(), node -> true, 1),
            () -> new MovablePod("default/p", null, node -> true, 1),
            () -> new MovablePod("default/p", List.of(), null, 1),
            () -> new MovablePod("default/p", Arrays.asList((ResourceClaim) null), node -> true, 1),
            () -> new MoveAdvisor(null, List.of(), Duration.ZERO),
            () -> new MoveAdvisor(allocator, null, Duration.ZERO),
            () -> new MoveAdvisor(allocator, Arrays.asList((MovablePod) null), Duration.ZERO),
            () -> new MoveAdvisor(allocator, List.of(), null),
            () -> plan(null, List.of()),
            () -> plan(Arrays.asList((ResourceClaim) null), List.of()),
            () -> plan(List.of(claim), null),
            () -> plan(List.of(claim), Arrays.asList((MovablePod) null)),
            () -> planForGang(null, List.of(), List.of()),
            () -> planForGang(Arrays.asList((GangMember) null), List.of(), List.of()),
            () -> planForGang(List.of(), null, List.of()),
            () -> planForGang(List.of(), Arrays.asList((String) null), List.of()),
            () -> planForGang(List.of(), List.of(), null),
            () -> planForGang(List.of(), List.of(), Arrays.asList((MovablePod) null)),
            () -> PodQueue.of(Arrays.asList((ResourceClaim) null)),
            () -> MovablePod.running(null, name -> 1),
            () -> MovablePod.running(nothing, null),
            () -> MovablePod.running(nothing, name -> 1, null));
    calls.forEach(
        call ->
            assertThatThrownBy(call)
                .isInstanceOf(NullPointerException.class)
                .hasMessageMatching("[a-zA-Z.]+: .*got null.*"));
    assertThat(reservations.open()).isEmpty();
  }

  private DefragmentationOutcome plan(List<ResourceClaim> wanted, List<MovablePod> movable) {
    return Defragmentation.with(allocator)
        .plan(inventory, wanted, node -> true, movable, Budget.unlimited());
  }

  private DefragmentationOutcome planForGang(
      List<GangMember> gang, List<String> sameLabels, List<MovablePod> movable) {
    return Defragmentation.with(allocator)
        .planForGang(inventory, gang, sameLabels, movable, Budget.unlimited());
  }

  @Test
  void aGangNeedsAPod() {
    assertThatThrownBy(() -> new Gang("Job default/j", List.of(), 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Gang.minCount: want 1 or more, got 0");
  }
}
