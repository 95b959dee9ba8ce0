package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.common.Feature;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceClassConfiguration;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.Features;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is written into {@code status.allocation} of a claim. */
class AllocationResultBuilderTest {

  private static AllocationResult allocate(
      Allocator.Builder allocator, Cluster cluster, ResourceClaim claim) {
    return ((Allocated) cluster.allocate(allocator, claim)).allocations().get(0).result();
  }

  private static AllocationResult allocate(Cluster cluster, ResourceClaim claim) {
    return allocate(Allocator.builder(), cluster, claim);
  }

  private static DeviceRequestAllocationResult only(AllocationResult result) {
    assertThat(result.results()).hasSize(1);
    return result.results().get(0);
  }

  private static ResourceClaim.Builder one() {
    return ResourceClaim.named("c").request("r", request -> request.deviceClass("any"));
  }

  // ---- Results

  @Test
  void aPlainDeviceIsItsNamesAndNothingElse() {
    assertThat(only(allocate(Cluster.withDevices(1), one().build())))
        .isEqualTo(DeviceRequestAllocationResult.of("r", new DeviceId("gpu", "n", "d0")).build());
  }

  @Test
  void ofRequestsOfOneNameTheFirstSaysWhatIsTolerated() {
    DeviceToleration toleration = DeviceToleration.exists("k");
    ResourceClaim claim =
        one().request("s", r -> r.deviceClass("any").toleration(toleration)).build();
    DeviceRequest second = claim.spec().requests().get(1);
    List<DeviceRequest> requests = new ArrayList<>(claim.spec().requests());
    requests.add(1, new DeviceRequest("r", second.exactly(), second.firstAvailable()));
    ResourceClaimSpec spec =
        new ResourceClaimSpec(requests, claim.spec().constraints(), claim.spec().config());
    ResourceClaim odd = new ResourceClaim(claim.metadata(), spec, claim.status());

    assertThat(allocate(Cluster.withDevices(3), odd).results())
        .extracting(DeviceRequestAllocationResult::tolerations)
        .containsExactly(List.of(), List.of(), List.of(toleration));
  }

  @Test
  void whatTheRequestAndTheSliceSayIsCopied() {
    DeviceToleration toleration = DeviceToleration.exists("k");
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").adminAccess().toleration(toleration))
            .build();
    Cluster cluster =
        Cluster.of(
            Node.named("n").toBuilder().declaredFeature("DRAOptionalNodeOperations").build(),
            ResourceSlice.named("s", "gpu")
                .pool("n", 1, 1)
                .nodeSelection(NodeSelection.ofNode("n"))
                .skipNodeOperations(List.of("NodePrepareResources"))
                .device(
                    Device.named("d").bindingConditions(List.of("ready"), List.of("bad")).build())
                .build());
    DeviceRequestAllocationResult result = only(allocate(cluster, claim));
    assertThat(result.adminAccess()).isTrue();
    assertThat(result.tolerations()).containsExactly(toleration);
    assertThat(result.bindingConditions()).containsExactly("ready");
    assertThat(result.bindingFailureConditions()).containsExactly("bad");
    assertThat(result.skipNodeOperations()).containsExactly("NodePrepareResources");
    assertThat(result.shareId()).isNull();
    assertThat(result.consumedCapacity()).isEmpty();
  }

  @Test
  void withoutTheFeatureDevicesWithBindingConditionsAreNotChosen() {
    Device binds = Device.named("b").bindingConditions(List.of("ready"), List.of("bad")).build();
    Device fails = Device.named("f").bindingConditions(List.of(), List.of("bad")).build();
    Allocator.Builder without =
        Allocator.builder().features(Features.without(Feature.DEVICE_BINDING_AND_STATUS));
    DeviceRequestAllocationResult result =
        only(allocate(without, Cluster.withDevices(binds, fails), one().build()));
    assertThat(result.device()).isEqualTo("f");
    assertThat(result.bindingFailureConditions()).isEmpty();
  }

  @Test
  void aShareHasAnIdAndSaysWhatItConsumes() {
    Device shared =
        Device.named("s")
            .capacity("bw", "10")
            .capacity("mem", "4")
            .allowMultipleAllocations()
            .build();
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").capacity("mem", "1"))
            .build();
    DeviceRequestAllocationResult result = only(allocate(Cluster.withDevices(shared), claim));
    assertThat(result.shareId()).isEqualTo("share-1");
    assertThat(result.consumedCapacity())
        .isEqualTo(Map.of("bw", Quantity.of(10), "mem", Quantity.of(1)));

    Device exclusive = Device.named("d").capacity("bw", "10").build();
    assertThat(only(allocate(Cluster.withDevices(exclusive), one().build())).consumedCapacity())
        .isEmpty();
    Allocator.Builder without =
        Allocator.builder().features(Features.without(Feature.CONSUMABLE_CAPACITY));
    DeviceRequestAllocationResult whole =
        only(allocate(without, Cluster.withDevices(shared), one().build()));
    assertThat(whole.shareId()).isNull();
    assertThat(whole.consumedCapacity()).isEmpty();
  }

  // ---- Configurations

  private static OpaqueDeviceConfiguration opaque(String text) {
    return new OpaqueDeviceConfiguration("gpu", text);
  }

  private static DeviceClass configured(String name, String... configs) {
    DeviceClass.Builder deviceClass = DeviceClass.named(name).toBuilder();
    for (String config : configs) {
      deviceClass.config(new DeviceClassConfiguration(opaque(config)));
    }
    return deviceClass.build();
  }

  private static DeviceClaimConfiguration config(String text, String... requests) {
    return new DeviceClaimConfiguration(List.of(requests), opaque(text));
  }

  private static DeviceRequest oneOf(String name, String... classes) {
    List<DeviceSubRequest> alternatives =
        Arrays.stream(classes)
            .map(
                each ->
                    new DeviceSubRequest("of-" + each, ExactDeviceRequest.ofClass(each).build()))
            .toList();
    return DeviceRequest.firstAvailable(name, alternatives);
  }

  /** Each configuration as {@code source text [requests]}. */
  private static List<String> configsOf(Cluster cluster, ResourceClaim claim) {
    return allocate(cluster, claim).config().stream()
        .map(AllocationResultBuilderTest::textOf)
        .toList();
  }

  private static String textOf(DeviceAllocationConfiguration config) {
    String source = config.source().equals(AllocationConfigSource.FROM_CLASS) ? "class " : "claim ";
    OpaqueDeviceConfiguration parameters = config.opaque();
    return source + (parameters == null ? "none" : parameters.parameters()) + config.requests();
  }

  @Test
  void thoseOfClassesComeFirstOnceForEachWithTheRequestsOfTheClass() {
    Cluster cluster =
        Cluster.withDevices(4).add(configured("a", "a1", "a2"), configured("b", "b1"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("a"))
            .request("y", request -> request.deviceClass("b"))
            .request("z", request -> request.deviceClass("a"))
            .request("none", request -> request.deviceClass("any"))
            .config(config("own", "y"))
            .build();
    assertThat(configsOf(cluster, claim))
        .containsExactly("class a1[x, z]", "class a2[x, z]", "class b1[y]", "claim own[y]");
  }

  @Test
  void thoseThatCoverEveryRequestNameNone() {
    Cluster cluster = Cluster.withDevices(4).add(configured("a", "a1"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("x", request -> request.deviceClass("a"))
            .request("y", request -> request.deviceClass("a"))
            .config(config("both", "y", "x"))
            .config(config("more", "x", "y", "gone"))
            .config(config("one", "x"))
            .config(config("all"))
            .config(config("nobody", "gone"))
            .build();
    assertThat(configsOf(cluster, claim))
        .containsExactly(
            "class a1[]", "claim both[]", "claim more[]", "claim one[x]", "claim all[]");
  }

  @Test
  void thoseOfAlternativesCountOnlyIfTheirsWasPicked() {
    Cluster cluster =
        Cluster.withDevices(4).add(configured("a", "a1"), configured("gpu", "replaced"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(oneOf("r", "nic", "a"))
            .request("s", request -> request.deviceClass("any"))
            .config(config("picked", "r/of-a"))
            .config(config("other", "r/of-nic"))
            .config(config("either", "r/of-nic", "r/of-a"))
            .config(config("parent", "r"))
            .config(config("cover", "r", "s"))
            .config(config("covers", "r/of-a", "s"))
            .build();
    assertThat(configsOf(cluster, claim))
        .containsExactly(
            "class a1[r/of-a]",
            "claim picked[r/of-a]",
            "claim either[r/of-nic, r/of-a]",
            "claim parent[r]",
            "claim cover[]",
            "claim covers[]");
  }

  // ---- Nodes

  private static NodeSelectorRequirement in(String key, String... values) {
    return new NodeSelectorRequirement(key, NodeSelectorOperator.IN, List.of(values));
  }

  private static NodeSelection selection(NodeSelectorTerm... terms) {
    return NodeSelection.of(new NodeSelector(List.of(terms)));
  }

  private static NodeSelectorTerm labels(NodeSelectorRequirement... requirements) {
    return new NodeSelectorTerm(List.of(requirements), List.of());
  }

  private static ResourceSlice slice(String driver, NodeSelection selection, Device... devices) {
    return ResourceSlice.named(driver, driver)
        .pool("p", 1, 1)
        .nodeSelection(selection)
        .devices(List.of(devices))
        .build();
  }

  private static Cluster labelled() {
    return new Cluster()
        .add(Node.named("n").toBuilder().label("zone", "a").label("rack", "1").build());
  }

  private static ResourceClaim count(long devices) {
    return ResourceClaim.named("c")
        .request("r", request -> request.deviceClass("any").count(devices))
        .build();
  }

  @Test
  void selectorsOfDevicesAreMergedWithoutDuplicates() {
    NodeSelectorRequirement zone = in("zone", "a", "b");
    NodeSelectorRequirement sameZone = in("zone", "b", "a");
    NodeSelectorRequirement rack = in("rack", "1");
    NodeSelectorRequirement name = in(NodeSelector.NAME_FIELD, "n");
    Cluster cluster =
        labelled()
            .add(
                slice("d1", selection(labels(zone)), Device.named("a").build()),
                slice("d2", selection(labels(sameZone, rack)), Device.named("b").build()),
                slice(
                    "d3",
                    selection(new NodeSelectorTerm(List.of(), List.of(name))),
                    Device.named("c").build()),
                slice("d4", NodeSelection.ALL_NODES, Device.named("d").build()));
    assertThat(allocate(cluster, count(4)).nodeSelector())
        .isEqualTo(
            new NodeSelector(List.of(new NodeSelectorTerm(List.of(zone, rack), List.of(name)))));
    assertThat(allocate(cluster, count(1)).nodeSelector())
        .isEqualTo(new NodeSelector(List.of(labels(zone))));
  }

  @Test
  void oneDeviceOfOneNodePinsTheWholeClaim() {
    NodeSelection zone = selection(labels(in("zone", "a")));
    Cluster pinned =
        labelled()
            .add(
                slice("d1", zone, Device.named("a").build()),
                slice("d2", NodeSelection.ofNode("n"), Device.named("b").build()));
    assertThat(allocate(pinned, count(2)).nodeSelector()).isEqualTo(NodeSelector.ofNode("n"));
    Cluster bound =
        labelled()
            .add(
                slice("d1", zone, Device.named("a").build()),
                slice("d2", NodeSelection.ALL_NODES, Device.named("b").bindsToNode().build()));
    assertThat(allocate(bound, count(2)).nodeSelector()).isEqualTo(NodeSelector.ofNode("n"));
  }

  @Test
  void devicesOfAllNodesPinNothing() {
    Cluster cluster =
        labelled().add(slice("d1", NodeSelection.ALL_NODES, Device.named("a").build()));
    assertThat(allocate(cluster, count(1)).nodeSelector()).isNull();
  }

  @Test
  void aDeviceMaySayItselfWhereItCanBeUsed() {
    ResourceSlice slice =
        ResourceSlice.named("s", "gpu")
            .pool("p", 1, 1)
            .perDeviceNodeSelection(true)
            .device(Device.named("a").nodeSelection(selection(labels(in("zone", "a")))).build())
            .device(Device.named("b").nodeSelection(NodeSelection.ofNode("n")).build())
            .build();
    assertThat(allocate(labelled().add(slice), count(1)).nodeSelector())
        .isEqualTo(new NodeSelector(List.of(labels(in("zone", "a")))));
    assertThat(allocate(labelled().add(slice), count(2)).nodeSelector())
        .isEqualTo(NodeSelector.ofNode("n"));
  }

  @Test
  void selectorsOfMoreThanOneTermCannotBeWritten() {
    NodeSelection either = selection(labels(in("zone", "a")), labels(in("rack", "2")));
    Cluster cluster = labelled().add(slice("d1", either, Device.named("a").build()));
    assertThat(cluster.devicesOf(count(1)))
        .isEqualTo(
            "rejected: create NodeSelector for claim default/c: unsupported node selector with 2"
                + " terms of d1/p/a");
  }

  @Test
  void whetherSelectorsOfMoreThanOneTermCanBeWrittenDependsOnTheOtherDevices() {
    NodeSelection either = selection(labels(in("zone", "a")), labels(in("rack", "2")));
    ResourceSlice several = slice("d2", either, Device.named("b").build());
    Cluster cluster =
        labelled().add(slice("d1", NodeSelection.ofNode("n"), Device.named("a").build()), several);
    assertThat(allocate(cluster, count(2)).nodeSelector()).isEqualTo(NodeSelector.ofNode("n"));
    assertThat(cluster.inventory().devicesOf("n").orElseThrow().fault()).isEmpty();
    assertThat(labelled().add(several).inventory().devicesOf("n").orElseThrow().fault()).isEmpty();
  }
}
