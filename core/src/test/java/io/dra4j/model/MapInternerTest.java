package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.internal.NamedValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MapInternerTest {

  @Test
  void aSliceKeepsWhatItsDevicesHaveInCommonOnce() {
    List<Device> devices =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    Device.named("d" + i)
                        .attribute("model", "A")
                        .attribute("uuid", "uuid-" + i)
                        .capacity("memory", "80Gi")
                        .build())
            .toList();

    List<Device> kept = slice(devices).devices();

    assertThat(kept).isEqualTo(devices);
    Device first = kept.get(0);
    Device last = kept.get(3);
    assertThat(last.capacity()).isSameAs(first.capacity());
    assertThat(last.attributes().get("model")).isSameAs(first.attributes().get("model"));
    assertThat(last.attributes().get("uuid")).isEqualTo(DeviceAttribute.of("uuid-3"));
    assertThat(names(last)).isSameAs(names(first));
    assertThat(slice(kept).devices().get(3)).isSameAs(last);
  }

  @Test
  void whereOneDeviceIsChangedTheOthersStayThemselves() {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      devices.add(Device.named("d" + i).attribute("x", i).attribute("y", 1).build());
    }
    List<Device> kept = slice(devices).devices();
    for (int changed = 0; changed < 4; changed++) {
      List<Device> next = new ArrayList<>(kept);
      next.set(changed, kept.get(changed).toBuilder().attribute("y", 2).build());

      List<Device> now = slice(next).devices();

      assertThat(now).isEqualTo(next);
      for (int i = 0; i < 4; i++) {
        if (i != changed) {
          assertThat(now.get(i)).isSameAs(kept.get(i));
        }
        assertThat(names(now.get(i))).isSameAs(names(kept.get(0)));
      }
    }
  }

  @Test
  void twoKindsOfDevicesInTurnShareToo() {
    Device gpu = Device.named("a").attribute("x", 1).attribute("y", 1).build();
    Device nic = Device.named("b").attribute("x", 1).attribute("z", 1).build();

    List<Device> kept =
        slice(
                List.of(
                    gpu,
                    nic,
                    gpu.toBuilder().name("c").attribute("y", 2).build(),
                    nic.toBuilder().name("d").attribute("z", 1).build()))
            .devices();

    assertThat(names(kept.get(2))).isSameAs(names(kept.get(0)));
    assertThat(kept.get(2).attributes().get("y")).isEqualTo(DeviceAttribute.of(2));
    assertThat(kept.get(3).attributes()).isSameAs(kept.get(1).attributes());
  }

  @Test
  void quantitiesThatAreWrittenInDifferentWaysStayWhatTheyAre() {
    List<Device> kept =
        slice(
                List.of(
                    Device.named("a").capacity("memory", "1").capacity("cores", "1").build(),
                    Device.named("b").capacity("memory", "1000m").capacity("cores", "1").build(),
                    Device.named("c").capacity("memory", "1").build(),
                    Device.named("d").capacity("memory", "1000m").build()))
            .devices();

    assertThat(written(kept.get(1))).isEqualTo(new Quantity.Written(Quantity.parse("1000m")));
    assertThat(written(kept.get(3))).isEqualTo(new Quantity.Written(Quantity.parse("1000m")));
    assertThat(kept.get(1).capacity().get("cores")).isSameAs(kept.get(0).capacity().get("cores"));
  }

  private static Quantity.Written written(Device device) {
    return new Quantity.Written(Objects.requireNonNull(device.capacity().get("memory")).value());
  }

  private static Object names(Device device) {
    return ((NamedValues<DeviceAttribute>) device.attributes()).names();
  }

  private static ResourceSlice slice(List<Device> devices) {
    return ResourceSlice.onNode("s", "drv", "n", devices);
  }
}
