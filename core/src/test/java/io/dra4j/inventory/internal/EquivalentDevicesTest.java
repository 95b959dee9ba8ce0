package io.dra4j.inventory.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorReads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EquivalentDevicesTest {

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

  /** Asks about devices of slices of their own, which only what they are makes alike. */
  private static final class Asked {

    private final Models selector;
    private final BoundedCache memory = new BoundedCache(1_000_000);
    private final EquivalentDevices alike;

    Asked(Models selector) {
      this.selector = selector;
      this.alike = new EquivalentDevices(selector.reads(), memory);
    }

    boolean matches(String driver, Device device)
        throws SelectorException, BudgetExceededException {
      ResourceSlice slice = ResourceSlice.onNode("s", driver, "n", List.of(device));
      PublishedSlice published =
          new PublishedSlice(0, new PoolId(driver, "n"), slice, DeviceTaintRules.NONE, null);
      return alike.matches(selector, published, 0, Budget.unlimited());
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
    Asked alike = new Asked(selector);
    for (int i = 0; i < 1_000; i++) {
      boolean even = i % 2 == 0;
      assertThat(alike.matches("drv", device(i, even ? "x" : "y").build())).isEqualTo(even);
    }
    assertThat(selector.asked).containsExactly("d0", "d1");
  }

  @Test
  void devicesOfOtherDriversOrCapacitiesAreOthers() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    assertThat(alike.matches("drv", device(0, "x").build())).isTrue();
    assertThat(alike.matches("other", device(1, "x").build())).isTrue();
    assertThat(alike.matches("drv", device(2, "x").capacity("a/memory", "1Gi").build())).isTrue();
    assertThat(alike.matches("drv", device(3, "x").capacity("a/memory", "1Gi").build())).isTrue();
    assertThat(selector.asked).containsExactly("d0", "d1", "d2");
  }

  @Test
  void equalCapacitiesThatAreWrittenInOtherWaysAreOthers() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    List<String> ways =
        List.of("1", "1.0", "1000m", "1e0", "1k", "1e3", "1000", "100Ti", "109951162777600");
    for (String way : ways) {
      for (int i = 0; i < 2; i++) {
        Device device = device(i, "x").capacity("a/memory", way).build();
        assertThat(alike.matches("drv", device)).isTrue();
      }
    }
    assertThat(selector.asked).hasSameSizeAs(ways);
  }

  @Test
  void aFailureIsTheSameForAll() {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    for (int i = 0; i < 3; i++) {
      Device device = Device.named("d" + i).build();
      assertThatExceptionOfType(SelectorException.class)
          .isThrownBy(() -> alike.matches("drv", device))
          .withMessage("no such key: model");
    }
    assertThat(selector.asked).containsExactly("d0");
  }

  @Test
  void anEvaluationThatWasCutShortIsNoAnswer() throws Exception {
    CompiledSelector slowAtFirst =
        new CompiledSelector() {
          private boolean asked;

          @Override
          public boolean matches(String driver, Device device) throws SelectorException {
            if (!asked) {
              asked = true;
              throw SelectorException.passing("deadline exceeded");
            }
            return true;
          }

          @Override
          public SelectorReads reads() {
            return MODEL;
          }
        };
    EquivalentDevices alike = new EquivalentDevices(MODEL, new BoundedCache(1_000_000));
    ResourceSlice slice = ResourceSlice.onNode("s", "drv", "n", List.of(device(0, "x").build()));
    PublishedSlice published =
        new PublishedSlice(0, new PoolId("drv", "n"), slice, DeviceTaintRules.NONE, null);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> alike.matches(slowAtFirst, published, 0, Budget.unlimited()))
        .withMessage("deadline exceeded");
    assertThat(alike.matches(slowAtFirst, published, 0, Budget.unlimited())).isTrue();
  }

  @Test
  void aDeviceWithABrokenAttributeIsLikeNoOther() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    assertThat(alike.matches("drv", device(0, "x").build())).isTrue();
    for (DeviceAttribute broken :
        List.of(
            new DeviceAttribute.NoValue(),
            DeviceAttribute.version("x"),
            new DeviceAttribute.VersionValues(List.of("x")))) {
      assertThat(alike.matches("drv", device(1, "x").attribute("v", broken).build())).isTrue();
    }
    assertThat(selector.asked).containsExactly("d0", "d1", "d1", "d1");
  }

  @Test
  void anAttributeMayBeNamedWithoutItsDomain() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    Device plain = Device.named("d0").attribute("model", "x").attribute("a/model", "x").build();
    assertThat(alike.matches("a", plain)).isTrue();
    assertThat(alike.matches("a", plain)).isTrue();
    assertThat(selector.asked).hasSize(2); // which of the two counts is for the selector to say
    assertThat(alike.matches("b", plain)).isTrue();
    assertThat(alike.matches("b", plain)).isTrue();
    assertThat(selector.asked).hasSize(3);
  }

  @Test
  void aSelectorOfUnknownReadsIsAlwaysAsked() throws Exception {
    Models selector = new Models(SelectorReads.ofEverything());
    Asked alike = new Asked(selector);
    alike.matches("drv", device(0, "x").build());
    alike.matches("drv", device(1, "x").build());
    assertThat(selector.asked).hasSize(2);
  }

  /** Devices that differ in one thing that the selector reads, whichever of them came before. */
  @Test
  void whateverIsReadTellsDevicesApart() throws Exception {
    SelectorReads reads = new SelectorReads(Set.of("a/model"), Set.of("a/memory"), true, false);
    List<Device> different =
        List.of(
            device(0, "x").build(),
            device(1, "y").build(),
            device(2, "x").capacity("a/memory", "1").build(),
            device(3, "x").capacity("a/memory", "2").build(),
            device(4, "x").allowMultipleAllocations().build());
    for (Device first : different) {
      for (Device second : different) {
        Models selector = new Models(reads);
        Asked alike = new Asked(selector);
        alike.matches("drv", first);
        alike.matches("drv", second);
        alike.matches("drv", first);
        assertThat(selector.asked).hasSize(first.equals(second) ? 1 : 2);
      }
    }
  }

  @Test
  void listsOfVersionsThatAreSomeAreNotBroken() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    DeviceAttribute versions = new DeviceAttribute.VersionValues(List.of("1.0.0", "2.0.0"));
    DeviceAttribute version = DeviceAttribute.version("1.0.0");
    alike.matches("drv", device(0, "x").attribute("v", versions).build());
    alike.matches("drv", device(1, "x").attribute("v", version).build());
    assertThat(selector.asked).containsExactly("d0");
  }

  @Test
  void whatIsNotReadDoesNot() throws Exception {
    Models selector = new Models(new SelectorReads(Set.of("a/model"), Set.of(), false, false));
    Asked alike = new Asked(selector);
    alike.matches("drv", device(0, "x").build());
    alike.matches("drv", device(1, "x").capacity("a/memory", "1").build());
    alike.matches("drv", device(2, "x").allowMultipleAllocations().build());
    assertThat(selector.asked).containsExactly("d0");
  }

  @Test
  void aCapacityNamedTwiceIsForTheSelectorToChoose() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    Device twice =
        Device.named("d0")
            .attribute("a/model", "x")
            .capacity("a/memory", "1")
            .capacity("memory", "2")
            .build();
    Device once = Device.named("d1").attribute("a/model", "x").capacity("a/memory", "1").build();
    assertThat(alike.matches("a", once)).isTrue();
    assertThat(alike.matches("a", twice)).isTrue();
    assertThat(alike.matches("a", twice)).isTrue();
    assertThat(selector.asked).containsExactly("d1", "d0", "d0");
  }

  @Test
  void whatIsForgottenIsAskedAgain() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    alike.matches("drv", device(0, "x").build());
    assertThat(alike.memory.bytes()).isPositive();
    alike.memory.forget();
    assertThat(alike.memory.bytes()).isZero();
    alike.matches("drv", device(1, "x").build());
    assertThat(selector.asked).containsExactly("d0", "d1");
  }

  @Test
  void onlySoManyKindsAreRemembered() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 300; i++) {
        alike.matches("drv", device(i, "model-" + i).build());
      }
    }
    assertThat(selector.asked).hasSize(300 + 44); // 256 of them are known the second time
  }

  @Test
  void longValuesWeighWhatTheyAreLong() throws Exception {
    String text = "x".repeat(5_000);
    String version = "1.0.0-" + text;
    List<String> texts = Collections.nCopies(3, text);
    Map<DeviceAttribute, Integer> leastBytes =
        Map.of(
            DeviceAttribute.of(text),
            5_000,
            DeviceAttribute.version(version),
            5_000,
            new DeviceAttribute.StringValues(texts),
            15_000,
            new DeviceAttribute.VersionValues(Collections.nCopies(3, version)),
            15_000,
            new DeviceAttribute.IntValues(Collections.nCopies(1_000, 1L)),
            24_000,
            new DeviceAttribute.BoolValues(Collections.nCopies(10_000, true)),
            40_000);
    for (Map.Entry<DeviceAttribute, Integer> value : leastBytes.entrySet()) {
      Asked alike = new Asked(new Models(MODEL));
      alike.matches("drv", Device.named("d").attribute("a/model", value.getKey()).build());
      assertThat(alike.memory.bytes()).isBetween((long) value.getValue(), 100_000L);
      Asked other = new Asked(new Models(MODEL));
      other.matches("drv", device(0, "x").build());
      assertThat(other.memory.bytes()).isBetween(100L, 1_000L);
    }
  }

  @Test
  void eachCapacityIsComparedWithItsOwn() throws Exception {
    SelectorReads reads = new SelectorReads(Set.of("a/model"), Set.of("a/x", "a/y"), false, false);
    Models selector = new Models(reads);
    Asked alike = new Asked(selector);
    Device one = device(0, "x").capacity("a/x", "1").capacity("a/y", "2").build();
    Device swapped = device(1, "x").capacity("a/x", "2").capacity("a/y", "1").build();
    Device onlyX = device(2, "x").capacity("a/x", "1").build();
    Device onlyY = device(3, "x").capacity("a/y", "2").build();
    for (Device device : List.of(one, swapped, onlyX, onlyY, onlyY, onlyX, swapped, one, one)) {
      assertThat(alike.matches("drv", device)).isTrue();
    }
    assertThat(selector.asked).containsExactly("d0", "d1", "d2", "d3");
  }

  @Test
  void anAttributeNamedTwiceIsForTheSelectorToChooseAlsoBesideOneLikeIt() throws Exception {
    Models selector = new Models(MODEL);
    Asked alike = new Asked(selector);
    Device once = Device.named("d1").attribute("a/model", "x").build();
    Device twice = Device.named("d0").attribute("a/model", "x").attribute("model", "y").build();
    assertThat(alike.matches("a", once)).isTrue();
    assertThat(alike.matches("a", twice)).isTrue();
    assertThat(alike.matches("a", once)).isTrue();
    assertThat(alike.matches("a", twice)).isTrue();
    assertThat(selector.asked).containsExactly("d1", "d0", "d0");
  }

  @Test
  void anyNumberOfCapacitiesTellsDevicesApart() throws Exception {
    Set<String> names = Set.of("a/v", "a/w", "a/x", "a/y", "a/z");
    Models selector = new Models(new SelectorReads(Set.of("a/model"), names, false, false));
    Asked alike = new Asked(selector);
    Device.Builder full = device(0, "x");
    names.forEach(name -> full.capacity(name, "1"));
    alike.matches("drv", full.build());
    for (String name : names) {
      Device more = full.build().toBuilder().capacity(name, "2").build();
      alike.matches("drv", more);
      alike.matches("drv", more);
    }
    alike.matches("other", full.build());
    alike.matches("drv", full.build());
    assertThat(selector.asked).hasSize(1 + names.size() + 1);
  }

  @Test
  void whatASelectorSaysOfADeviceOfItsOwnIsTheAnswer() throws Exception {
    for (String model : List.of("x", "y")) {
      Device twice =
          device(0, model).capacity("a/memory", "1").capacity("memory", "2").build(); // of drv a
      assertThat(new Asked(new Models(MODEL)).matches("a", twice)).isEqualTo(model.equals("x"));
      assertThat(new Asked(new Models(SelectorReads.ofEverything())).matches("a", twice))
          .isEqualTo(model.equals("x"));
    }
  }
}
