package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.Node;
import io.dra4j.selector.CompiledAttribute;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachedAttributeTest {

  @Test
  void anExpressionIsAskedOnceAboutEachDevice() throws Exception {
    List<String> asked = new ArrayList<>();
    CompiledAttribute name =
        (driver, device) -> {
          asked.add(driver + "/" + device.name());
          return DeviceAttribute.of(device.name());
        };
    CompiledAttribute other = (driver, device) -> DeviceAttribute.of("other");
    DeviceInventory inventory = World.of(Node.named("n"), World.slice("s", 1, "d0", "d1"));
    NodeView view = World.view(inventory);
    for (int round = 0; round < 2; round++) {
      CachedAttribute answers = stateOf(inventory).valuesOf(name); // as another search has them
      for (int i = 0; i < 2; i++) {
        NodeDevice candidate = view.candidate(i);
        assertThat(answers.of(candidate, Budget.unlimited()))
            .isEqualTo(DeviceAttribute.of("d" + i));
        assertThat(stateOf(inventory).valuesOf(other).of(candidate, Budget.unlimited()))
            .isEqualTo(DeviceAttribute.of("other"));
      }
    }
    assertThat(asked).containsExactly("gpu/d0", "gpu/d1");
    assertThat(view.candidate(0)).hasToString("gpu/p/d0");
  }
}
