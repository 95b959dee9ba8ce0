package io.dra4j.inventory;

import static io.dra4j.inventory.internal.World.holding;
import static io.dra4j.inventory.internal.World.slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.inventory.internal.World;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeDevicesTest {

  /** Selectors are the names of devices, or fail. */
  private static final SelectorCompiler NAMES =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) {
          return (driver, device) -> {
            if (expression.equals("fails")) {
              throw new SelectorException("no such key");
            }
            return expression.equals("any") || device.name().equals(expression);
          };
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) {
          throw new UnsupportedOperationException();
        }
      };

  private static NodeDevices devices() {
    ResourceSlice nic =
        ResourceSlice.named("t", "nic")
            .pool("p", 1, 1)
            .nodeSelection(NodeSelection.ALL_NODES)
            .devices(World.devices("nic0"))
            .build();
    return World.of(Node.named("n"), slice("s", 1, "d0", "d1", "d2"), nic, holding("c", "d1"))
        .devicesOf("n")
        .orElseThrow();
  }

  private static List<String> names(NodeDevices devices) {
    assertThat(devices.size()).isEqualTo(devices.list().size());
    return devices.list().stream().map(device -> device.device().name()).toList();
  }

  @Test
  void devicesAreListedFreeOrHeldByDriver() {
    assertThat(names(devices())).containsExactly("d0", "d1", "d2", "nic0");
    assertThat(names(devices().free())).containsExactly("d0", "d2", "nic0");
    assertThat(names(devices().held())).containsExactly("d1");
    assertThat(names(devices().ofDriver("gpu").free())).containsExactly("d0", "d2");
    assertThat(names(devices().ofDriver("none"))).isEmpty();
    assertThat(devices().held().list().get(0).holders())
        .containsExactly(new ClaimKey("default", "c"));
    assertThat(devices().held().list().get(0).isFree()).isFalse();
  }

  @Test
  void whyNobodyGetsDevicesThatAreThereIsTold() throws Exception {
    assertThat(devices().fault()).isEmpty();
    NodeSelection broken =
        World.labels(new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of()));
    String reason = "failed to parse node selector: ";
    DeviceInventory slices =
        World.of(
            Node.named("n"),
            slice("s", 1, "d0"),
            ResourceSlice.named("t", "nic").pool("p", 1, 1).nodeSelection(broken).build());
    NodeDevices some = slices.devicesOf("n").orElseThrow();
    assertThat(names(some)).containsExactly("d0");
    assertThat(some.fault().orElseThrow()).startsWith("ResourceSlice t: " + reason);
    assertThat(some.free().ofDriver("nic").fault()).isEqualTo(some.fault());
    assertThat(some.ofClass(DeviceClass.named("k"), NAMES).fault()).isEqualTo(some.fault());
    assertThatThrownBy(() -> World.view(slices)).hasMessage(some.fault().orElseThrow());
    DeviceInventory ofDevice =
        World.of(
            Node.named("n"),
            slice("s", 1)
                .nodeSelection(NodeSelection.NONE)
                .perDeviceNodeSelection(true)
                .device(Device.named("here").nodeSelection(World.ON_N).build())
                .device(Device.named("broken").nodeSelection(broken).build())
                .build());
    NodeDevices others = ofDevice.devicesOf("n").orElseThrow();
    assertThat(names(others)).containsExactly("here");
    assertThat(others.fault().orElseThrow()).startsWith(reason);
  }

  @Test
  void aClassIsWhatAllItsSelectorsMatch() throws Exception {
    assertThat(names(devices().ofClass(DeviceClass.named("k"), NAMES))).hasSize(4);
    assertThat(names(devices().ofClass(DeviceClass.named("k", "any", "d2"), NAMES)))
        .containsExactly("d2");
    assertThat(names(devices().free().ofClass(DeviceClass.named("k", "d1"), NAMES))).isEmpty();
    assertThat(names(devices().ofClass(DeviceClass.named("k", "d1", "d2"), NAMES))).isEmpty();
    assertThat(names(devices().ofClass(DeviceClass.named("k", "d1"), NAMES).held()))
        .containsExactly("d1");
  }

  @Test
  void aClassWhoseSelectorsCannotBeAskedIsAnError() {
    assertThatThrownBy(() -> devices().ofClass(DeviceClass.named("k", "fails"), NAMES))
        .isInstanceOf(SelectorException.class)
        .hasMessage("no such key");
    DeviceClass empty =
        DeviceClass.named("k").toBuilder().selector(new DeviceSelector(null)).build();
    assertThatThrownBy(() -> devices().ofClass(empty, NAMES))
        .isInstanceOf(SelectorException.class)
        .hasMessage("class k: a selector has no CEL expression");
  }
}
