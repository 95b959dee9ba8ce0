package io.dra4j.placement.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.internal.access.AllocatorAccess;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.Device;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.Servers;
import io.dra4j.placement.bandwidth.LinkModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServerModelCacheTest {

  private static final int LIMIT = 20_000;

  private final ServerModelCache kinds =
      new ServerModelCache(LinkModel.nccl(), node -> List.of(), LIMIT);

  private static NodeView view(DeviceInventory inventory, String node) {
    Allocator allocator = Allocator.builder().selectors(Servers.SELECTORS).build();
    return AllocatorAccess.sight(allocator.query(inventory, List.of()), node).orElseThrow().view();
  }

  private static ResourceSlice slice(String node, String first, String second) {
    return ResourceSlice.onNode(
        node + "-gpus",
        Servers.GPU_DRIVER,
        node,
        List.of(
            Device.named("gpu-0").attribute("group", first).build(),
            Device.named("gpu-1").attribute("group", second).build()));
  }

  private static DeviceInventory inventory(int nodes) {
    List<InventoryEvent> events = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      events.add(new InventoryEvent.NodePut(Node.named("n" + i)));
      events.add(new InventoryEvent.SlicePut(slice("n" + i, "a", "b")));
    }
    return DeviceInventory.empty().apply(events);
  }

  private Optional<AttributeValues> values(NodeView view, String attribute)
      throws BudgetExceededException {
    return kinds.of(view, Budget.unlimited()).values(attribute, view::candidate);
  }

  @Test
  void whatIsRememberedOfNodesIsBounded() throws BudgetExceededException {
    DeviceInventory inventory = inventory(300);

    for (int i = 0; i < 300; i++) {
      NodeView view = view(inventory, "n" + i);
      for (int attribute = 0; attribute < 20; attribute++) {
        assertThat(values(view, Servers.GPU_DRIVER + "/a" + attribute)).isPresent();
      }
      assertThat(kinds.bytesOfNodes()).isBetween(0, LIMIT);
    }
    assertThat(kinds.bytesOfNodes()).isPositive();
  }

  @Test
  void valuesAreReadAnewWhenSlicesChange() throws BudgetExceededException {
    String attribute = Servers.GPU_DRIVER + "/group";
    DeviceInventory before = inventory(1);
    DeviceInventory after =
        before.apply(List.of(new InventoryEvent.SlicePut(slice("n0", "a", "a"))));

    assertThat(values(view(before, "n0"), attribute)).hasValueSatisfying(v -> isOf(v, 0, 1));
    assertThat(values(view(before, "n0"), attribute)).hasValueSatisfying(v -> isOf(v, 0, 1));
    assertThat(values(view(after, "n0"), attribute)).hasValueSatisfying(v -> isOf(v, 0, 0));
  }

  private static void isOf(AttributeValues values, int first, int second) {
    assertThat(values.of(true, 0)).isEqualTo(first);
    assertThat(values.of(true, 1)).isEqualTo(second);
  }
}
