package io.dra4j.allocation.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.Features;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectorMatchesTest {

  private static ResourceClaim claim(String deviceClass, String... selectors) {
    return ResourceClaim.named("c")
        .request(
            "r",
            request -> {
              request.deviceClass(deviceClass);
              Arrays.asList(selectors).forEach(request::selector);
            })
        .build();
  }

  private static boolean selects(Bench bench, String device) throws Exception {
    return bench.target("r").selects(bench.device(device));
  }

  @Test
  void everyDeviceIsAskedAboutOnceHoweverManyThereAre() throws Exception {
    Device[] devices = new Device[200];
    Arrays.setAll(devices, i -> Device.named("d" + i).attribute("odd", i % 2 == 1).build());
    Cluster cluster = Cluster.withDevices(devices);
    Bench bench = Bench.of(cluster, claim("any", "odd"));
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < devices.length; i++) {
        assertThat(selects(bench, "d" + i)).isEqualTo(i % 2 == 1);
      }
    }
    assertThat(cluster.words.evaluations.get()).isLessThanOrEqualTo(200);
  }

  @Test
  void allSelectorsOfClassAndRequestMatch() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
                Device.named("both").attribute("a", true).attribute("b", true).build(),
                Device.named("a").attribute("a", true).attribute("b", false).build(),
                Device.named("b").attribute("a", false).build())
            .add(DeviceClass.named("classy", "driver=gpu", "a"), DeviceClass.named("ab", "a", "b"));
    Bench bench = Bench.of(cluster, claim("classy", "b"));
    assertThat(selects(bench, "both")).isTrue();
    assertThat(selects(bench, "a")).isFalse();
    assertThat(selects(bench, "b")).isFalse(); // b is not asked where a says no
    Bench ofClass = Bench.of(cluster, claim("ab"));
    assertThat(selects(ofClass, "both")).isTrue();
    assertThat(selects(ofClass, "a")).isFalse();
  }

  @Test
  void aFailureNamesWhoseSelectorAndWhichDevice() throws Exception {
    Cluster cluster =
        Cluster.withDevices(Device.named("d").attribute("a", true).build())
            .add(DeviceClass.named("fails", "any", "none"), DeviceClass.named("broken", "broken"));
    assertThatThrownBy(() -> selects(Bench.of(cluster, claim("any", "a", "none")), "d"))
        .isInstanceOf(RejectedException.class)
        .hasMessage(
            "claim default/c, request r: selector #1 on device gpu/n/d: CEL runtime error: no such"
                + " key: none");
    assertThatThrownBy(() -> selects(Bench.of(cluster, claim("fails")), "d"))
        .isInstanceOf(RejectedException.class)
        .hasMessage(
            "class fails: selector #1 on device gpu/n/d: CEL runtime error: no such key: none");
    assertThatThrownBy(() -> selects(Bench.of(cluster, claim("broken")), "d"))
        .isInstanceOf(RejectedException.class)
        .hasMessage("class broken: selector #0: CEL compile error: syntax error");
  }

  @Test
  void aDeviceWithBindingConditionsNeedsTheirFeature() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("b").bindingConditions(List.of("ready"), List.of()).build(),
            Device.named("d").build());
    Bench with = Bench.of(cluster, claim("any"));
    assertThat(selects(with, "b")).isTrue();
    Bench without =
        Bench.of(
            cluster,
            Features.without(Feature.DEVICE_BINDING_AND_STATUS),
            Compatibility.REFERENCE,
            claim("any"));
    assertThat(selects(without, "b")).isFalse();
    assertThat(selects(without, "d")).isTrue();
  }

  private static Cluster perDevice(NodeSelection other) {
    return Cluster.of(
        ResourceSlice.named("s", "gpu")
            .pool("p", 1, 1)
            .perDeviceNodeSelection(true)
            .device(
                Device.named("here")
                    .attribute("ok", true)
                    .nodeSelection(NodeSelection.ofNode("n"))
                    .build())
            .device(Device.named("there").attribute("ok", true).nodeSelection(other).build())
            .build());
  }

  @Test
  void aDeviceForAnotherNodeIsNotSelected() throws Exception {
    Cluster cluster = perDevice(NodeSelection.ofNode("m"));
    for (Compatibility compatibility : Compatibility.values()) {
      Bench bench = Bench.of(cluster, Feature.kubernetes(), compatibility, claim("any", "ok"));
      assertThat(selects(bench, "here")).isTrue();
      assertThat(selects(bench, "there")).isFalse();
    }
  }

  @Test
  void aDeviceWhoseNodesCannotBeParsedIsAFaultOfItsSlice() throws Exception {
    NodeSelection broken =
        NodeSelection.of(
            new NodeSelector(
                List.of(
                    new NodeSelectorTerm(
                        List.of(
                            new NodeSelectorRequirement(
                                "zone", NodeSelectorOperator.IN, List.of())),
                        List.of()))));
    Bench bench = Bench.of(perDevice(broken), claim("any"));
    assertThatThrownBy(() -> selects(bench, "there"))
        .isInstanceOfSatisfying(
            RejectedException.class, e -> assertThat(e.reason()).isEqualTo(RejectionReason.SLICE))
        .hasMessageContaining("failed to parse node selector");
  }

  @Test
  void whatIsKeptIsCounted() throws Exception {
    Cluster cluster = Cluster.withDevices(100).add(DeviceClass.named("two", "any", "any"));
    Bench bench = Bench.of(cluster, claim("two", "any"));
    SearchCache memory = new SearchCache(1 << 20);
    SelectorMatches selection =
        new SelectorMatches(
            bench.context(),
            memory,
            DeviceClass.named("two", "any", "any"),
            bench.target("r").request.selectors());
    assertThat(memory.bytes()).isZero();
    assertThat(selection.selects(bench.target("r"), bench.device("d7"))).isTrue();
    assertThat(selection.selects(bench.target("r"), bench.device("d8"))).isTrue();
    assertThat(memory.bytes()).isEqualTo(100 + 3 * 64); // a byte for each device, three tables
  }

  private static boolean isKnownNotToSelect(Bench bench, String device) {
    return bench.target("r").selection.isKnownNotToSelect(bench.device(device).ordinal());
  }

  @Test
  void whatIsNotChosenIsKnownFromThenOn() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("yes").attribute("a", true).build(),
            Device.named("no").attribute("a", false).build(),
            Device.named("fails").build());
    Bench bench = Bench.of(cluster, Feature.kubernetes(), Compatibility.STRICT, claim("any", "a"));
    for (String device : List.of("yes", "no", "fails")) {
      assertThat(isKnownNotToSelect(bench, device)).isFalse();
      assertThat(selects(bench, device)).isEqualTo(device.equals("yes"));
      assertThat(isKnownNotToSelect(bench, device)).isEqualTo(!device.equals("yes"));
    }
  }

  @Test
  void aDeviceForAnotherNodeOrWithConditionsThatAreOffIsKnownNotToBeChosen() throws Exception {
    for (Compatibility compatibility : Compatibility.values()) {
      Bench elsewhere =
          Bench.of(
              perDevice(NodeSelection.ofNode("m")),
              Feature.kubernetes(),
              compatibility,
              claim("any"));
      assertThat(selects(elsewhere, "there")).isFalse();
      assertThat(isKnownNotToSelect(elsewhere, "there")).isTrue();
    }
    Bench off =
        Bench.of(
            Cluster.withDevices(
                Device.named("b").bindingConditions(List.of("ready"), List.of()).build()),
            Features.without(Feature.DEVICE_BINDING_AND_STATUS),
            Compatibility.REFERENCE,
            claim("any"));
    assertThat(selects(off, "b")).isFalse();
    assertThat(isKnownNotToSelect(off, "b")).isTrue();
  }
}
