package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.status.DeviceStatus;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClassPut;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeviceStatusTest {

  private static Map<DeviceId, DeviceStatus> statuses(Cluster cluster) {
    return statuses(Allocator.builder().selectors(cluster.words).build(), cluster.inventory());
  }

  private static Map<DeviceId, DeviceStatus> statuses(
      Allocator allocator, DeviceInventory inventory) {
    try {
      return allocator.statusOfDevices(inventory, "n", Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new AssertionError(e);
    }
  }

  private static DeviceId gpu(String name) {
    return new DeviceId("gpu", "n", name);
  }

  private static Device drawing(String name, String set, int amount) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption(set, Map.of("x", Quantity.of(amount)), List.of()))
        .build();
  }

  private static CounterSet counters(String name, int amount) {
    return new CounterSet(name, Map.of("x", Quantity.of(amount)));
  }

  @Test
  void devicesAreFreeUnlessAClaimHoldsThem() {
    Cluster cluster = Cluster.withDevices(2).add(Cluster.holding("train", "d1"));

    assertThat(statuses(cluster))
        .containsExactly(
            Map.entry(gpu("d0"), new DeviceStatus.Free()),
            Map.entry(
                gpu("d1"),
                new DeviceStatus.InUse(List.of(new ClaimKey("default", "train")), false)));
  }

  @Test
  void aDeviceOfWhichClaimsHaveSharesIsInUseAndShared() {
    Device shareable =
        Device.named("d0").capacity("memory", "4").allowMultipleAllocations().build();
    Cluster cluster =
        Cluster.withDevices(shareable)
            .add(Cluster.sharing("part", "d0", Map.of("memory", Quantity.of(1))));

    assertThat(statuses(cluster))
        .containsEntry(
            gpu("d0"), new DeviceStatus.InUse(List.of(new ClaimKey("default", "part")), true));
  }

  @Test
  void aTaintIsNamedWhereTaintsAreLookedAt() {
    DeviceTaint taint = new DeviceTaint("sick", "yes", TaintEffect.NO_SCHEDULE, null);
    Cluster cluster = Cluster.withDevices(Device.named("d0").build().withTaints(List.of(taint)));
    Allocator blind =
        Allocator.builder().selectors(cluster.words).features(Set.<Feature>of()).build();

    assertThat(statuses(cluster)).containsEntry(gpu("d0"), new DeviceStatus.Tainted(taint));
    assertThat(statuses(blind, cluster.inventory()))
        .containsEntry(gpu("d0"), new DeviceStatus.Free());
  }

  @Test
  void aCounterThatHasTooLittleLeftIsNamed() {
    Cluster cluster =
        Cluster.partitioned(
                Cluster.counters(counters("card", 10)),
                drawing("half", "card", 5),
                drawing("whole", "card", 10))
            .add(Cluster.holding("train", "half"));

    assertThat(statuses(cluster))
        .containsEntry(gpu("whole"), new DeviceStatus.CountersExhausted("card.x", false));
  }

  @Test
  void anOverdrawnCounterOfThePoolKeepsDevicesOfOtherCountersFromBeingAllocated() {
    Cluster cluster =
        Cluster.partitioned(
                Cluster.counters(counters("one", 10), counters("other", 10)),
                drawing("big", "one", 20),
                drawing("d1", "other", 5))
            .add(Cluster.holding("train", "big"));

    assertThat(statuses(cluster))
        .containsEntry(gpu("d1"), new DeviceStatus.CountersExhausted("one.x", true));
    assertThat(
            statuses(
                Allocator.builder()
                    .selectors(cluster.words)
                    .compatibility(Compatibility.STRICT)
                    .build(),
                cluster.inventory()))
        .containsEntry(gpu("d1"), new DeviceStatus.Free());
  }

  @Test
  void devicesOfAnIncompletePoolAreThereWithTheReason() {
    Cluster cluster =
        Cluster.of(
            ResourceSlice.named("slice", "gpu")
                .pool("n", 1, 2)
                .nodeSelection(NodeSelection.ofNode("n"))
                .devices(List.of(Device.named("d0").build()))
                .build());

    assertThat(statuses(cluster))
        .containsEntry(
            gpu("d0"),
            new DeviceStatus.PoolUnusable(
                new PoolId("gpu", "n"), true, "1 of its 2 slices is there"));
  }

  @Test
  void aSliceThatCannotBeUnderstoodRefusesAllDevicesOfTheNode() {
    NodeSelectorRequirement broken =
        new NodeSelectorRequirement("zone", NodeSelectorOperator.GT, List.of("a"));
    Cluster cluster =
        Cluster.withDevices(1)
            .add(
                ResourceSlice.named("far", "nic")
                    .pool("far", 1, 1)
                    .nodeSelection(
                        NodeSelection.of(
                            new NodeSelector(
                                List.of(new NodeSelectorTerm(List.of(broken), List.of())))))
                    .devices(List.of(Device.named("nic").build()))
                    .build());

    assertThat(statuses(cluster).get(gpu("d0")))
        .isInstanceOfSatisfying(
            DeviceStatus.Unsuitable.class,
            status -> {
              assertThat(status.rule()).isEqualTo(ExclusionCause.FAULT);
              assertThat(status.reason()).startsWith("ResourceSlice far: ");
            });
  }

  @Test
  void anUnknownNodeIsNoNodeWithoutDevices() {
    Cluster cluster = Cluster.withDevices(1);
    Allocator allocator = Allocator.builder().selectors(cluster.words).build();

    assertThatThrownBy(
            () -> allocator.statusOfDevices(cluster.inventory(), "m", Budget.unlimited()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no node \"m\" in the inventory");
  }

  /** The words of the cluster, and {@code only=DRIVER/NAME}, which selects one device. */
  private record OneDevice(SelectorCompiler words) implements SelectorCompiler {
    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      return expression.startsWith("only=")
          ? (driver, device) -> expression.equals("only=" + driver + "/" + device.name())
          : words.compileSelector(expression);
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      return words.compileAttribute(expression);
    }
  }

  @Test
  void theStatusIsWhatAClaimForTheDeviceAloneIsTold() {
    Map<String, Integer> seen = new TreeMap<>();
    for (long seed = 0; seed < 1_000; seed++) {
      RandomCluster random = new RandomCluster(seed);
      Allocator allocator =
          Allocator.builder()
              .selectors(new OneDevice(random.cluster.words))
              .features(random.features)
              .compatibility(random.compatibility)
              .build();
      DeviceInventory inventory =
          random.cluster.inventory().apply(List.of(new ClassPut(DeviceClass.named("all"))));
      for (Map.Entry<DeviceId, DeviceStatus> device : statuses(allocator, inventory).entrySet()) {
        DeviceId id = device.getKey();
        ResourceClaim claim =
            ResourceClaim.named("alone")
                .request(
                    "r",
                    request ->
                        request
                            .deviceClass("all")
                            .selector("only=" + id.driver() + "/" + id.device()))
                .build();
        AllocationOutcome outcome = allocator.allocate(inventory, "n", List.of(claim));
        assertThat(agrees(device.getValue(), id, outcome))
            .as("seed %d: %s is %s, and a claim for it: %s", seed, id, device.getValue(), outcome)
            .isTrue();
        seen.merge(device.getValue().getClass().getSimpleName(), 1, Integer::sum);
      }
    }
    assertThat(seen)
        .containsKeys("Free", "InUse", "Tainted", "CountersExhausted", "Unsuitable")
        .allSatisfy((status, times) -> assertThat(times).as(status).isGreaterThan(20));
  }

  private static boolean agrees(DeviceStatus status, DeviceId id, AllocationOutcome outcome) {
    if (outcome instanceof Allocated) {
      return status instanceof DeviceStatus.Free
          || (status instanceof DeviceStatus.InUse inUse && inUse.shared());
    } else if (outcome instanceof Rejected rejected) {
      return status instanceof DeviceStatus.Unsuitable unsuitable
          && unsuitable.rule() == ExclusionCause.FAULT
          && unsuitable.reason().contains(rejected.error());
    }
    List<Reason> refusals =
        outcome instanceof Unallocatable refused ? refused.explanation().reasons() : List.of();
    List<ExcludedDevice> ofDevice = new ArrayList<>();
    for (Reason refusal : refusals) {
      refusal.refused().stream()
          .filter(device -> device.device().equals(id))
          .forEach(ofDevice::add);
    }
    if (status instanceof DeviceStatus.PoolUnusable pool) {
      return ofDevice.isEmpty()
          && refusals.stream()
              .anyMatch(
                  refusal ->
                      refusal instanceof Reason.UnusablePool unusable
                          && unusable.pool().equals(pool.pool())
                          && unusable.problem().equals(pool.problem()));
    }
    return ofDevice.size() == 1 && agrees(status, ofDevice.get(0));
  }

  private static boolean agrees(DeviceStatus status, ExcludedDevice refused) {
    if (status instanceof DeviceStatus.InUse inUse) {
      return refused.holders().equals(inUse.holders())
          && refused.rule() == (inUse.shared() ? ExclusionCause.CAPACITY : ExclusionCause.USAGE);
    } else if (status instanceof DeviceStatus.Tainted tainted) {
      return refused.rule() == ExclusionCause.TAINTS
          && refused.reason().startsWith("has the taint " + tainted.taint().key());
    } else if (status instanceof DeviceStatus.CountersExhausted exhausted) {
      return refused.rule() == ExclusionCause.COUNTERS
          && refused.reason().contains(" " + exhausted.counter() + " ");
    }
    return status instanceof DeviceStatus.Unsuitable unsuitable
        && refused.rule() == unsuitable.rule()
        && refused.reason().equals(unsuitable.reason());
  }
}
