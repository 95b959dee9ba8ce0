package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The {@code toString} of objects, as messages and debuggers show it. */
class TextOfObjectsTest {

  private static final Device GPU =
      Device.named("gpu-0")
          .attribute("index", DeviceAttribute.of(0))
          .attribute("resource.kubernetes.io/pcieRoot", DeviceAttribute.of("pci0000:10"))
          .capacity("memory", DeviceCapacity.of(Quantity.parse("80Gi")))
          .build();

  @Test
  void aDeviceShowsTheFieldsThatAreSet() {
    assertThat(Device.named("gpu-0").build()).hasToString("gpu-0");
    assertThat(GPU)
        .hasToString(
            "gpu-0 (attributes {index=0, resource.kubernetes.io/pcieRoot=\"pci0000:10\"};"
                + " capacity {memory=80Gi})");
    assertThat(
            GPU.withTaints(
                List.of(
                    new DeviceTaint(
                        "gpu.example.com/unhealthy", "ecc", TaintEffect.NO_EXECUTE, null))))
        .asString()
        .endsWith("; taints [gpu.example.com/unhealthy=ecc:NoExecute])");
  }

  @Test
  void aSliceShowsItsPoolNodesAndFirstDevices() {
    List<Device> devices =
        List.of("a", "b", "c", "d", "e", "f").stream().map(it -> Device.named(it).build()).toList();

    assertThat(ResourceSlice.onNode("s", "gpu.example.com", "node-1", devices))
        .hasToString(
            "s: gpu.example.com, pool node-1 (generation 1, 1 slice), node node-1:"
                + " a, b, c, d and 2 more");
    assertThat(
            ResourceSlice.named("s", "gpu.example.com")
                .pool("shared", 3, 2)
                .nodeSelection(NodeSelection.ALL_NODES)
                .build())
        .hasToString(
            "s: gpu.example.com, pool shared (generation 3, 2 slices), all nodes: no devices");
  }

  @Test
  void attributesShowTheirValues() {
    assertThat(DeviceAttribute.of(true)).hasToString("true");
    assertThat(new DeviceAttribute.VersionValue("1.2.3")).hasToString("v1.2.3");
    assertThat(new DeviceAttribute.StringValues(List.of("a", "b"))).hasToString("[\"a\", \"b\"]");
    assertThat(new DeviceAttribute.IntValues(List.of(1L, 2L))).hasToString("[1, 2]");
    assertThat(new DeviceAttribute.NoValue()).hasToString("no value");
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(DeviceAttribute.of("a\nb")).hasToString("\"a\\u000ab\"");
    assertThat(Device.named("a\u001b[2J").build()).hasToString("a\\u001b[2J");
  }

  @Test
  void countersShowTheirAmounts() {
    assertThat(
            new DeviceCounterConsumption(
                "gpu-0-counters", Map.of("memory", Quantity.parse("10Gi")), List.of()))
        .hasToString("gpu-0-counters {memory=10Gi}");
  }
}
