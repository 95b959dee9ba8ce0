package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.HeldDevices;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What tests of the inventory are made of, and what they read of it, in short. */
public final class World {

  public static final NodeSelection ON_N = NodeSelection.ofNode("n");
  static final NodeSelection ON_M = NodeSelection.ofNode("m");

  private World() {}

  public static DeviceInventory of(KubernetesObject... objects) {
    return DeviceInventory.of(ClusterSnapshot.of(List.of(objects)));
  }

  /** A slice of pool {@code p} of the driver {@code gpu}, of as many slices. */
  public static ResourceSlice.Builder slice(String name, long slices) {
    return ResourceSlice.named(name, "gpu").pool("p", 1, slices).nodeSelection(ON_N);
  }

  public static ResourceSlice slice(String name, long slices, String... devices) {
    return slice(name, slices).devices(devices(devices)).build();
  }

  public static List<Device> devices(String... names) {
    return Arrays.stream(names).map(name -> Device.named(name).build()).toList();
  }

  static CounterSet set(String name, String... counters) {
    return new CounterSet(
        name,
        Arrays.stream(counters).collect(Collectors.toMap(each -> each, each -> Quantity.of(8))));
  }

  /** A device that draws from a counter. */
  static Device drawing(String name, String set, String counter) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption(set, Map.of(counter, Quantity.of(1)), List.of()))
        .build();
  }

  /** Nodes whose label zone has this value. */
  static NodeSelection zone(String value) {
    return labels(new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of(value)));
  }

  public static NodeSelection labels(NodeSelectorRequirement... requirements) {
    return NodeSelection.of(
        new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirements), List.of()))));
  }

  static Node inZone(String node, String zone) {
    return Node.named(node).toBuilder().label("zone", zone).build();
  }

  public static ResourceClaim holding(String claim, String... devices) {
    return HeldDevices.holding(
        claim, Arrays.stream(devices).map(World::id).toArray(DeviceId[]::new));
  }

  static ResourceClaim sharing(String claim, String device, Map<String, Quantity> consumed) {
    return HeldDevices.sharing(claim, id(device), consumed);
  }

  static DeviceRequestAllocationResult.Builder result(String device) {
    return DeviceRequestAllocationResult.of("r", id(device));
  }

  static DeviceId id(String device) {
    return new DeviceId("gpu", "p", device);
  }

  public static NodeView view(DeviceInventory inventory, String node, Set<Feature> features)
      throws Exception {
    return Objects.requireNonNull(
        InventoryAccess.stateOf(inventory).view(node, features, Budget.unlimited()));
  }

  public static NodeView view(DeviceInventory inventory) throws Exception {
    return view(inventory, "n", Feature.kubernetes());
  }

  /** The pools of a node in order, each with its devices or what is wrong with it. */
  static List<String> poolsOf(DeviceInventory inventory, String node, Set<Feature> features)
      throws Exception {
    NodeView view = view(inventory, node, features);
    return IntStream.range(0, view.pools().size()).mapToObj(i -> textOf(view, i)).toList();
  }

  static List<String> poolsOf(DeviceInventory inventory) throws Exception {
    return poolsOf(inventory, "n", Feature.kubernetes());
  }

  private static String textOf(NodeView view, int number) {
    PoolView pool = view.pools().get(number);
    String state = pool.incomplete() ? " incomplete" : "";
    if (pool.invalidReason() != null) {
      state += " invalid: " + pool.invalidReason();
    }
    String devices =
        IntStream.range(view.firstOf(number), view.firstOf(number + 1))
            .mapToObj(ordinal -> " " + view.candidate(ordinal).device().name())
            .collect(Collectors.joining());
    return pool.id() + (pool.usable() ? ":" : state.isEmpty() ? " unusable" : "") + state + devices;
  }

  static NodeDevice candidate(NodeView view, String device) {
    return IntStream.range(0, view.size())
        .mapToObj(view::candidate)
        .filter(candidate -> candidate.device().name().equals(device))
        .findFirst()
        .orElseThrow();
  }
}
