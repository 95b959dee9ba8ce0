package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which devices have which values of an attribute that a constraint looks at. */
class ValueIndexTest {

  private static ValueIndex index(Cluster cluster, Set<Feature> features) throws Exception {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any"))
            .constraint(DeviceConstraint.distinctAttribute("gpu/v"))
            .build();
    SearchContext context = cluster.context(cluster.inventory(), features, Compatibility.REFERENCE);
    PlanOutline outline =
        new PlanOutline(new SearchPlan(context, List.of(claim), new SearchPosition("in a test")));
    BitSet all = new BitSet();
    all.set(0, context.candidates().size());
    PlannedRequest target = outline.requests.get(0).alternatives().get(0);
    return Objects.requireNonNull(
        ValueIndex.of(context, outline.constraints.get(0).constraint(), target, all));
  }

  private static Device list(String name, String... values) {
    DeviceAttribute list = DeviceAttribute.strings(values);
    return Device.named(name).attribute("gpu/v", list).build();
  }

  @Test
  void valuesAreNumberedAndDevicesHaveThem() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/v", "x").build(),
            Device.named("b").attribute("gpu/v", "y").build(),
            Device.named("c").attribute("gpu/v", "x").build(),
            Device.named("d").build());
    ValueIndex index = index(cluster, Set.of());
    assertThat(index.values()).hasSize(2).isSorted();
    assertThat(IntStream.of(index.values()).mapToObj(index::with).map(BitSet::toString))
        .containsExactlyInAnyOrder("{0, 2}", "{1}");
    assertThat(index.hasIncomparable()).isFalse();
    assertThat(index.with(Integer.MAX_VALUE).isEmpty()).isTrue();
  }

  @Test
  void aListThatIsNotComparedHasAValueOfItsOwn() throws Exception {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("gpu/v", "x").build(),
            list("b", "x", "y"),
            list("c", "x", "y"));
    ValueIndex apart = index(cluster, Set.of());
    assertThat(apart.values()).hasSize(3);
    assertThat(IntStream.of(apart.values()).mapToObj(apart::with).map(BitSet::toString))
        .containsExactlyInAnyOrder("{0}", "{1}", "{2}");
    assertThat(apart.hasIncomparable()).isTrue();

    ValueIndex compared = index(cluster, Set.of(Feature.LIST_TYPE_ATTRIBUTES));
    assertThat(IntStream.of(compared.values()).mapToObj(compared::with).map(BitSet::toString))
        .containsExactlyInAnyOrder("{0, 1, 2}", "{1, 2}");
    assertThat(compared.hasIncomparable()).isFalse();
  }

  @Test
  void whereNoDeviceHasTheAttributeThereAreNoValues() throws Exception {
    ValueIndex none = index(Cluster.withDevices(3), Set.of());
    assertThat(none.values()).isEmpty();
    assertThat(none.hasIncomparable()).isFalse();
  }

  @Test
  void moreDevicesAndValuesTakeMoreMemory() throws Exception {
    ValueIndex none = index(Cluster.withDevices(3), Set.of());
    ValueIndex more = index(Cluster.withDevices(300), Set.of());
    Device[] devices = new Device[300];
    for (int i = 0; i < devices.length; i++) {
      devices[i] = Device.named("d" + i).attribute("gpu/v", i).build();
    }
    ValueIndex full = index(Cluster.withDevices(devices), Set.of());
    assertThat(none.bytes()).isBetween(1L, 100L * 3);
    assertThat(more.bytes()).isBetween(none.bytes() + 297, 100L * 300);
    assertThat(full.bytes()).isGreaterThan(more.bytes() + 300 * (300 / Byte.SIZE));
  }
}
