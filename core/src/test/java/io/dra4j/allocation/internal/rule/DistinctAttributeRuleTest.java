package io.dra4j.allocation.internal.rule;

import static io.dra4j.allocation.Bench.rooted;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.Features;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DistinctAttributeRuleTest {

  private static final String TAKEN = "has the gpu/root of another device";

  private static Bench bench(Set<Feature> features, Device... devices) throws Exception {
    DeviceConstraint constraint = DeviceConstraint.distinctAttribute("gpu/root", "r");
    return Bench.ofConstraint(constraint, features, Compatibility.REFERENCE, devices);
  }

  private static Bench withLists(Device... devices) throws Exception {
    return bench(Feature.kubernetes(), devices);
  }

  private static Bench withoutLists(Device... devices) throws Exception {
    return bench(Features.without(Feature.LIST_TYPE_ATTRIBUTES), devices);
  }

  @Test
  void aValueIsTakenUntilItsDeviceIsTakenBack() throws Exception {
    Device one = rooted("one", DeviceAttribute.of(1));
    Device two = rooted("two", DeviceAttribute.of(2));
    Device alsoOne = rooted("also-one", DeviceAttribute.of(1));
    for (Bench bench :
        new Bench[] {withLists(one, two, alsoOne), withoutLists(one, two, alsoOne)}) {
      assertThat(bench.place("r", "one")).isEqualTo("placed");
      assertThat(bench.place("r", "two")).isEqualTo("placed");
      assertThat(bench.place("r", "also-one")).isEqualTo(TAKEN);
      bench.undo("r", "two");
      assertThat(bench.place("r", "also-one")).isEqualTo(TAKEN);
      bench.undo("r", "one");
      assertThat(bench.place("r", "also-one")).isEqualTo("placed");
    }
  }

  @Test
  void everyDeviceNeedsTheAttribute() throws Exception {
    assertThat(withLists(Device.named("d").build()).place("r", "d"))
        .isEqualTo("has no attribute gpu/root");
  }

  @Test
  void devicesOfOtherRequestsDoNotCount() throws Exception {
    Bench bench =
        withLists(rooted("one", DeviceAttribute.of(1)), rooted("also-one", DeviceAttribute.of(1)));
    assertThat(bench.place("other", "one")).isEqualTo("placed");
    assertThat(bench.place("r", "also-one")).isEqualTo("placed");
    bench.undo("other", "one");
    assertThat(bench.place("r", "one")).isEqualTo(TAKEN);
  }

  @Test
  void listsMustBeDisjoint() throws Exception {
    Bench bench =
        withLists(
            rooted("12", DeviceAttribute.ints(1L, 2L)),
            rooted("23", DeviceAttribute.ints(2L, 3L)),
            rooted("34", DeviceAttribute.ints(3L, 4L)),
            rooted("text", DeviceAttribute.strings("1")),
            rooted("2", DeviceAttribute.of(2)));
    assertThat(bench.place("r", "12")).isEqualTo("placed");
    assertThat(bench.place("r", "23")).isEqualTo(TAKEN);
    assertThat(bench.place("r", "2")).isEqualTo(TAKEN);
    assertThat(bench.place("r", "34")).isEqualTo("placed");
    assertThat(bench.place("r", "text")).isEqualTo("placed");
  }

  @Test
  void withoutListsOnlyScalarsOfOneTypeCollideAndAListGoesFirst() throws Exception {
    Bench bench =
        withoutLists(
            rooted("list", DeviceAttribute.ints(5L)),
            rooted("one", DeviceAttribute.of(1)),
            rooted("text", DeviceAttribute.of("1")),
            rooted("five", DeviceAttribute.of(5)));
    assertThat(bench.place("r", "list")).isEqualTo("placed");
    assertThat(bench.place("r", "five")).isEqualTo("placed");
    assertThat(bench.place("r", "one")).isEqualTo("placed");
    assertThat(bench.place("r", "text")).isEqualTo("placed");
    bench.undo("r", "text");
    bench.undo("r", "one");
    bench.undo("r", "five");
    bench.undo("r", "list");
    assertThat(bench.place("r", "one")).isEqualTo("placed");
    assertThat(bench.place("r", "list")).isEqualTo(TAKEN);
  }
}
