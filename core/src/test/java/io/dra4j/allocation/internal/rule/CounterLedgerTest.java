package io.dra4j.allocation.internal.rule;

import static io.dra4j.inventory.internal.InventoryAccess.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.common.Budget;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceSlice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What counters have left, and which are named where that is not enough. */
class CounterLedgerTest {

  private static final Budget ENDLESS = Budget.unlimited();

  private static Device drawing(long a, long b) {
    Map<String, Quantity> counters = new LinkedHashMap<>();
    counters.put("b", Quantity.of(b));
    counters.put("a", Quantity.of(a));
    return Device.named("d")
        .consumesCounters(new DeviceCounterConsumption("set", counters, List.of()))
        .build();
  }

  /** A pool with 8 of each counter, of which some devices have drawn. */
  private static CounterLedger balance(Device... drawing) throws Exception {
    return balance(List.of("z", "b", "a"), drawing);
  }

  private static CounterLedger balance(List<String> names, Device... drawing) throws Exception {
    Map<String, Quantity> counters = new LinkedHashMap<>();
    for (String name : names) {
      counters.put(name, Quantity.of(8));
    }
    ResourceSlice.Builder sets =
        ResourceSlice.named("sets", "gpu")
            .pool("p", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .sharedCounters(List.of(new CounterSet("set", counters)));
    ResourceSlice.Builder devices =
        ResourceSlice.named("devices", "gpu")
            .pool("p", 1, 2)
            .nodeSelection(NodeSelection.ofNode("n"))
            .device(Device.named("d").build());
    NodeView view =
        Objects.requireNonNull(
            stateOf(Cluster.of(sets.build(), devices.build()).inventory())
                .view("n", Feature.kubernetes(), ENDLESS));
    return new CounterLedger(view.pools().get(0), List.of(drawing), ENDLESS);
  }

  @Test
  void whatIsAllUsedIsNotOverdrawn() throws Exception {
    assertThat(balance().overdrawn(ENDLESS)).isNull();
    assertThat(balance(drawing(8, 8)).overdrawn(ENDLESS)).isNull();
    assertThat(balance(drawing(8, 9)).overdrawn(ENDLESS)).isEqualTo("set.b");
    assertThat(balance(drawing(9, 0)).overdrawn(ENDLESS)).isEqualTo("set.a");
    assertThat(balance(drawing(5, 5), drawing(5, 5)).overdrawn(ENDLESS)).isEqualTo("set.a");
  }

  @Test
  void aDeviceIsShortOfWhatItDrawsTooMuchOf() throws Exception {
    assertThat(balance().shortOf(drawing(8, 8), ENDLESS)).isNull();
    assertThat(balance().shortOf(drawing(9, 8), ENDLESS)).isEqualTo("set.a");
    assertThat(balance(drawing(0, 8)).shortOf(drawing(8, 0), ENDLESS)).isNull();
    assertThat(balance(drawing(0, 8)).shortOf(drawing(8, 1), ENDLESS)).isEqualTo("set.b");
    assertThat(balance().shortOf(Device.named("plain").build(), ENDLESS)).isNull();
  }

  @Test
  void devicesTogetherAreShortOfCountersInTheOrderOfTheirNames() throws Exception {
    assertThat(balance().shortOf(List.of(drawing(4, 4), drawing(4, 4)), ENDLESS)).isEmpty();
    assertThat(balance().shortOf(List.of(drawing(4, 4), drawing(5, 4)), ENDLESS))
        .containsExactly("set.a");
    assertThat(balance().shortOf(List.of(drawing(5, 5), drawing(5, 5)), ENDLESS))
        .containsExactly("set.a", "set.b");
  }

  @Test
  void manyCountersAreToldInTheOrderOfTheirNames() throws Exception {
    List<String> names = List.of("slices", "memory", "copy-engines", "decoders", "ofa", "jpeg");
    Map<String, Quantity> tooMuch = new LinkedHashMap<>();
    names.forEach(name -> tooMuch.put(name, Quantity.of(9)));
    Device device =
        Device.named("d")
            .consumesCounters(new DeviceCounterConsumption("set", tooMuch, List.of()))
            .build();
    assertThat(List.copyOf(balance(names).shortOf(List.of(device), ENDLESS))).hasSize(6).isSorted();
    assertThat(balance(names, device).overdrawn(ENDLESS)).isEqualTo("set.copy-engines");
  }
}
