package io.dra4j.spi.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeBuilderTest {

  private final AttributeBuilder attributes = AttributeBuilder.forDriver("gpu.example.com");

  @Test
  void attributesStandInTheOrderInWhichTheyWereAdded() {
    Device device = attributes.text("z", "last").number("a", 1).flag("m", true).build("gpu-0");

    assertThat(device.attributes().keySet()).containsExactly("z", "a", "m");
    assertThat(device.attributes().get("a")).isEqualTo(DeviceAttribute.of(1));
  }

  @Test
  void whatIsNotKnownIsNoAttribute() {
    Device device = attributes.text("a", null).text("b", "").whole("c", null).build("gpu-0");

    assertThat(device.attributes()).isEmpty();
    assertThat(attributes.cuts()).isEmpty();
  }

  @Test
  void aLongTextIsCutBetweenTwoCharacters() {
    String text = "x".repeat(63) + "é";

    Device device = attributes.text("model", text).build("gpu-0");

    assertThat(device.attributes().get("model")).isEqualTo(DeviceAttribute.of("x".repeat(63)));
    assertThat(attributes.cuts())
        .containsExactly(new AttributeBuilder.Cut("model", "cut from 65 to 64 bytes: " + text));
  }

  @Test
  void aCharacterOfTwoUnitsIsNotCutInHalf() {
    Device device = attributes.text("model", "x".repeat(63) + "\uD83D\uDE00").build("gpu-0");

    assertThat(device.attributes().get("model")).isEqualTo(DeviceAttribute.of("x".repeat(63)));
  }

  @Test
  void anIdentifierThatIsTooLongIsLeftOut() {
    Device device = attributes.whole("uuid", "u".repeat(65)).build("gpu-0");

    assertThat(device.attributes()).isEmpty();
    assertThat(attributes.cuts())
        .singleElement()
        .satisfies(cut -> assertThat(cut.reason()).startsWith("left out: it has 65 bytes"));
  }

  @Test
  void joinedTextsAreCutBetweenTwoOfThem() {
    Device device =
        attributes.joined("ips", List.of("a".repeat(30), "b".repeat(33), "c")).build("gpu-0");

    assertThat(device.attributes().get("ips"))
        .isEqualTo(DeviceAttribute.of("a".repeat(30) + "," + "b".repeat(33)));
    assertThat(attributes.cuts())
        .singleElement()
        .satisfies(cut -> assertThat(cut.reason()).startsWith("has only 2 of 3 values"));
  }

  @Test
  void theFirst32AttributesAndCapacitiesStay() {
    for (int i = 0; i < 39; i++) {
      attributes.number("a" + i, i);
    }
    attributes.capacity("memory", "80Gi");

    Device device = attributes.build("gpu-0");

    assertThat(device.attributes()).hasSize(32).containsKey("a31");
    assertThat(device.capacity()).isEmpty();
    assertThat(attributes.cuts())
        .extracting(AttributeBuilder.Cut::name)
        .containsExactly("a32", "a33", "a34", "a35", "a36", "a37", "a38", "memory");
  }

  @Test
  void theValuesOfListsAreCounted() {
    Long[] many = new Long[40];
    Arrays.fill(many, 1L);
    attributes
        .attribute("a", DeviceAttribute.ints(many))
        .attribute("b", DeviceAttribute.ints(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L))
        .attribute("c", DeviceAttribute.strings("1", "2", "3", "4", "5", "6", "7", "8"));

    assertThat(attributes.build("gpu-0").attributes().keySet()).containsExactly("a", "c");
    assertThat(attributes.cuts()).extracting(AttributeBuilder.Cut::name).containsExactly("b");
  }

  @Test
  void whatIsSetAgainKeepsItsPlace() {
    attributes.text("a", "x".repeat(65)).number("b", 2).text("a", "new");

    assertThat(attributes.build("gpu-0").attributes())
        .containsExactly(
            Map.entry("a", DeviceAttribute.of("new")), Map.entry("b", DeviceAttribute.of(2)));
    assertThat(attributes.cuts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a-b", "a/b/c", "/a", "UPPER.example/a", "x/", "a b"})
  void namesOfAnotherFormAreRefused(String name) {
    assertThatThrownBy(() -> attributes.number(name, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void anIdHas32BytesAtMost() {
    attributes.number("a".repeat(32), 1);

    assertThatThrownBy(() -> attributes.number("a".repeat(33), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSameNameWithAndWithoutDomainIsRefused() {
    attributes.number("a", 1);

    assertThatThrownBy(() -> attributes.number("gpu.example.com/a", 1))
        .hasMessage("'gpu.example.com/a' is the same name as 'a'");
  }

  @Test
  void aNameCanBeAnAttributeAndACapacity() {
    Device device = attributes.text("memory", "HBM3").capacity("memory", "80Gi").build("gpu-0");

    assertThat(device.attributes()).containsKey("memory");
    assertThat(device.capacity()).containsKey("memory");
  }
}
