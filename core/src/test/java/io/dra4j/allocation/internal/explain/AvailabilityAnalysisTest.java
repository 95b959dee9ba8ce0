package io.dra4j.allocation.internal.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.HeldDevices;
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
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of devices that a request cannot have, and of a class that chooses none. */
class AvailabilityAnalysisTest {

  /**
   * The language of {@link Cluster.Words}, in which {@code says D H} is false and hints {@code H}
   * on devices of the driver D, and {@code fails on X} is an error on the device X, which hints
   * where it fails. {@code 'name'} is false, and hints nothing.
   */
  private static final class Hinting implements SelectorCompiler {

    private final Cluster.Words words = new Cluster.Words();
    private final List<String> explained = new ArrayList<>();

    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      if (!expression.startsWith("says ")
          && !expression.startsWith("fails on ")
          && !expression.startsWith("'")) {
        return words.compileSelector(expression);
      }
      return new CompiledSelector() {
        @Override
        public boolean matches(String driver, Device device) throws SelectorException {
          if (expression.equals("fails on " + device.name())) {
            throw new SelectorException("it failed");
          }
          return expression.startsWith("fails on ");
        }

        @Override
        public SelectorExplanation explain(String driver, Device device, Budget budget) {
          explained.add(driver + "/" + device.name());
          boolean fails = expression.equals("fails on " + device.name());
          boolean hints = fails || expression.startsWith("says " + driver + " ");
          return new SelectorExplanation(
              Clause.of(expression, fails ? Verdict.ERROR : Verdict.FALSE, ""),
              hints ? List.of("of " + expression) : List.of());
        }
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      return words.compileAttribute(expression);
    }
  }

  private final Hinting hinting = new Hinting();

  private Allocator allocator() {
    return Allocator.builder().selectors(hinting).build();
  }

  private static ResourceClaim of(String deviceClass) {
    return ResourceClaim.named("c").request("r", r -> r.deviceClass(deviceClass)).build();
  }

  /** What is said of the class behind the number of devices on the node. */
  private String hint(Cluster cluster) {
    DeviceInventory inventory = cluster.inventory();
    AllocationOutcome outcome = allocator().allocate(inventory, "n", List.of(of("wanted")));
    Reason refusal = ((Unallocatable) outcome).explanation().reasons().get(0);
    return ((Reason.TooFewDevices) refusal).reasons();
  }

  private static ResourceSlice slice(String driver, String... devices) {
    return ResourceSlice.onNode(
        "of-" + driver,
        driver,
        "n",
        List.of(devices).stream().map(name -> Device.named(name).build()).toList());
  }

  @Test
  void aClassThatChoosesNothingIsShownADeviceOfEachDriver() {
    Cluster cluster =
        Cluster.of(slice("a", "a0", "a1"), slice("b", "b0"), slice("c", "c0"))
            .add(DeviceClass.named("wanted", "says b look"));
    assertThat(hint(cluster)).isEqualTo("of says b look");
    assertThat(hinting.explained).containsExactly("a/a0", "b/b0");
  }

  @Test
  void aClassThatChoosesNothingIsShownDevicesOfEightDrivers() {
    Cluster cluster = Cluster.of(DeviceClass.named("wanted", "says nobody anything"));
    for (int i = 0; i < 10; i++) {
      cluster.add(slice("driver" + i, "x", "y"));
    }
    assertThat(hint(cluster)).isEmpty();
    assertThat(hinting.explained).hasSize(8).doesNotHaveDuplicates();
  }

  @Test
  void aDriverWithANearNameMayHaveBeenMeant() {
    Cluster cluster =
        Cluster.of(slice("gpu.example.com", "x"))
            .add(DeviceClass.named("wanted", "'gpu.example.con'"));
    assertThat(hint(cluster))
        .isEqualTo("did you mean 'gpu.example.com' instead of 'gpu.example.con'?");
  }

  private static NodeSelection zone(String zone) {
    return NodeSelection.of(
        new NodeSelector(
            List.of(
                new NodeSelectorTerm(
                    List.of(
                        new NodeSelectorRequirement(
                            "zone", NodeSelectorOperator.IN, List.of(zone))),
                    List.of()))));
  }

  private static ResourceSlice inZone(String driver, String zone) {
    return ResourceSlice.named("of-" + driver, driver)
        .pool(driver + "s", 1, 1)
        .nodeSelection(zone(zone))
        .device(Device.named("d").build())
        .build();
  }

  @Test
  void devicesOfTheClassMayBeForOtherNodes() {
    Cluster cluster =
        Cluster.of(inZone("nic", "a"), inZone("gpu", "b"))
            .add(DeviceClass.named("wanted", "driver=gpu"));
    assertThat(hint(cluster)).isEqualTo("the devices of pool gpus are for nodes with zone In (b)");
    assertThat(hint(Cluster.of(inZone("nic", "a")).add(DeviceClass.named("wanted", "driver=gpu"))))
        .isEmpty();
  }

  @Test
  void devicesOfTheClassMaySayThemselvesForWhichNodesTheyAre() {
    ResourceSlice slice =
        ResourceSlice.named("s", "gpu")
            .pool("p", 1, 1)
            .perDeviceNodeSelection(true)
            .device(Device.named("m").nodeSelection(NodeSelection.ofNode("m")).build())
            .device(Device.named("b").nodeSelection(zone("b")).build())
            .build();
    assertThat(hint(Cluster.of(slice).add(DeviceClass.named("wanted", "driver=gpu"))))
        .isEqualTo("the devices of pool p are for nodes with zone In (b)");
  }

  private List<String> hintsOf(Cluster cluster, ResourceClaim... claims) {
    DeviceInventory inventory = cluster.inventory();
    AllocationOutcome outcome = allocator().allocate(inventory, "n", List.of(claims));
    assertThat(outcome).isInstanceOf(Rejected.class);
    Explanation explanation = allocator().explain(inventory, "n", List.of(claims)).orElseThrow();
    return ((Reason.Fault) explanation.reasons().get(0)).hints();
  }

  @Test
  void whatDecidesThatASelectorChoosesNothingIsTold() {
    Cluster cluster = Cluster.withDevices(2);
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").selector("any").selector("says nic it"))
            .build();
    AllocationOutcome outcome = allocator().allocate(cluster.inventory(), "n", List.of(claim));
    assertThat(((Unallocatable) outcome).explanation().summary())
        .isEqualTo(
            "claim default/c, request r: needs 1 device of class any, but of the node's 2"
                + " none can be allocated: 2 do not match the request's selectors (d0: says nic"
                + " it)");
  }

  @Test
  void aSelectorThatFailsHintsOnTheDeviceOnWhichItFails() {
    Cluster cluster = Cluster.withDevices(3).add(DeviceClass.named("failing", "fails on d1"));
    ResourceClaim ofClass =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("failing").count(3)).build();
    assertThat(hintsOf(cluster, ofClass)).containsExactly("of fails on d1");
    ResourceClaim ofRequest =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").selector("fails on d2").count(3))
            .build();
    assertThat(hintsOf(cluster, ofRequest)).containsExactly("of fails on d2");
    assertThat(hintsOf(cluster, of("any"), ofRequest.toBuilder().build()))
        .containsExactly("of fails on d2");
    ResourceClaim silent =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").selector("missing"))
            .build();
    assertThat(hintsOf(cluster, silent)).isEmpty();
  }

  @Test
  void whereTheClassChoosesNothingTheRequestsSelectorIsNotAsked() {
    Cluster cluster = Cluster.withDevices(2).add(slice("nic", "x"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("nic").selector("fails on d0"))
            .request("s", r -> r.deviceClass("gpu").selector("fails on d1").count(2))
            .build();
    assertThat(hintsOf(cluster, claim)).containsExactly("of fails on d1");
  }

  private static Device drawing(String name, String set, int amount) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption(set, Map.of("x", Quantity.of(amount)), List.of()))
        .build();
  }

  @Test
  void whoUsesACounterIsWhoHoldsDevicesThatDrawFromIt() {
    CounterSet a = new CounterSet("a", Map.of("x", Quantity.of(4)));
    CounterSet b = new CounterSet("b", Map.of("x", Quantity.of(4)));
    Cluster cluster =
        Cluster.partitioned(
                Cluster.counters(a, b),
                Device.named("plain").build(),
                drawing("of-b", "b", 1),
                drawing("wanted", "a", 4),
                drawing("of-a", "a", 1))
            .add(
                ResourceSlice.named("nics", "nic")
                    .pool("m", 1, 2)
                    .nodeSelection(NodeSelection.ofNode("n"))
                    .device(drawing("of-nics", "a", 1))
                    .build(),
                ResourceSlice.named("nic-counters", "nic")
                    .pool("m", 1, 2)
                    .nodeSelection(NodeSelection.ofNode("n"))
                    .counterSet(a)
                    .build())
            .add(
                Cluster.holding("has-plain", "plain"),
                Cluster.holding("has-a", "of-a"),
                Cluster.holding("has-b", "of-b"),
                HeldDevices.holding("has-nic", new DeviceId("nic", "m", "of-nics")));
    List<ExcludedDevice> refused = refused(cluster, of("gpu"));
    assertThat(refused)
        .filteredOn(device -> device.device().device().equals("wanted"))
        .singleElement()
        .satisfies(
            device -> {
              assertThat(device.rule()).isEqualTo(ExclusionCause.COUNTERS);
              assertThat(device.holders()).containsExactly(new ClaimKey("default", "has-a"));
              assertThat(device.reason()).endsWith(" (used by default/has-a)");
            });
  }

  private static List<ExcludedDevice> refused(Cluster cluster, ResourceClaim claim) {
    return ((Unallocatable) cluster.allocate(claim)).explanation().reasons().get(0).refused();
  }

  @Test
  void ofSeveralReasonsTheOneIsToldThatASearchMeetsFirst() {
    DeviceTaint taint = DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE);
    Cluster cluster =
        Cluster.withDevices(
                Device.named("held").capacity("bw", "1").build(),
                Device.named("small").capacity("bw", "1").taint(taint).build())
            .add(Cluster.holding("h", "held"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").capacity("bw", "2"))
            .build();
    assertThat(refused(cluster, claim))
        .extracting(ExcludedDevice::rule)
        .containsExactly(ExclusionCause.USAGE, ExclusionCause.CAPACITY);
  }
}
