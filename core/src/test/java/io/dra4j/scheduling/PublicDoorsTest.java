package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
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
  private final ClusterQuery fit = allocator.query(inventory, List.of(claim));
  private final Gang gang = new Gang("Job default/j", List.of(), 1, List.of());
  private final ClusterOutcome nothing = new ClusterOutcome(List.of(), Map.of(), Map.of());
  private final Reservations reservations = new Reservations(allocator, inventory);

  @Test
  void nullIsNamed() {
    Stream.of(
            new Door("claims", () -> allocator.query(inventory, (List<ResourceClaim>) null)),
            new Door(
                "claim", () -> allocator.query(inventory, Arrays.asList((ResourceClaim) null))),
            new Door("inventory", () -> allocator.explain(null, "n", List.of(claim))),
            new Door("nodeName", () -> allocator.explain(inventory, null, List.of(claim))),
            new Door("inventory", () -> allocator.headroom(null, claim, 1)),
            new Door("claim", () -> allocator.headroom(inventory, null, 1)),
            new Door("limit", () -> Allocator.builder().timeout(null)),
            new Door("enabled", () -> Allocator.builder().features(null)),
            new Door("node", () -> fit.on(null)),
            new Door("budget", () -> fit.withBudget(null)),
            new Door("budget", () -> fit.explain(null)),
            new Door("cluster", () -> DeviceInventory.of(null)),
            new Door("events", () -> inventory.apply(null)),
            new Door("allocated", () -> inventory.hold(null)),
            new Door("claim", () -> inventory.hold(Arrays.asList((ResourceClaim) null))),
            new Door("name", () -> inventory.node(null)),
            new Door("name", () -> inventory.deviceClass(null)),
            new Door("nodeName", () -> inventory.devicesOf(null)),
            new Door("id", () -> inventory.device(null)),
            new Door("name", () -> inventory.slice(null)),
            new Door("device", () -> inventory.holdersOf(null)),
            new Door("claim", () -> inventory.heldBy(null)),
            new Door("sliceName", () -> inventory.nodesOf(null)),
            new Door("driver", () -> devices.ofDriver(null)),
            new Door("deviceClass", () -> devices.ofClass(null, ALL)),
            new Door("compiler", () -> devices.ofClass(DeviceClass.named("c", "x"), null)),
            new Door("selector", () -> NodeAffinity.matches(null, Node.named("n"))),
            new Door("node", () -> NodeAffinity.matches(NodeSelector.ofNode("n"), null)),
            new Door("required", () -> NodeAffinity.required(null)),
            new Door("attributes", () -> RelevantAttributes.of(null)),
            new Door("inventory", () -> allocator.allocate(null, "n", List.of(claim))),
            new Door("nodeName", () -> allocator.allocate(inventory, null, List.of(claim))),
            new Door("claims", () -> allocator.allocate(inventory, "n", null)),
            new Door(
                "budget", () -> allocator.allocate(inventory, "n", List.of(claim), (Budget) null)),
            new Door(
                "cancelled",
                () -> allocator.allocate(inventory, "n", List.of(claim), (BooleanSupplier) null)),
            new Door("policy", () -> allocator.withPolicy(null)),
            new Door("selectors", () -> Allocator.builder().selectors(null)),
            new Door("ids", () -> Allocator.builder().shareIds(null)),
            new Door("policy", () -> Allocator.builder().policy(null)),
            new Door("observer", () -> Allocator.builder().observer(null)),
            new Door("advisor", () -> Allocator.builder().addAdvisor(null)),
            new Door("rule", () -> Allocator.builder().addRule(null)),
            new Door("compatibility", () -> Allocator.builder().compatibility(null)),
            new Door("nodes", () -> fit.among(null)),
            new Door("limit", () -> Budget.of(null)),
            new Door("limit", () -> Budget.unlimited().atMost(null)),
            new Door("node", () -> reservations.reserve((String) null, List.of(claim))),
            new Door("claims", () -> reservations.reserve("n", null)),
            new Door("budget", () -> reservations.reserve("n", List.of(claim), null)),
            new Door("claim", () -> reservations.reserve("n", Arrays.asList((ResourceClaim) null))),
            new Door(
                "fit answered null", () -> reservations.reserve(question -> null, List.of(claim))),
            new Door("events", () -> reservations.apply(null)),
            new Door("reservation", () -> reservations.commit(null)),
            new Door("reservation", () -> reservations.release(null)),
            new Door("objects", () -> PodQueue.of(null)),
            new Door("allocator", () -> ClusterRun.builder(null).build()),
            new Door("queue", () -> ClusterRun.builder(allocator).build().place(null, inventory)),
            new Door("node", () -> ClusterRun.builder(allocator).node(null).build()),
            new Door("observer", () -> ClusterRun.builder(allocator).observer(null).build()),
            new Door("budget", () -> ClusterRun.builder(allocator).budget(null).build()),
            new Door(
                "placement",
                () -> ClusterRun.builder(allocator).gangs(null, Duration.ZERO).build()),
            new Door(
                "timeout",
                () ->
                    ClusterRun.builder(allocator)
                        .gangs(GangPlacement.builder(allocator).build(), null)
                        .build()),
            new Door("name", () -> new PendingPod(null, PodSpec.ANYWHERE, List.of())),
            new Door("spec", () -> new PendingPod("default/p", null, List.of())),
            new Door("claims", () -> new PendingPod("default/p", PodSpec.ANYWHERE, null)),
            new Door("cause", () -> new NodeReason(null, List.of("n"), "x")),
            new Door("nodes", () -> new NodeReason(NodeRefusal.Cause.TAINT, null, "x")),
            new Door("text", () -> new NodeReason(NodeRefusal.Cause.TAINT, List.of("n"), null)),
            new Door("name", () -> new Gang(null, List.of(), 1, List.of())),
            new Door("pods", () -> new Gang("Job default/j", null, 1, List.of())),
            new Door("topologyKeys", () -> new Gang("Job default/j", List.of(), 1, null)),
            new Door("claims", () -> gang.members(0, null, node -> true)),
            new Door("among", () -> gang.members(0, Map.of(), null)),
            new Door("name", () -> new MovablePod(null, List.of(), node -> true, 1)),
            new Door("claims", () -> new MovablePod("default/p", null, node -> true, 1)),
            new Door("nodes", () -> new MovablePod("default/p", List.of(), null, 1)),
            new Door(
                "claim",
                () ->
                    new MovablePod(
                        "default/p", Arrays.asList((ResourceClaim) null), node -> true, 1)),
            new Door("allocator", () -> new MoveAdvisor(null, List.of(), Duration.ZERO)),
            new Door("movable", () -> new MoveAdvisor(allocator, null, Duration.ZERO)),
            new Door(
                "pod",
                () -> new MoveAdvisor(allocator, Arrays.asList((MovablePod) null), Duration.ZERO)),
            new Door("timeout", () -> new MoveAdvisor(allocator, List.of(), null)),
            new Door("claims", () -> plan(null, List.of())),
            new Door("claim", () -> plan(Arrays.asList((ResourceClaim) null), List.of())),
            new Door("movable", () -> plan(List.of(claim), null)),
            new Door("pod", () -> plan(List.of(claim), Arrays.asList((MovablePod) null))),
            new Door("gang", () -> planForGang(null, List.of(), List.of())),
            new Door(
                "member",
                () -> planForGang(Arrays.asList((GangMember) null), List.of(), List.of())),
            new Door("sameLabels", () -> planForGang(List.of(), null, List.of())),
            new Door(
                "label", () -> planForGang(List.of(), Arrays.asList((String) null), List.of())),
            new Door("movable", () -> planForGang(List.of(), List.of(), null)),
            new Door(
                "pod", () -> planForGang(List.of(), List.of(), Arrays.asList((MovablePod) null))),
            new Door("object", () -> PodQueue.of(Arrays.asList((ResourceClaim) null))),
            new Door("outcome", () -> MovablePod.running(null, name -> 1)),
            new Door("cost", () -> MovablePod.running(nothing, null)),
            new Door("budget", () -> MovablePod.running(nothing, name -> 1, null)))
        .forEach(
            door ->
                assertThatNullPointerException().isThrownBy(door.call()).withMessage(door.name()));
    assertThat(reservations.open()).isEmpty();
  }

  /** A call with null, and the name of what is null. */
  private record Door(String name, ThrowingCallable call) {}

  private DefragmentationOutcome plan(List<ResourceClaim> wanted, List<MovablePod> movable) {
    return Defragmentation.of(allocator)
        .plan(inventory, wanted, node -> true, movable, Budget.unlimited());
  }

  private DefragmentationOutcome planForGang(
      List<GangMember> gang, List<String> sameLabels, List<MovablePod> movable) {
    return Defragmentation.of(allocator)
        .planForGang(inventory, gang, sameLabels, movable, Budget.unlimited());
  }

  @Test
  void aGangNeedsAPod() {
    assertThatThrownBy(() -> new Gang("Job default/j", List.of(), 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Gang.minCount: expected 1 or more, found 0");
  }
}
