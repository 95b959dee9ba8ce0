package io.dra4j.allocation.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.Compatibility;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.inventory.internal.World;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which devices of a node existing allocations make unavailable, by the allocator that asks. */
class AllocatorAccessTest {

  private static List<Boolean> inUse(Cluster cluster, Compatibility compatibility)
      throws Exception {
    Allocator allocator =
        Allocator.builder().selectors(cluster.words).compatibility(compatibility).build();
    NodeView view = World.view(cluster.inventory(), "n", allocator.features());
    return IntStream.range(0, view.size())
        .mapToObj(view::candidate)
        .map(device -> AllocatorAccess.isInUse(allocator, view, device))
        .toList();
  }

  @Test
  void aDeviceThatAClaimHoldsIsInUse() throws Exception {
    Cluster held = Cluster.withDevices(3).add(Cluster.holding("other", "d1"));
    for (Compatibility compatibility : Compatibility.values()) {
      assertThat(inUse(held, compatibility)).containsExactly(false, true, false);
    }
  }

  @Test
  void sharesOfADeviceThatCannotBeSharedCountForStrictAnswers() throws Exception {
    Cluster shared = Cluster.withDevices(2).add(Cluster.sharing("other", "d0", Map.of()));
    assertThat(inUse(shared, Compatibility.REFERENCE)).containsExactly(false, false);
    assertThat(inUse(shared, Compatibility.STRICT)).containsExactly(true, false);
  }

  @Test
  void aQuerySeesTheDevicesOfItsNodes() {
    Cluster cluster = Cluster.withDevices(2);
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("any")).build();
    ClusterQuery query =
        Allocator.builder()
            .selectors(cluster.words)
            .build()
            .query(cluster.inventory(), List.of(claim));
    assertThat(AllocatorAccess.sight(query, "n"))
        .hasValueSatisfying(
            sight -> {
              assertThat(sight.view().node().name()).isEqualTo("n");
              assertThat(sight.view().size()).isEqualTo(2);
              assertThat(sight.shape()).isPresent();
            });
    assertThat(AllocatorAccess.sight(query, "m")).isEmpty();
  }
}
