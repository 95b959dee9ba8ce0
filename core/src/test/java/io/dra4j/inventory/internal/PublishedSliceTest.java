package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.World.ON_M;
import static io.dra4j.inventory.internal.World.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.PoolId;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceSlice;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is known of a slice, and of the slices of a pool, by themselves. */
class PublishedSliceTest {

  private static final PoolId POOL = new PoolId("gpu", "p");

  private static PublishedSlice published(long sequence, ResourceSlice slice) {
    return new PublishedSlice(sequence, POOL, slice, DeviceTaintRules.NONE, null);
  }

  private static PoolSlices pool(ResourceSlice... slices) {
    PublishedSlice[] all = new PublishedSlice[slices.length];
    Arrays.setAll(all, i -> published(i, slices[i]));
    return PoolSlices.of(POOL, List.of(all));
  }

  @Test
  void aPoolIsOfOneNodeIfAllItsSlicesNameIt() {
    ResourceSlice elsewhere = slice("c", 3).nodeSelection(ON_M).build();
    ResourceSlice anywhere = slice("c", 3).nodeSelection(NodeSelection.ALL_NODES).build();
    assertThat(pool(slice("a", 3, "of-a")).namesOnlyOneNode()).isTrue();
    assertThat(
            pool(slice("a", 3, "of-a"), slice("b", 3, "of-b"), slice("c", 3, "of-c"))
                .namesOnlyOneNode())
        .isTrue();
    assertThat(pool(slice("a", 3, "of-a"), slice("b", 3, "of-b"), elsewhere).namesOnlyOneNode())
        .isFalse();
    assertThat(pool(elsewhere, slice("a", 3, "of-a"), slice("b", 3, "of-b")).namesOnlyOneNode())
        .isFalse();
    assertThat(pool(slice("a", 3, "of-a"), anywhere).namesOnlyOneNode()).isFalse();
    assertThat(pool(anywhere, anywhere).namesOnlyOneNode()).isFalse();
  }

  private static ResourceSlice drawing(String name, long generation, String... groups) {
    return slice(name, 3)
        .pool("p", generation, 3)
        .device(
            Device.named("of-" + name)
                .consumesCounters(
                    new DeviceCounterConsumption(
                        "set", Map.of("x", Quantity.of(1)), List.of(groups)))
                .build())
        .build();
  }

  @Test
  void slicesAreCountedByGenerationAndWithoutTheFeatureThoseWithoutGroups() {
    PoolSlices pool =
        pool(
            drawing("a", 1),
            drawing("b", 1, "group"),
            drawing("c", 1, "group"),
            drawing("d", 2),
            drawing("e", 2, "group"));
    assertThat(pool.count(1, true)).isEqualTo(3);
    assertThat(pool.count(1, false)).isEqualTo(1);
    assertThat(pool.count(2, true)).isEqualTo(2);
    assertThat(pool.count(2, false)).isEqualTo(1);
    assertThat(pool.count(3, true)).isZero();
    assertThat(pool.newestGeneration()).isEqualTo(2);
  }

  @Test
  void aSliceIsAddedReplacedAndTakenAwayInTheOrderInWhichSlicesCame() {
    PublishedSlice[] some = {
      published(1, slice("a", 3, "of-a")), published(5, slice("c", 3, "of-c"))
    };
    PublishedSlice between = published(3, slice("b", 3, "of-b"));
    PublishedSlice[] three = PublishedSlice.with(some, between);
    assertThat(three).containsExactly(some[0], between, some[1]);
    PublishedSlice other = published(3, slice("other", 3, "of-other"));
    assertThat(
            PublishedSlice.withAll(
                three, List.of(other, published(4, slice("none", 3, "of-none")))))
        .containsExactly(some[0], other, some[1]);
    assertThat(PublishedSlice.without(three, other)).containsExactly(some[0], some[1]);
    assertThat(PublishedSlice.without(some, other)).containsExactly(some[0], some[1]);
  }

  @Test
  void aPoolLosesItsSlicesOneByOne() {
    PoolSlices pool =
        pool(slice("a", 2, "of-a"), slice("b", 2).nodeSelection(NodeSelection.NONE).build());
    assertThat(pool.anyUnbound()).isTrue();
    assertThat(pool.without(published(7, slice("none", 2, "of-none")))).isSameAs(pool);
    PoolSlices first = Objects.requireNonNull(pool.without(pool.slices[1]), "one is left");
    assertThat(first.anyUnbound()).isFalse();
    assertThat(first.slices).containsExactly(pool.slices[0]);
    assertThat(first.without(pool.slices[0])).isNull();
  }
}
