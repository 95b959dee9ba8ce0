package io.dra4j.allocation.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.internal.request.AttributeValueIds.Interner;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.BoolValues;
import io.dra4j.model.DeviceAttribute.NoValue;
import io.dra4j.model.DeviceAttribute.VersionValues;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttributeValueIdsTest {

  private final Interner interner = new Interner(true);

  private AttributeValueIds ints(Long... values) {
    return valuesOf(DeviceAttribute.ints(values));
  }

  private AttributeValueIds valuesOf(DeviceAttribute attribute) {
    return valuesOf(attribute, interner);
  }

  private static AttributeValueIds valuesOf(DeviceAttribute attribute, Interner interner) {
    try {
      return interner.valuesOf(attribute, Budget.unlimited());
    } catch (BudgetExceededException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> textsOf(@Nullable AttributeValueIds values) {
    assertThat(values).isNotNull();
    return values.ids().mapToObj(interner::textOf).toList();
  }

  @Test
  void valuesAreEqualIfTypeAndValueAre() throws Exception {
    List<DeviceAttribute> different =
        List.of(
            DeviceAttribute.of(1),
            DeviceAttribute.of(2),
            DeviceAttribute.of("1"),
            DeviceAttribute.of(true),
            DeviceAttribute.of("true"),
            DeviceAttribute.version("1.0.0"),
            DeviceAttribute.of("1.0.0"));
    for (DeviceAttribute one : different) {
      for (DeviceAttribute other : different) {
        boolean same = one.equals(other);
        AttributeValueIds values = valuesOf(one);
        assertThat(values.sameAs(valuesOf(other))).isEqualTo(same);
        assertThat(values.intersects(valuesOf(other), Budget.unlimited())).isEqualTo(same);
        assertThat(values.scalar).isTrue();
      }
    }
    assertThat(different.stream().flatMap(one -> textsOf(valuesOf(one)).stream()))
        .containsExactly("1", "2", "\"1\"", "true", "\"true\"", "1.0.0", "\"1.0.0\"");
  }

  @Test
  void aListIsTheSetOfItsValues() throws Exception {
    assertThat(ints(2L, 1L, 2L).sameAs(ints(1L, 2L))).isTrue();
    assertThat(ints(2L, 1L).sameAs(ints(2L))).isFalse();
    assertThat(ints(1L).scalar).isFalse();
    assertThat(ints(1L).intersects(valuesOf(DeviceAttribute.of(1)), Budget.unlimited())).isTrue();
    assertThat(textsOf(valuesOf(DeviceAttribute.strings("b", "a"))))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(textsOf(valuesOf(new BoolValues(List.of(true))))).containsExactly("true");
    assertThat(textsOf(valuesOf(new VersionValues(List.of("1.2.3"))))).containsExactly("1.2.3");
  }

  @Test
  void versionsAreEqualByTextOrByPrecedence() {
    DeviceAttribute one = DeviceAttribute.version("1.0.0+a");
    DeviceAttribute other = DeviceAttribute.version("1.0.0+b");
    assertThat(valuesOf(one).sameAs(valuesOf(other))).isFalse();
    assertThat(valuesOf(DeviceAttribute.version("one")).isEmpty()).isFalse();
    assertThat(valuesOf(new VersionValues(List.of("1.0.0", "one"))).toArray()).hasSize(2);

    Interner precedence = new Interner(false);
    assertThat(valuesOf(one, precedence).sameAs(valuesOf(other, precedence))).isTrue();
    assertThat(valuesOf(one, precedence).scalar).isTrue();
    assertThat(
            valuesOf(one, precedence)
                .sameAs(valuesOf(DeviceAttribute.version("1.0.0-a"), precedence)))
        .isFalse();
    assertThat(valuesOf(DeviceAttribute.version("1.0.0+b"), precedence).ids())
        .extracting(precedence::textOf)
        .containsExactly("1.0.0");
    assertThat(valuesOf(DeviceAttribute.version("one"), precedence).isEmpty()).isTrue();
    assertThat(
            valuesOf(new VersionValues(List.of("1.0.0+a", "1.0.0", "2.0.0")), precedence).toArray())
        .hasSize(2);
    assertThat(valuesOf(new VersionValues(List.of("1.0.0", "one")), precedence).isEmpty()).isTrue();
    assertThat(valuesOf(DeviceAttribute.of("1.0.0+a"), precedence).scalar).isTrue();
  }

  @Test
  void intersectionsAreWhatBothHave() throws Exception {
    assertThat(textsOf(ints(1L, 2L, 3L, 4L).intersect(ints(5L, 4L, 2L), Budget.unlimited())))
        .containsExactly("2", "4");
    assertThat(textsOf(ints(5L, 4L, 2L).intersect(ints(1L, 2L, 3L, 4L), Budget.unlimited())))
        .containsExactly("2", "4");
    assertThat(textsOf(ints(1L).intersect(ints(1L, 2L), Budget.unlimited()))).containsExactly("1");
    assertThat(textsOf(ints(7L).intersect(ints(7L), Budget.unlimited()))).containsExactly("7");
    assertThat(ints(1L, 2L).intersect(ints(3L, 4L), Budget.unlimited())).isNull();
    assertThat(ints(1L).intersect(ints(3L), Budget.unlimited())).isNull();
    assertThat(ints().intersect(ints(3L), Budget.unlimited())).isNull();
  }

  @Test
  void noValueIsEmpty() {
    assertThat(valuesOf(new NoValue()).isEmpty()).isTrue();
    assertThat(valuesOf(new NoValue()).scalar).isFalse();
    assertThat(ints().isEmpty()).isTrue();
    assertThat(ints(1L).isEmpty()).isFalse();
  }

  @Test
  void theFirstValueIsOneOfThem() {
    AttributeValueIds values = ints(5L, 7L);
    assertThat(values.first()).isEqualTo(values.toArray()[0]);
    assertThat(values.contains(values.first())).isTrue();
    assertThat(values.contains(values.toArray()[1])).isTrue();
    assertThat(values.contains(values.toArray()[1] + 1)).isFalse();
  }
}
