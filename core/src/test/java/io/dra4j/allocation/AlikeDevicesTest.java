package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.model.Budget;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.SelectorException;
import io.dra4j.model.SelectorReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AlikeDevicesTest {

  /** Matches devices whose attribute {@code a/model} is x, and fails where it is missing. */
  private static final class Models implements CompiledSelector {

    final List<String> asked = new ArrayList<>();
    private final SelectorReads reads;

    Models(SelectorReads reads) {
      this.reads = reads;
    }

    @Override
    public boolean matches(String driver, Device device) throws SelectorException {
      asked.add(device.name());
      DeviceAttribute model = device.attributes().get("a/model");
      if (model == null) {
        throw new SelectorException("no such key: model");
      }
      return model.equals(DeviceAttribute.of("x"));
    }

    @Override
    public SelectorReads reads() {
      return reads;
    }
  }

  private static final SelectorReads MODEL =
      new SelectorReads(Set.of("a/model"), Set.of("a/memory"), false, false);

  private static Device.Builder device(int number, String model) {
    return Device.named("d" + number).attribute("serial", number).attribute("a/model", model);
  }

  @Test
  void alikeDevicesAreAskedAboutOnce() throws Exception {
    Models selector = new Models(MODEL);
    AlikeDevices alike = new AlikeDevices(selector);
    for (int i = 0; i < 1_000; i++) {
      boolean even = i % 2 == 0;
      assertThat(alike.matches("drv", device(i, even ? "x" : "y").build(), Budget.unlimited()))
          .isEqualTo(even);
    }
    assertThat(selector.asked).containsExactly("d0", "d1");
  }

  @Test
  void devicesOfOtherDriversOrCapacitiesAreOthers() throws Exception {
    Models selector = new Models(MODEL);
    AlikeDevices alike = new AlikeDevices(selector);
    assertThat(alike.matches("drv", device(0, "x").build(), Budget.unlimited())).isTrue();
    assertThat(alike.matches("other", device(1, "x").build(), Budget.unlimited())).isTrue();
    assertThat(
            alike.matches(
                "drv", device(2, "x").capacity("a/memory", "1Gi").build(), Budget.unlimited()))
        .isTrue();
    assertThat(
            alike.matches(
                "drv", device(3, "x").capacity("a/memory", "1Gi").build(), Budget.unlimited()))
        .isTrue();
    assertThat(selector.asked).containsExactly("d0", "d1", "d2");
  }

  @Test
  void equalCapacitiesThatAreWrittenInOtherWaysAreOthers() throws Exception {
    Models selector = new Models(MODEL);
    AlikeDevices alike = new AlikeDevices(selector);
    List<String> ways =
        List.of("1", "1.0", "1000m", "1e0", "1k", "1e3", "1000", "100Ti", "109951162777600");
    for (String way : ways) {
      for (int i = 0; i < 2; i++) {
        Device device = device(i, "x").capacity("a/memory", way).build();
        assertThat(alike.matches("drv", device, Budget.unlimited())).isTrue();
      }
    }
    assertThat(selector.asked).hasSameSizeAs(ways);
  }

  @Test
  void aFailureIsTheSameForAll() {
    Models selector = new Models(MODEL);
    AlikeDevices alike = new AlikeDevices(selector);
    for (int i = 0; i < 3; i++) {
      Device device = Device.named("d" + i).build();
      assertThatExceptionOfType(SelectorException.class)
          .isThrownBy(() -> alike.matches("drv", device, Budget.unlimited()))
          .withMessage("no such key: model");
    }
    assertThat(selector.asked).containsExactly("d0");
  }

  @Test
  void aDeviceWithABrokenAttributeIsLikeNoOther() throws Exception {
    Models selector = new Models(MODEL);
    AlikeDevices alike = new AlikeDevices(selector);
    assertThat(alike.matches("drv", device(0, "x").build(), Budget.unlimited())).isTrue();
    for (DeviceAttribute broken :
        List.of(
            new DeviceAttribute.NoValue(),
            DeviceAttribute.version("x"),
            new DeviceAttribute.VersionValues(List.of("x")))) {
      assertThat(
              alike.matches(
                  "drv", device(1, "x").attribute("v", broken).build(), Budget.unlimited()))
          .isTrue();
    }
    assertThat(selector.asked).containsExactly("d0", "d1", "d1", "d1");
  }

  @Test
  void anAttributeMayBeNamedWithoutItsDomain() throws Exception {
    Models selector = new Models(MODEL);
    AlikeDevices alike = new AlikeDevices(selector);
    Device plain = Device.named("d0").attribute("model", "x").attribute("a/model", "x").build();
    assertThat(alike.matches("a", plain, Budget.unlimited())).isTrue();
    assertThat(alike.matches("a", plain, Budget.unlimited())).isTrue();
    assertThat(selector.asked).hasSize(2); // which of the two counts is for the selector to say
    assertThat(alike.matches("b", plain, Budget.unlimited())).isTrue();
    assertThat(alike.matches("b", plain, Budget.unlimited())).isTrue();
    assertThat(selector.asked).hasSize(3);
  }

  @Test
  void aSelectorOfUnknownReadsIsAlwaysAsked() throws Exception {
    Models selector = new Models(SelectorReads.ofEverything());
    AlikeDevices alike = new AlikeDevices(selector);
    alike.matches("drv", device(0, "x").build(), Budget.unlimited());
    alike.matches("drv", device(1, "x").build(), Budget.unlimited());
    assertThat(selector.asked).hasSize(2);
  }
}
